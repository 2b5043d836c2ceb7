import CutieAPI
import Testing

@_spi(EventLog) @testable import Store

struct LedgerTests {
    @Test func `The ledger steps of a message are stored in order`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write {
            try $0.messages.insert(.reply("m"), account: account, stage: .received, pending: true, at: .at(1))
            #expect(try $0.ledger.append(.announcing, at: .at(1), to: "m", in: "c1", account: account))
            #expect(
                try $0.ledger.append(
                    .shown, detail: "17", at: .at(1), to: "m", in: "c1", account: account,
                    isPendingAfterwards: false))
            #expect(
                try $0.ledger.fetchSteps(of: "m", in: "c1", account: account) == [
                    LedgerEntry(at: .at(1), stage: .received), LedgerEntry(at: .at(1), stage: .announcing),
                    LedgerEntry(at: .at(1), stage: .shown, detail: "17"),
                ])
            let message = try $0.messages.find("m").first
            #expect(message?.stage == .shown && message?.pending == false)
        }
    }

    private static let orders: [[LedgerStage]] = [
        [.shown], [.announcing, .shown], [.announcing, .announcing], [.shown, .announcing], [.shown, .shown],
        [.announcing, .held, .announcing, .shown, .closed, .read], [.held, .announcing, .shown],
        [.announcing, .shown, .held, .announcing, .shown],
    ]

    /// The order matters, because some steps are stored in columns of the message and others in the ledger
    /// table.
    @Test(arguments: orders)
    func `Ledger steps are returned in the order in which they were added`(stages: [LedgerStage]) throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write { transaction in
            try transaction.messages.insert(
                .reply("m"), account: account, stage: .stored, pending: true, at: .at(1))
            for (index, stage) in stages.enumerated() {
                try transaction.ledger.append(
                    stage, detail: stage == .shown ? "17" : nil, at: .at(Int64(index + 2)), to: "m", in: "c1",
                    account: account)
            }
            let steps = try transaction.ledger.fetchSteps(of: "m", in: "c1", account: account)
            #expect(steps.map(\.stage) == [.stored] + stages)
            #expect(steps.map(\.at) == (1...stages.count + 1).map { Timestamp.at(Int64($0)) })
            #expect(steps.filter { $0.stage == .shown }.allSatisfy { $0.detail == "17" })
        }
    }

    @Test(arguments: LedgerStage.allCases)
    func `Every ledger stage is unchanged after storing and loading`(stage: LedgerStage) throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.messages.insert(
                .reply("m"), account: fixture.account, stage: stage, pending: false, at: .at(1))
            #expect(try $0.messages.find("m").map(\.stage) == [stage])
        }
    }

    @Test func `The reason for a ledger step is unchanged after it is stored and loaded`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write { transaction in
            let row = try transaction.messages.insert(
                .reply("m"), account: account, isOwn: true, isNote: false, stage: .stored, reason: .answered,
                isPending: true, at: .at(1))
            try transaction.ledger.append(
                .held, reason: .notShown, detail: "rule 1", at: .at(2), to: "m", in: "c1", account: account)
            _ = try transaction.ledger.appendIfPending(
                .shown, reason: .summary, detail: "notification 7", at: .at(3),
                toRow: try #require(row), isPendingAfterwards: false)
            #expect(
                try transaction.ledger.fetchSteps(of: "m", in: "c1", account: account) == [
                    LedgerEntry(at: .at(1), stage: .stored, reason: .answered),
                    LedgerEntry(at: .at(2), stage: .held, reason: .notShown, detail: "rule 1"),
                    LedgerEntry(at: .at(3), stage: .shown, reason: .summary, detail: "notification 7"),
                ])
        }
    }

    @Test func `A ledger step for an unknown message is refused`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction throws in
            #expect(
                try !transaction.ledger.append(.read, at: .at(1), to: "m", in: "c1", account: fixture.account)
            )
            #expect(try transaction.ledger.fetchSteps(of: "m", in: "c1", account: fixture.account).isEmpty)
        }
    }

    @Test func `A ledger step can be added to several messages in one call`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for id in ["a", "b", "c"] {
                try transaction.messages.insert(
                    .reply(id), account: fixture.account, stage: .shown, pending: true, at: .at(1))
            }
            try transaction.ledger.append(
                .read, at: .at(2), to: ["a", "c", "gone"], in: "c1", account: fixture.account,
                isPendingAfterwards: false)
            let stages = try transaction.messages.fetchNewest(in: "c1", account: fixture.account).map(\.stage)
            #expect(stages == [.read, .shown, .read])
            #expect(try transaction.messages.fetchPending(limit: 9).map(\.message.id) == ["b"])
        }
    }

    @Test func `Pending messages are returned in the order in which they arrived`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for (number, conversation) in ["c2", "c1", "c2", "c3"].enumerated() {
                try transaction.messages.insert(
                    .reply("m\(number)", in: Conversation.ID(conversation), at: Int64(100 - number)),
                    account: fixture.account, stage: .stored, pending: number != 3, at: .at(1))
            }
            func ids(_ limit: Int) throws -> [Message.ID] {
                try transaction.messages.fetchPending(limit: limit).map(\.message.id)
            }
            #expect(try ids(2) == ["m0", "m1"])
            #expect(try ids(9) == ["m0", "m1", "m2"])
        }
    }

    @Test func `Adding a step to many messages in one call is equivalent to adding it to each message`()
        throws
    {
        let fixture = try StoreFixture()
        let account = fixture.account
        let ids = (0..<1000).map { Message.ID("m\($0)") }
        try fixture.store.write { transaction in
            for id in ids {
                try transaction.messages.insert(
                    .reply(id.rawValue), account: account, stage: .stored, pending: true, at: .at(1))
            }
            // The step must not be added to a message with the same ID in another conversation.
            try transaction.messages.insert(
                .reply("m7", in: "c2"), account: account, stage: .stored, pending: true, at: .at(1))
            try transaction.ledger.append(.announcing, at: .at(2), to: "m3", in: "c1", account: account)
            try transaction.ledger.append(
                .read, detail: "here", at: .at(3), to: ids + ["unknown"], in: "c1", account: account,
                isPendingAfterwards: false)
            for id in ids {
                let steps = try transaction.ledger.fetchSteps(of: id, in: "c1", account: account)
                #expect(
                    steps.map(\.stage) == (id == "m3" ? [.stored, .announcing, .read] : [.stored, .read]))
                #expect(steps.last?.detail == "here" && steps.last?.at == .at(3))
            }
            let pending = try transaction.messages.fetchPending(limit: 9)
            #expect(pending.map(\.message.conversation) == ["c2"])
        }
    }

    @Test func `All pending messages are returned, even if many other messages follow`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        var expected: Set<Message.ID> = []
        for number in 1...700 {
            let (id, isPending) = (Message.ID("m\(number)"), number % 50 == 0 || number % 256 < 2)
            try fixture.store.write { transaction throws in
                try transaction.messages.insert(
                    .reply(id.rawValue), account: account, stage: .stored, pending: isPending, at: .at(1))
                if isPending { expected.insert(id) }
                if number % 150 == 0 {
                    try transaction.ledger.append(
                        .shown, at: .at(1), to: Message.ID("m\(number - 50)"), in: "c1", account: account,
                        isPendingAfterwards: false)
                    try transaction.ledger.append(.held, at: .at(1), to: id, in: "c1", account: account)
                    expected.subtract([id, Message.ID("m\(number - 50)")])
                }
            }
            let found = try fixture.store.read { try $0.messages.fetchPending(limit: 99) }
            #expect(Set(found.map(\.message.id)) == expected && found.count == expected.count)
            #expect(found.map(\.row) == found.map(\.row).sorted())
        }
        let held = try fixture.store.read { try $0.messages.fetchHeld(limit: 99).map(\.message.id) }
        #expect(held == ["m150", "m300", "m450", "m600"])
    }
}
