import CutieAPI
import Testing

@testable import Store

struct RepliesTests {
    /// A thread of a, b (the person's own), c, d, of which a is read.
    private func thread() throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for (number, id) in ["a", "b", "c", "d"].enumerated() {
                try transaction.insert(
                    .reply(id, from: id == "b" ? .user : .admin, at: Int64(number)), account: fixture.account,
                    stage: id == "a" ? .read : .shown, pending: false, at: .at(1))
            }
        }
        return fixture
    }

    @Test func `The newest replies at a stage leave one's own and the others out`() throws {
        let fixture = try thread()
        let newest = try fixture.store.read {
            try $0.newestReplies(in: "c1", account: fixture.account, limit: 3, stage: .shown)
        }
        #expect(newest == ["d", "c"])
    }

    @Test(arguments: [("a", 2), ("b", 2), ("c", 1), ("d", 0), ("gone", 0)])
    func `The replies after a message are counted`(bound: Message.ID, count: Int) throws {
        let fixture = try thread()
        let after = try fixture.store.read {
            try $0.replyCount(in: "c1", account: fixture.account, after: bound)
        }
        #expect(after == count)
    }

    @Test(arguments: [(3, 0, ["d", "c"]), (3, 1, ["c"]), (1, 0, ["d"]), (2, 2, []), (1, 5, [])])
    func `What became read is what was unread but for the newest`(total: Int, left: Int, ids: [Message.ID])
        throws
    {
        let fixture = try thread()
        let read = try fixture.store.read {
            try $0.repliesToMarkRead(in: "c1", account: fixture.account, of: total, leaving: left)
        }
        #expect(read == ids)
    }

    @Test func `Only what was shown is closed`() throws {
        let fixture = try thread()
        try fixture.store.write { transaction in
            try transaction.closeShown(in: "c1", account: fixture.account, detail: "clicked", at: .at(5))
            let stages = try transaction.messages(in: "c1", account: fixture.account).map(\.stage)
            #expect(stages == [.read, .closed, .closed, .closed])
            #expect(
                try transaction.steps(of: "c", in: "c1", account: fixture.account).last?.detail == "clicked")
        }
    }

    @Test func `An account's conversations add up without another's`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            let other = try transaction.makeAccount("other")
            for (account, id, unread, since) in [
                (fixture.account, "a", 3, 2), (fixture.account, "b", 2, 0), (fixture.account, "c", 0, 4),
                (other, "a", 9, 9),
            ] {
                try transaction.save(
                    ConversationRecord(
                        account: account, conversation: Conversation(id: Conversation.ID(id)), unread: unread,
                        sinceClear: since))
            }
            let sums = try transaction.sums(of: fixture.account)
            #expect(sums.badge == 2 && sums.unread == 5)
        }
    }
}
