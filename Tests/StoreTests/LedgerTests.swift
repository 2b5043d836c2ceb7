import CutieAPI
import Testing

@testable import Store

struct LedgerTests {
    @Test func `The steps of a message are kept in order, from the first`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write {
            try $0.insert(.reply("m"), account: account, stage: .received, pending: true, at: .at(1))
            #expect(try $0.append(step: .announcing, at: .at(1), to: "m", in: "c1", account: account))
            #expect(
                try $0.append(
                    step: .shown, detail: "17", at: .at(1), to: "m", in: "c1", account: account,
                    pending: false))
            #expect(
                try $0.steps(of: "m", in: "c1", account: account) == [
                    LedgerStep(at: .at(1), stage: .received), LedgerStep(at: .at(1), stage: .announcing),
                    LedgerStep(at: .at(1), stage: .shown, detail: "17"),
                ])
            let message = try $0.message("m").first
            #expect(message?.stage == .shown && message?.pending == false)
        }
    }

    @Test(arguments: Stage.allCases)
    func `Every stage is read as it was written`(stage: Stage) throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.insert(.reply("m"), account: fixture.account, stage: stage, pending: false, at: .at(1))
            #expect(try $0.message("m").map(\.stage) == [stage])
        }
    }

    @Test func `A step of an unknown message is refused`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction throws in
            #expect(
                try !transaction.append(step: .read, at: .at(1), to: "m", in: "c1", account: fixture.account))
            #expect(try transaction.steps(of: "m", in: "c1", account: fixture.account).isEmpty)
        }
    }

    @Test func `One step goes to a list of messages`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for id in ["a", "b", "c"] {
                try transaction.insert(
                    .reply(id), account: fixture.account, stage: .shown, pending: true, at: .at(1))
            }
            try transaction.append(
                step: .read, at: .at(2), to: ["a", "c", "gone"], in: "c1", account: fixture.account,
                pending: false)
            let stages = try transaction.messages(in: "c1", account: fixture.account).map(\.stage)
            #expect(stages == [.read, .shown, .read])
            #expect(try transaction.pendingMessages(held: false, limit: 9).map(\.message.id) == ["b"])
        }
    }

    @Test func `What is pending is read in the order it came`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            for (number, conversation) in ["c2", "c1", "c2", "c3"].enumerated() {
                try transaction.insert(
                    .reply("m\(number)", in: Conversation.ID(conversation), at: Int64(100 - number)),
                    account: fixture.account, sequence: Int64(number), stage: .stored, pending: number != 3,
                    at: .at(1))
            }
            func ids(_ limit: Int) throws -> [Message.ID] {
                try transaction.pendingMessages(held: false, limit: limit).map(\.message.id)
            }
            #expect(try ids(2) == ["m0", "m1"])
            #expect(try ids(9) == ["m0", "m1", "m2"])
        }
    }
}
