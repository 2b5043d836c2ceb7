import CutieAPI
import Testing

@_spi(EventLog) @testable import Store

struct RepliesTests {
    /// Creates a store with a conversation of five messages: a (read), b (the user's own), c, n (a note), d.
    private func thread() throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for (number, id) in ["a", "b", "c", "n", "d"].enumerated() {
                try transaction.messages.insert(
                    .reply(id, at: Int64(number)), account: fixture.account, isOwn: id == "b",
                    isNote: id == "n", stage: id == "a" ? .read : .shown, isPending: false, at: .at(1))
            }
        }
        return fixture
    }

    @Test
    func `The newest replies at a ledger stage include neither notes nor the user's own messages`()
        throws
    {
        let fixture = try thread()
        let newest = try fixture.store.read {
            try $0.replies.fetchReplies(in: "c1", account: fixture.account, amongNewest: 3, stage: .shown)
        }
        #expect(newest == ["d", "c"])
    }

    @Test(arguments: [("a", 2), ("b", 2), ("c", 1), ("n", 1), ("d", 0), ("gone", 0)])
    func `The store returns the number of replies that are newer than a given message`(
        bound: Message.ID, count: Int
    ) throws {
        let fixture = try thread()
        let after = try fixture.store.read {
            try $0.replies.countReplies(in: "c1", account: fixture.account, after: bound)
        }
        #expect(after == count)
    }

    @Test func `The newest reply of a conversation is neither the user's own message nor a note`() throws {
        let fixture = try thread()
        try fixture.store.write { transaction in
            try transaction.messages.insert(
                .reply("o", at: 9), account: fixture.account, isOwn: true, isNote: false, stage: .stored,
                isPending: false, at: .at(1))
            let replies = transaction.replies
            #expect(try replies.findNewest(in: "c1", account: fixture.account) == "d")
            #expect(try replies.findNewest(in: "c1", account: fixture.account, notAfter: "n") == "c")
            #expect(try replies.findNewest(in: "c1", account: fixture.account, notAfter: "b") == "a")
            #expect(try replies.findNewest(in: "c1", account: fixture.account, upToSequence: 0) == nil)
            #expect(try replies.findNewest(in: "c1", account: fixture.account, upToSequence: .max) == "d")
            #expect(
                try replies.countReplies(in: "c1", account: fixture.account, amongNewest: 2, stage: .shown)
                    == 2)
        }
    }

    @Test(arguments: [(3, 0, ["d", "c"]), (3, 1, ["c"]), (1, 0, ["d"]), (2, 2, []), (1, 5, [])])
    func `The messages to mark read are the oldest unread messages, and the newest messages stay unread`(
        total: Int, left: Int, ids: [Message.ID]
    )
        throws
    {
        let fixture = try thread()
        let read = try fixture.store.read {
            try $0.replies.fetchUnreadReplies(
                in: "c1", account: fixture.account, amongNewest: total, excludingNewest: left)
        }
        #expect(read == ids)
    }

    @Test func `Only replies that were shown are recorded as closed`() throws {
        let fixture = try thread()
        try fixture.store.write { transaction in
            try transaction.ledger.markShownMessagesAsClosed(
                in: "c1", account: fixture.account, detail: "clicked", at: .at(5))
            let stages = try transaction.messages.fetchNewest(in: "c1", account: fixture.account).map(\.stage)
            #expect(stages == [.read, .closed, .closed, .closed, .closed])
            #expect(
                try transaction.ledger.fetchSteps(of: "c", in: "c1", account: fixture.account).last?.detail
                    == "clicked")
        }
    }

    @Test func `The totals of an account do not include other accounts`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            let other = try transaction.makeAccount("other")
            for (account, id, unread, since) in [
                (fixture.account, "a", 3, 2), (fixture.account, "b", 2, 0), (fixture.account, "c", 0, 4),
                (other, "a", 9, 9),
            ] {
                try transaction.conversations.save(
                    ConversationRecord(
                        account: account, conversation: Conversation(id: Conversation.ID(id)), unread: unread,
                        sinceClear: since))
            }
            let sums = try transaction.badges.fetchTotals(of: fixture.account)
            #expect(sums.badge == 2 && sums.unread == 5)
        }
    }
}
