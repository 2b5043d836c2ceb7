import CutieAPI
import Testing

@_spi(Accounts) @_spi(EventLog) @_spi(Notifications) @testable import Store

struct QuestionTests {
    @Test func `A question is open until it is answered, and a second answer is refused`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let id = try $0.questions.insertQuestion(
                ofKind: "app", about: "secret", isAskedByNotification: true, at: .at(1))
            #expect(try $0.questions.fetchOpen().map(\.subject) == ["secret"])
            #expect(try $0.questions.recordAnswer(toQuestion: id, answer: .allow, at: .at(2)))
            #expect(try !$0.questions.recordAnswer(toQuestion: id, answer: .refuse, at: .at(3)))
            #expect(try $0.questions.fetchOpen().isEmpty)
            let record = try $0.questions.findNewest(ofKind: "app")
            #expect(record?.answer == .allow && record?.answeredAt == .at(2))
            #expect(record?.subject == nil)
        }
    }

    @Test func `Closing a question is not an answer, so a later answer is still accepted`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let id = try $0.questions.insertQuestion(
                ofKind: "consent", about: nil, isAskedByNotification: true, at: .at(1))
            #expect(try $0.questions.recordAnswer(toQuestion: id, answer: .closed, at: .at(2)))
            #expect(try $0.questions.fetchOpen().isEmpty)
            #expect(try $0.questions.recordAnswer(toQuestion: id, answer: .allow, at: .at(3)))
        }
    }

    @Test func `An app can be added only once under the same name, and can be removed`() throws {
        let fixture = try StoreFixture()
        let app = HandedOverAccountRecord(
            name: "notes", appID: "app_1", apiURL: "https://a.example", appName: "Notes", groupID: nil,
            addedAt: .at(1))
        try fixture.store.write { try $0.handedOverAccounts.add(app) }
        #expect(throws: StoreError.self) { try fixture.store.write { try $0.handedOverAccounts.add(app) } }
        #expect(try fixture.store.read { try $0.handedOverAccounts.fetchAll() } == [app])
        #expect(try fixture.store.write { try $0.handedOverAccounts.remove(named: "notes") })
        #expect(try !fixture.store.write { try $0.handedOverAccounts.remove(named: "notes") })
    }

    @Test func `Changing the device of an account deletes the cursor`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.accounts.setCursor("1", of: fixture.account)
            try $0.accounts.setDeviceID("device_new", of: fixture.account)
            let record = try $0.accounts.find(fixture.account)
            #expect(record?.deviceID == "device_new" && record?.cursor == nil)
            try $0.accounts.setCursor("2", of: fixture.account)
            try $0.accounts.setDeviceID("device_new", of: fixture.account)
            #expect(try $0.accounts.find(fixture.account)?.cursor == "2")
        }
    }
}
