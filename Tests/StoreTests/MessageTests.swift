import CutieAPI
import Testing

@_spi(EventLog) @testable import Store

struct MessageTests {
    @Test func `A message is unchanged after storing and loading`() throws {
        let fixture = try StoreFixture()
        let message = Message(
            id: "m", conversation: "c", senderType: SenderType("robot"), senderID: "s", senderName: "Ada",
            senderAvatarURL: "https://a", text: "Grüße 👋", type: "text", createdAt: .at(5))
        try fixture.store.write { transaction throws in
            #expect(
                try transaction.messages.insert(
                    message, account: fixture.account, stage: .stored, pending: true, at: .at(6))
            )
        }
        let stored = try fixture.store.read { try $0.messages.find("m") }
        #expect(
            stored == [
                MessageRecord(
                    account: fixture.account, message: message, row: 1, sequence: 1, stage: .stored,
                    pending: true)
            ])
    }

    @Test func `A message that is already stored in the account is not inserted again`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            #expect(try !$0.messages.wasEverStored("m", in: "c1", account: fixture.account))
            #expect(
                try $0.messages.insert(
                    .reply("m"), account: fixture.account, stage: .stored, pending: false, at: .at(1)))
            #expect(
                try !$0.messages.insert(
                    .reply("m"), account: fixture.account, stage: .stored, pending: false, at: .at(1)))
            #expect(try $0.messages.wasEverStored("m", in: "c1", account: fixture.account))
            #expect(
                try $0.messages.insert(
                    .reply("m"), account: other, stage: .stored, pending: false, at: .at(1)))
            #expect(try $0.messages.find("m").map(\.account) == [fixture.account, other])
            #expect(try $0.messages.find("m", account: other).map(\.account) == [other])
        }
    }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func `The caller specifies whether a stored message is a note, and whether it is the user's own message`(
        isOwn: Bool, isNote: Bool
    )
        throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction throws in
            // Tests both sender types: the caller, and not the sender type, determines whether a message is
            // the user's own.
            for (id, sender) in [("m", SenderType.user), ("n", .admin)] {
                try transaction.messages.insert(
                    .reply(id, from: sender), account: fixture.account, isOwn: isOwn, isNote: isNote,
                    stage: .stored, isPending: false, at: .at(1))
            }
            let records = try transaction.messages.fetchNewest(in: "c1", account: fixture.account)
            #expect(records.map(\.isOwn) == [isOwn, isOwn] && records.map(\.isNote) == [isNote, isNote])
            #expect(records.allSatisfy { $0.isReply == (!isOwn && !isNote) })
        }
    }

    @Test func `A new message gets the next sequence number of the event log`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let head = try $0.log.append(.state, at: .at(1))
            try $0.messages.insert(
                .reply("m"), account: fixture.account, stage: .stored, pending: false, at: .at(1))
            #expect(try $0.messages.find("m").map(\.sequence) == [head + 1])
            #expect(try $0.log.fetchLastSequence() == head + 1)
        }
    }

    @Test func `The newest messages of a thread are sorted by date and then by sequence number`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for (id, time) in [("late", 30), ("first", 10), ("second", 10), ("early", 5)] {
                try transaction.messages.insert(
                    .reply(id, at: Int64(time)), account: fixture.account, stage: .stored, pending: false,
                    at: .at(1))
            }
            try transaction.messages.insert(
                .reply("elsewhere", in: "c2"), account: fixture.account, stage: .stored, pending: false,
                at: .at(1))
            func ids(_ limit: Int?) throws -> [Message.ID] {
                try transaction.messages.fetchNewest(in: "c1", account: fixture.account, limit: limit).map(
                    \.message.id)
            }
            #expect(try ids(nil) == ["early", "first", "second", "late"])
            #expect(try ids(2) == ["second", "late"])
            #expect(try ids(0) == [])
        }
    }

    @Test func `The user's own message is not returned as the newest reply`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            #expect(try $0.replies.findNewest(in: "c1", account: fixture.account) == nil)
            for message in [
                Message.reply("a", at: 1), .reply("s", from: .system, at: 2), .reply("u", from: .user, at: 3),
            ] {
                try $0.messages.insert(
                    message, account: fixture.account, stage: .stored, pending: false, at: .at(1))
            }
            #expect(try $0.replies.findNewest(in: "c1", account: fixture.account) == "s")
        }
    }

    @Test func `A NUL in a message is replaced, and the text after it is preserved`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.messages.insert(
                .reply("m", "a\0b"), account: fixture.account, stage: .stored, pending: false, at: .at(1))
            #expect(try $0.messages.find("m").map(\.message.text) == ["a\u{FFFD}b"])
        }
    }
}
