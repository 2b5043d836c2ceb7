import CutieAPI
import Testing

@_spi(EventLog) @testable import Store

struct ConversationTests {
    private func full() -> Conversation {
        var conversation = Conversation(id: "c1", status: .waitingUser)
        conversation.title = "It crashes"
        conversation.category = .bug
        conversation.priority = Priority("unheard-of")
        conversation.customerID = "cu"
        conversation.userID = "u"
        conversation.userName = "Ada"
        conversation.deviceID = "device_1"
        conversation.assignedAdminID = "ad"
        conversation.appID = "app"
        conversation.appName = "App"
        conversation.messageCount = 4
        conversation.unreadCount = 2
        conversation.tags = [Tag(id: "t", conversation: "c1", name: "crash", color: "#f00")]
        conversation.createdAt = .at(10)
        conversation.updatedAt = .at(20)
        return conversation
    }

    @Test func `A conversation is unchanged after storing and loading`() throws {
        let fixture = try StoreFixture()
        var record = ConversationRecord(
            account: fixture.account, conversation: full(), unread: 2, sinceClear: 1, serverTime: .at(21),
            lastPoll: PollSnapshot(updatedAt: .at(20), unreadCount: 2, messageCount: 4), lastMessage: "Hi",
            lastMessageAt: .at(19), lastSender: .admin, newestSequence: 9)
        try fixture.store.write { try $0.conversations.save(record) }
        #expect(
            try fixture.store.read { try $0.conversations.find("c1", account: fixture.account) } == record)
        record = ConversationRecord(account: fixture.account, conversation: Conversation(id: "c1"))
        try fixture.store.write { try $0.conversations.save(record) }
        #expect(try fixture.store.read { try $0.conversations.fetchAll() } == [record])
    }

    @Test
    func `The marks of a conversation, such as a mute, are kept until its account is deleted`()
        throws
    {
        let fixture = try StoreFixture()
        let (store, account) = (fixture.store, fixture.account)
        var record = ConversationRecord(account: account, conversation: full())
        let marks = ConversationMarks(isMuted: true, isUnread: true)
        func found() throws -> ConversationMarks? {
            try store.read { try $0.conversations.find("c1", account: account)?.marks }
        }
        try store.write {
            try $0.conversations.save(record)
            try $0.marks.setMarks(marks, of: "c1", account: account)
            record.lastMessage = "New"
            try $0.conversations.save(record)
        }
        #expect(try found() == marks)
        try store.write {
            try $0.accounts.resetHistory(of: account)
            try $0.conversations.save(record)
        }
        #expect(try found() == marks)
        try store.write {
            #expect(try $0.conversations.fetchAll(unreadOnly: true).count == 1)
            #expect(try $0.conversations.fetchAll(mutedOnly: true).count == 1)
            try $0.marks.setMarks(ConversationMarks(), of: "c1", account: account)
            #expect(try $0.conversations.fetchAll(unreadOnly: true).isEmpty)
            #expect(try $0.marks.fetchMuted().isEmpty)
            try $0.marks.setMarks(marks, of: "c1", account: account)
            try $0.accounts.deleteHistoryAndOutbox(of: account)
            #expect(try $0.marks.fetchMuted().isEmpty)
        }
    }

    @Test func `A conversation is not returned for another account`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.conversations.save(ConversationRecord(account: fixture.account, conversation: full()))
            #expect(try $0.conversations.find("c1", account: other) == nil)
            #expect(try $0.conversations.find("c2", account: fixture.account) == nil)
        }
    }

    @Test func `The preview of a conversation is truncated to 200 characters`() throws {
        let fixture = try StoreFixture()
        var record = ConversationRecord(account: fixture.account, conversation: full())
        record.lastMessage = String(repeating: "👩‍💻", count: 300)
        try fixture.store.write { try $0.conversations.save(record) }
        let stored = try fixture.store.read { try $0.conversations.find("c1", account: fixture.account) }
        #expect(stored?.lastMessage == String(repeating: "👩‍💻", count: 200))
    }

    @Test func `Conversations are sorted by newest message, and can be filtered by account and read state`()
        throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            let other = try transaction.makeAccount("other")
            for (number, updated) in [3, 1, 2].enumerated() {
                var conversation = Conversation(id: Conversation.ID("c\(updated)"))
                conversation.updatedAt = .at(100 - Int64(updated))
                try transaction.conversations.save(
                    ConversationRecord(
                        account: fixture.account, conversation: conversation, unread: number,
                        lastMessageAt: .at(Int64(updated))))
            }
            try transaction.conversations.save(
                ConversationRecord(account: other, conversation: Conversation(id: "undated"), unread: 1))
            func ids(_ records: [ConversationRecord]) -> [Conversation.ID] { records.map(\.conversation.id) }
            #expect(try ids(transaction.conversations.fetchAll()) == ["c3", "c2", "c1", "undated"])
            #expect(try ids(transaction.conversations.fetchAll(limit: 2)) == ["c3", "c2"])
            #expect(
                try ids(transaction.conversations.fetchAll(account: fixture.account)) == ["c3", "c2", "c1"])
            #expect(try ids(transaction.conversations.fetchAll(unreadOnly: true)) == ["c2", "c1", "undated"])
            #expect(
                try ids(
                    transaction.conversations.fetchAll(account: fixture.account, unreadOnly: true, limit: 1))
                    == [
                        "c2"
                    ])
        }
    }

    @Test(
        arguments: [
            (message: 3, created: 1, updated: 9, expected: 3),
            (message: nil, created: 1, updated: 9, expected: 1),
            (message: nil, created: nil, updated: 9, expected: 9),
            (message: nil, created: nil, updated: nil, expected: 0),
        ] as [(message: Int64?, created: Int64?, updated: Int64?, expected: Int64)])
    func
        `A conversation's sort time is the time of its last message, else of its creation, else of its last update`(
            message: Int64?, created: Int64?, updated: Int64?, expected: Int64
        )
    {
        var conversation = Conversation(id: "c")
        (conversation.createdAt, conversation.updatedAt) = (created.map { .at($0) }, updated.map { .at($0) })
        let record = ConversationRecord(
            account: AccountID(rawValue: 1), conversation: conversation,
            lastMessageAt: message.map { .at($0) })
        #expect(record.sortedAt == (expected == 0 ? .epoch : .at(expected)))
    }

    @Test func `Looking up a conversation ID returns all accounts that have the conversation`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.conversations.save(
                ConversationRecord(account: fixture.account, conversation: Conversation(id: "one")))
            for account in [other, fixture.account] {
                try $0.conversations.save(
                    ConversationRecord(account: account, conversation: Conversation(id: "both")))
            }
            #expect(try $0.conversations.fetchAccounts(containing: "one") == [fixture.account])
            #expect(try $0.conversations.fetchAccounts(containing: "both") == [fixture.account, other])
            #expect(try $0.conversations.fetchAccounts(containing: "none").isEmpty)
        }
    }

    @Test func `The badge counts unread messages that arrived since the badge was last cleared`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            for (id, unread, since) in [("a", 3, 2), ("b", 1, 5), ("c", 4, 0), ("d", 0, 4)] {
                try $0.conversations.save(
                    ConversationRecord(
                        account: fixture.account, conversation: Conversation(id: Conversation.ID(id)),
                        unread: unread, sinceClear: since))
            }
            let badges = try Dictionary(
                uniqueKeysWithValues: $0.badges.fetchAll().map { ($0.conversation, $0.badge) })
            #expect(badges == ["a": 2, "b": 1])
            let shares = try $0.conversations.fetchAll().map { ($0.conversation.id, $0.badge) }
            #expect(Dictionary(uniqueKeysWithValues: shares) == ["a": 2, "b": 1, "c": 0, "d": 0])
        }
    }

    @Test func `Clearing the badge affects only the given conversations`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            let other = try transaction.makeAccount("other")
            for account in [fixture.account, other] {
                for id in ["a", "b", "c"] as [Conversation.ID] {
                    try transaction.conversations.save(
                        ConversationRecord(
                            account: account, conversation: Conversation(id: id), unread: 2,
                            sinceClear: id == "c" ? 0 : 2))
                }
            }
            #expect(try transaction.badges.clear(account: fixture.account, conversation: "a") == 1)
            #expect(try transaction.badges.clear(account: fixture.account, conversation: "a") == 0)
            #expect(try transaction.badges.fetchAll().count == 3)
            #expect(try transaction.badges.clear(account: fixture.account) == 1)
            #expect(try Set(transaction.badges.fetchAll().map(\.account)) == [other])
            #expect(try transaction.badges.clear() == 2)
            #expect(try transaction.badges.fetchAll().isEmpty)
            #expect(try transaction.conversations.fetchAll().allSatisfy { $0.unread == 2 })
        }
    }
}
