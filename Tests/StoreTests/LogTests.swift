import CutieAPI
import Testing

@_spi(EventLog) @testable import Store

struct LogTests {
    @Test func `An event log entry is unchanged after storing and loading`() throws {
        let fixture = try StoreFixture()
        let sequence = try fixture.store.write {
            try $0.log.append(
                .messageCreated, at: .at(7), account: fixture.account, conversation: "c",
                message: "m",
                badgeTotal: 3, badgeUnread: 4, badgeConversation: 1, state: "connected", data: #"{"a":1}"#)
        }
        let entry = try #require(try fixture.store.read { try $0.log.fetchEntries(after: 0, limit: 9) }.first)
        #expect(entry.sequence == sequence)
        #expect(entry.kind == .messageCreated && entry.loggedAt == .at(7) && entry.account == fixture.account)
        #expect(entry.conversation == "c" && entry.message == "m")
        #expect([entry.badgeTotal, entry.badgeUnread, entry.badgeConversation] == [3, 4, 1])
        #expect(entry.state == "connected" && entry.data == #"{"a":1}"#)
    }

    @Test(
        arguments: zip(
            [
                LogEntry.Kind.messageCreated, .conversationUpdated, .conversationRead, .badge, .deviceLinked,
                .deviceUnlinked, .state,
            ],
            [
                "message.created", "conversation.updated", "conversation.read", "badge", "device.linked",
                "device.unlinked", "state",
            ]))
    func `The stored name of an event kind is the name that watchers receive`(
        kind: LogEntry.Kind, word: String
    ) throws {
        let fixture = try StoreFixture()
        try fixture.store.write { try $0.log.append(kind, at: .at(1)) }
        let written = try fixture.openForeignConnection().text("SELECT type FROM log")
        #expect(written == word)
        #expect(try fixture.store.read { try $0.log.fetchEntries(after: 0, limit: 1) }.map(\.kind) == [kind])
    }

    @Test func `An event log entry of an unknown kind is loaded unchanged`() throws {
        let fixture = try StoreFixture()
        try fixture.openForeignConnection().execute(
            "INSERT INTO log (type, at) VALUES ('message.praised', 1)")
        let entries = try fixture.store.read { try $0.log.fetchEntries(after: 0, limit: 9) }
        #expect(entries.map(\.kind.rawValue) == ["message.praised"])
    }

    @Test func `A new sequence number is higher than the sequence numbers that another program has added`()
        throws
    {
        let fixture = try StoreFixture()
        let first = try fixture.store.write { try $0.log.append(.state, at: .at(1)) }
        func addEntry(_ sequence: Int64) throws {
            try fixture.openForeignConnection().execute(
                "INSERT INTO log (sequence, type, at) VALUES (\(sequence), 'state', 2)")
        }
        try addEntry(first + 5)
        #expect(try fixture.store.write { try $0.log.append(.state, at: .at(3)) } == first + 6)
        try addEntry(first + 9)
        // This read also discovers the change, before the next write.
        #expect(try fixture.store.read { try $0.log.fetchLastSequence() } == first + 9)
        #expect(try fixture.store.write { try $0.log.append(.state, at: .at(4)) } == first + 10)
    }

    @Test func `A write that was rolled back does not use up a sequence number`() throws {
        struct Failure: Error {}
        let fixture = try StoreFixture()
        let first = try fixture.store.write { try $0.log.append(.state, at: .at(1)) }
        #expect(throws: Failure.self) {
            try fixture.store.write { transaction in
                try transaction.log.append(.state, at: .at(2))
                throw Failure()
            }
        }
        #expect(try fixture.store.write { try $0.log.append(.state, at: .at(3)) } == first + 1)
    }

    @Test
    func `A reader of the event log gets only entries after its position, in order and up to its limit`()
        throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write {
            for number in 1...5 { try $0.log.append(LogEntry.Kind("\(number)"), at: .at(1)) }
        }
        try fixture.store.read { transaction throws in
            #expect(try transaction.log.fetchLastSequence() == 5)
            #expect(
                try transaction.log.fetchEntries(after: 2, limit: 2).map(\.kind) == [.init("3"), .init("4")])
            #expect(try transaction.log.fetchEntries(after: 5, limit: 2).isEmpty)
        }
    }

    @Test func `A reader can continue reading an empty event log only from position 0`() throws {
        let fixture = try StoreFixture()
        try fixture.store.read { transaction throws in
            #expect(try transaction.log.fetchLastSequence() == 0)
            #expect(try transaction.log.isContiguous(after: 0))
            #expect(try !transaction.log.isContiguous(after: 1))
        }
    }

    @Test func `A sequence number is never reused, even after all entries have been pruned`() async throws {
        let fixture = try StoreFixture()
        try fixture.store.write { for _ in 1...3 { try $0.log.append(.state, at: .at(1)) } }
        while try await fixture.store.prune(
            olderThan: .init(before: .at(100), eventsBefore: .at(100), now: .at(5000)))
            > 0
        {}
        try fixture.store.write { transaction throws in
            #expect(try transaction.log.fetchEntries(after: 0, limit: 1).isEmpty)
            #expect(try transaction.log.fetchLastSequence() == 3)
            #expect(try transaction.log.isContiguous(after: 3))
            #expect(try !transaction.log.isContiguous(after: 2))
            #expect(try transaction.log.append(.state, at: .at(200)) == 4)
        }
    }

    /// The table does not use AUTOINCREMENT, so SQLite itself could reuse the numbers of the newest rows
    /// after these rows are deleted.
    @Test func `A sequence number is never reused, even after the newest messages have been deleted`() throws
    {
        let fixture = try StoreFixture()
        for round in 0..<3 {
            let newest = try fixture.store.write { transaction in
                for number in 1...3 {
                    try transaction.messages.insert(
                        .reply("m\(round)-\(number)"), account: fixture.account, stage: .stored,
                        pending: false,
                        at: .at(1))
                }
                return try transaction.log.fetchLastSequence()
            }
            #expect(newest == Int64(3 * round + 3))
            try fixture.store.write { try $0.accounts.resetHistory(of: fixture.account) }
        }
        #expect(try fixture.store.write { try $0.log.append(.state, at: .at(1)) } == 10)
    }

    @Test
    func `A message and its log entry have the same sequence number, and deleting the message leaves a gap`()
        throws
    {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write { transaction in
            try transaction.log.append(.state, at: .at(1))
            for id in ["unlogged", "a", "b"] {
                let row = try #require(
                    try transaction.messages.insert(
                        .reply(id), account: account, isOwn: false, isNote: false, stage: .stored,
                        isPending: false,
                        at: .at(7)))
                if id == "unlogged" { continue }
                try transaction.log.appendMessage(
                    inRow: row, badgeTotal: 3, badgeUnread: 4, badgeConversation: 1)
            }
            try transaction.log.append(.badge, at: .at(8))
        }
        try fixture.store.read { transaction throws in
            let entries = try transaction.log.fetchEntries(after: 0, limit: 9)
            #expect(entries.map(\.sequence) == [1, 3, 4, 5])
            #expect(entries.map(\.kind) == [.state, .messageCreated, .messageCreated, .badge])
            #expect(entries.map(\.message) == [nil, "a", "b", nil])
            let entry = entries[1]
            #expect(entry.loggedAt == .at(7) && entry.account == account && entry.conversation == "c1")
            #expect([entry.badgeTotal, entry.badgeUnread, entry.badgeConversation] == [3, 4, 1])
            #expect(entry.state == nil && entry.data == nil)
            #expect(try transaction.log.fetchEntries(after: 1, limit: 2).map(\.sequence) == [3, 4])
        }
        try fixture.store.write { try $0.run("DELETE FROM message WHERE id = 'b'") }
        try fixture.store.read { transaction throws in
            #expect(try transaction.log.fetchEntries(after: 1, limit: 9).map(\.sequence) == [3, 5])
            #expect(try (0...6).filter { try transaction.log.isContiguous(after: $0) } == [0, 1, 2, 3, 4, 5])
        }
    }

    @Test func `Pruning removes an old unread message from the event log, but not from the messages`()
        async throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            let row = try transaction.messages.insert(
                .reply("m"), account: fixture.account, isOwn: false, isNote: false, stage: .stored,
                isPending: true,
                at: .at(1))
            try transaction.log.appendMessage(
                inRow: #require(row), badgeTotal: nil, badgeUnread: nil, badgeConversation: nil)
            try transaction.log.append(.badge, at: .at(900))
        }
        while try await fixture.store.prune(
            olderThan: .init(before: .at(10), eventsBefore: .at(0), now: .at(1000))) > 0
        {}
        try fixture.store.read { transaction throws in
            #expect(try transaction.log.fetchEntries(after: 0, limit: 9).map(\.sequence) == [2])
            #expect(try (0...2).filter { try transaction.log.isContiguous(after: $0) } == [1, 2])
            #expect(try transaction.messages.fetchPending(limit: 9).map(\.message.id) == ["m"])
        }
    }

    @Test func `A sequence number can be used again if its transaction was rolled back`() throws {
        struct RollbackError: Error {}
        let fixture = try StoreFixture()
        #expect(throws: RollbackError.self) {
            try fixture.store.write {
                try $0.log.append(.state, at: .at(1))
                throw RollbackError()
            }
        }
        #expect(try fixture.store.write { try $0.log.append(.state, at: .at(1)) } == 1)
    }

    @Test
    func `A reader can continue reading a pruned event log from its oldest entry, but not beyond its end`()
        async throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write {
            for number in 1...6 { try $0.log.append(.state, at: .at(Int64(number))) }
        }
        while try await fixture.store.prune(
            olderThan: .init(before: .at(4), eventsBefore: .at(0), now: .at(5000))) > 0
        {
        }
        try fixture.store.read { transaction in
            #expect(try transaction.log.fetchEntries(after: 0, limit: 1).map(\.sequence) == [4])
            let continuing = try (0...8).filter { try transaction.log.isContiguous(after: Int64($0)) }
            #expect(continuing == [3, 4, 5, 6])
        }
    }

    @Test func `Pruning entries with wrong times leaves no gap in the event log`() async throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            for time in [1, 900, 2, 500, 600] { try $0.log.append(LogEntry.Kind("s"), at: .at(Int64(time))) }
        }
        while try await fixture.store.prune(
            olderThan: .init(before: .at(10), eventsBefore: .at(0), now: .at(700))) > 0
        {
        }
        #expect(
            try fixture.store.read { try $0.log.fetchEntries(after: 0, limit: 9) }.map(\.sequence) == [4, 5])
    }

    @Test func `An entry that is dated too early is not pruned while a preceding entry remains`() async throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write {
            for time in [1, 500, 2, 600] { try $0.log.append(LogEntry.Kind("s"), at: .at(Int64(time))) }
        }
        while try await fixture.store.prune(
            olderThan: .init(before: .at(10), eventsBefore: .at(0), now: .at(700))) > 0
        {
        }
        #expect(
            try fixture.store.read { try $0.log.fetchEntries(after: 0, limit: 9) }.map(\.sequence) == [
                2, 3, 4,
            ])
    }
}
