import CutieAPI
import Testing

@_spi(Log) @testable import Store

struct LedgerTests {
    @Test func `The steps of a message are stored in order`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write {
            try $0.messages.insert(.reply("m"), account: account, stage: .received, pending: true, at: .at(1))
            #expect(try $0.ledger.append(.announcing, at: .at(1), to: "m", in: "c1", account: account))
            #expect(
                try $0.ledger.append(
                    .shown, detail: "17", at: .at(1), to: "m", in: "c1", account: account,
                    pending: false))
            #expect(
                try $0.ledger.steps(of: "m", in: "c1", account: account) == [
                    LedgerEntry(at: .at(1), stage: .received), LedgerEntry(at: .at(1), stage: .announcing),
                    LedgerEntry(at: .at(1), stage: .shown, detail: "17"),
                ])
            let message = try $0.messages.find("m").first
            #expect(message?.stage == .shown && message?.pending == false)
        }
    }

    @Test(arguments: Stage.allCases)
    func `Every stage is read as it was written`(stage: Stage) throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.messages.insert(
                .reply("m"), account: fixture.account, stage: stage, pending: false, at: .at(1))
            #expect(try $0.messages.find("m").map(\.stage) == [stage])
        }
    }

    @Test func `A step's reason is read as it was written`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write { transaction in
            let row = try transaction.messages.insert(
                .reply("m"), account: account, isOwn: true, isNote: false, stage: .stored, reason: .answered,
                pending: true, at: .at(1))
            try transaction.ledger.append(
                .held, reason: .notShown, detail: "rule 1", at: .at(2), to: "m", in: "c1", account: account)
            _ = try transaction.ledger.appendToPending(
                .shown, reason: .summary, detail: "pop-up 7", at: .at(3),
                to: try #require(row), pending: false)
            #expect(
                try transaction.ledger.steps(of: "m", in: "c1", account: account) == [
                    LedgerEntry(at: .at(1), stage: .stored, reason: .answered),
                    LedgerEntry(at: .at(2), stage: .held, reason: .notShown, detail: "rule 1"),
                    LedgerEntry(at: .at(3), stage: .shown, reason: .summary, detail: "pop-up 7"),
                ])
        }
    }

    @Test func `A step for an unknown message is refused`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction throws in
            #expect(
                try !transaction.ledger.append(.read, at: .at(1), to: "m", in: "c1", account: fixture.account)
            )
            #expect(try transaction.ledger.steps(of: "m", in: "c1", account: fixture.account).isEmpty)
        }
    }

    @Test func `One step is added to a list of messages`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for id in ["a", "b", "c"] {
                try transaction.messages.insert(
                    .reply(id), account: fixture.account, stage: .shown, pending: true, at: .at(1))
            }
            try transaction.ledger.append(
                .read, at: .at(2), to: ["a", "c", "gone"], in: "c1", account: fixture.account,
                pending: false)
            let stages = try transaction.messages.newest(in: "c1", account: fixture.account).map(\.stage)
            #expect(stages == [.read, .shown, .read])
            #expect(try transaction.messages.pending(held: false, limit: 9).map(\.message.id) == ["b"])
        }
    }

    @Test func `Pending messages are read in order of arrival`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for (number, conversation) in ["c2", "c1", "c2", "c3"].enumerated() {
                try transaction.messages.insert(
                    .reply("m\(number)", in: Conversation.ID(conversation), at: Int64(100 - number)),
                    account: fixture.account, sequence: Int64(number), stage: .stored, pending: number != 3,
                    at: .at(1))
            }
            func ids(_ limit: Int) throws -> [Message.ID] {
                try transaction.messages.pending(held: false, limit: limit).map(\.message.id)
            }
            #expect(try ids(2) == ["m0", "m1"])
            #expect(try ids(9) == ["m0", "m1", "m2"])
        }
    }
}
