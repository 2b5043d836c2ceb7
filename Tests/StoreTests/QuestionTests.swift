import CutieAPI
import Testing

@testable import Store

struct QuestionTests {
    @Test func `A question is open until it is answered, and is answered once`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let id = try $0.ask("app", about: "secret", byPopup: true, at: .at(1))
            #expect(try $0.openQuestions().map(\.subject) == ["secret"])
            #expect(try $0.answer(id, with: .allow, at: .at(2)))
            #expect(try !$0.answer(id, with: .refuse, at: .at(3)))
            #expect(try $0.openQuestions().isEmpty)
            let record = try $0.newestQuestion(of: "app")
            #expect(record?.answer == .allow && record?.answeredAt == .at(2))
            #expect(record?.subject == nil)
        }
    }

    @Test func `To close a question is no answer: a click that comes after it counts`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let id = try $0.ask("consent", about: nil, byPopup: true, at: .at(1))
            #expect(try $0.answer(id, with: .closed, at: .at(2)))
            #expect(try $0.openQuestions().isEmpty)
            #expect(try $0.answer(id, with: .allow, at: .at(3)))
        }
    }

    @Test func `The pop-up of a question is kept with what its id is valid for`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let id = try $0.ask("consent", about: nil, byPopup: true, at: .at(1))
            try $0.setPopup(.max, session: "s", ofQuestion: id)
            let record = try $0.question(id)
            #expect(record?.notification == .max && record?.session == "s")
        }
    }

    @Test func `An app is added under one name and can be removed`() throws {
        let fixture = try StoreFixture()
        let app = AppRecord(
            name: "notes", appID: "app_1", apiURL: "https://a.example", appName: "Notes", groupID: nil,
            addedAt: .at(1))
        try fixture.store.write { try $0.add(app) }
        #expect(throws: StoreError.self) { try fixture.store.write { try $0.add(app) } }
        #expect(try fixture.store.read { try $0.apps() } == [app])
        #expect(try fixture.store.write { try $0.removeApp("notes") })
        #expect(try !fixture.store.write { try $0.removeApp("notes") })
    }

    @Test func `Another device of an account begins from nothing`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.setCursor("1", of: fixture.account)
            try $0.setDeviceID("device_new", of: fixture.account)
            let record = try $0.account(fixture.account)
            #expect(record?.deviceID == "device_new" && record?.cursor == nil)
            try $0.setCursor("2", of: fixture.account)
            try $0.setDeviceID("device_new", of: fixture.account)
            #expect(try $0.account(fixture.account)?.cursor == "2")
        }
    }
}
