import CutieAPI
import TestSupport
import Testing

@_spi(EventLog) @_spi(Notifications) @testable import Store

struct SummaryTests {
    @Test func `The summary lists each conversation once, sorted by the latest reply`() throws {
        let fixture = try StoreFixture()
        let (account, store) = (fixture.account, fixture.store)
        let areNew = try store.write { transaction in
            try ["a", "b", "a"].map { try transaction.summary.add($0, account: account) }
        }
        #expect(areNew == [true, true, false])
        #expect(try store.read { try $0.summary.count() } == 2)
        #expect(try store.read { try $0.summary.fetchConversations().map(\.conversation) } == ["a", "b"])
        #expect(try store.read { try $0.summary.fetchNewest()?.conversation } == "a")
        try store.write { try $0.summary.removeAll() }
        #expect(try store.read { try $0.summary.fetchNewest() == nil })
    }

    @Test func `A summary is unread in an account as long as one of the account's conversations is unread`()
        throws
    {
        let fixture = try StoreFixture()
        let (account, store) = (fixture.account, fixture.store)
        let other = try store.write { try $0.makeAccount("other") }
        try store.write {
            for id: Conversation.ID in ["a", "b"] {
                try $0.conversations.save(
                    ConversationRecord(account: account, conversation: Conversation(id: id)))
                try $0.summary.add(id, account: account)
            }
        }
        #expect(try store.read { try $0.summary.hasUnreadConversation(of: account) } == false)
        try store.write {
            try $0.conversations.save(
                ConversationRecord(account: account, conversation: Conversation(id: "a"), unread: 1))
        }
        #expect(try store.read { try $0.summary.hasUnreadConversation(of: account) })
        #expect(try store.read { try $0.summary.hasUnreadConversation(of: other) } == false)
    }

    @Test func `Conversations that have been read are removed from the summary`() throws {
        let fixture = try StoreFixture()
        let (account, store) = (fixture.account, fixture.store)
        try store.write {
            for (id, unread): (Conversation.ID, Int) in [("a", 1), ("b", 0)] {
                let conversation = Conversation(id: id)
                try $0.conversations.save(
                    ConversationRecord(account: account, conversation: conversation, unread: unread))
                try $0.summary.add(id, account: account)
            }
            try $0.summary.add("none", account: account)
            try $0.summary.removeReadConversations()
        }
        #expect(try store.read { try $0.summary.fetchConversations().map(\.conversation) } == ["a"])
    }

    @Test(arguments: [
        (#"{"members":[{"account":1,"conversation":"a"},{"account":1,"conversation":"b"}]}"#, ["b", "a"]),
        ("no JSON", []),
    ])
    func `The migration converts the summary that an earlier version stored as text`(
        text: String, members: [String]
    )
        throws
    {
        let directory = try TemporaryDirectory()
        let former = try MessageStore.open(directory: directory.path).store
        try former.write { try $0.settings.setText(ofSetting: "summary", to: text) }
        former.close()
        try ForeignConnection(path: former.path).execute(
            "DROP TABLE summarised; DELETE FROM grdb_migrations WHERE identifier = '5-summary'")
        let opening = try MessageStore.open(directory: directory.path)
        #expect(opening.setAside == nil)
        #expect(
            try opening.store.read { try $0.summary.fetchConversations().map(\.conversation.rawValue) }
                == members)
        #expect(try opening.store.read { try $0.settings.fetchText(ofSetting: "summary") } == nil)
    }
}
