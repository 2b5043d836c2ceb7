import CutieAPI
import GRDB
import TestSupport
import Testing

@testable import Store

struct SummaryTests {
    @Test func `A conversation is in the summary once, as new as its last reply`() throws {
        let fixture = try StoreFixture()
        let (account, store) = (fixture.account, fixture.store)
        let areNew = try store.write { transaction in
            try ["a", "b", "a"].map { try transaction.summarise($0, account: account) }
        }
        #expect(areNew == [true, true, false])
        #expect(try store.read { try $0.summarisedCount() } == 2)
        #expect(try store.read { try $0.summarised().map(\.conversation) } == ["a", "b"])
        #expect(try store.read { try $0.newestSummarised()?.conversation } == "a")
        try store.write { try $0.clearSummarised() }
        #expect(try store.read { try $0.newestSummarised() == nil })
    }

    @Test func `A summary is unread while one of its conversations is, account by account`() throws {
        let fixture = try StoreFixture()
        let (account, store) = (fixture.account, fixture.store)
        let other = try store.write { try $0.makeAccount("other") }
        try store.write {
            for id: Conversation.ID in ["a", "b"] {
                try $0.save(ConversationRecord(account: account, conversation: Conversation(id: id)))
                try $0.summarise(id, account: account)
            }
        }
        #expect(try store.read { try $0.isSummaryUnread(of: account) } == false)
        try store.write {
            try $0.save(ConversationRecord(account: account, conversation: Conversation(id: "a"), unread: 1))
        }
        #expect(try store.read { try $0.isSummaryUnread(of: account) })
        #expect(try store.read { try $0.isSummaryUnread(of: other) } == false)
    }

    @Test func `What was read leaves the summary`() throws {
        let fixture = try StoreFixture()
        let (account, store) = (fixture.account, fixture.store)
        try store.write {
            for (id, unread): (Conversation.ID, Int) in [("a", 1), ("b", 0)] {
                let conversation = Conversation(id: id)
                try $0.save(ConversationRecord(account: account, conversation: conversation, unread: unread))
                try $0.summarise(id, account: account)
            }
            try $0.summarise("none", account: account)
            try $0.forgetReadSummarised()
        }
        #expect(try store.read { try $0.summarised().map(\.conversation) } == ["a"])
    }

    @Test(arguments: [
        (#"{"members":[{"account":1,"conversation":"a"},{"account":1,"conversation":"b"}]}"#, ["b", "a"]),
        ("no JSON", []),
    ])
    func `What an earlier version kept as one text is taken over`(text: String, members: [String]) throws {
        let directory = try TemporaryDirectory()
        let former = try Store.open(directory: directory.path).store
        try former.write { try $0.setSetting("summary", to: text) }
        former.close()
        try DatabaseQueue(path: former.path).inDatabase {
            try $0.execute(
                sql: "DROP TABLE summarised; DELETE FROM grdb_migrations WHERE identifier = '5-summary'")
        }
        let opening = try Store.open(directory: directory.path)
        #expect(opening.setAside == nil)
        #expect(try opening.store.read { try $0.summarised().map(\.conversation.rawValue) } == members)
        #expect(try opening.store.read { try $0.setting("summary") } == nil)
    }
}
