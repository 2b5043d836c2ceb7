import CutieAPI
import Testing

@testable import Store

struct StoredSettingTests {
    private struct Lamp: Codable, Equatable {
        var watts: Int
        var colour: String?
    }

    private let lamp = StoredSetting<Lamp>("lamp")

    @Test func `A setting is stored as JSON with sorted keys, and can be removed`() throws {
        let fixture = try StoreFixture()
        #expect(try fixture.store.read { try $0.settings.fetchValue(of: lamp) } == nil)
        try fixture.store.write { try $0.settings.setValue(of: lamp, to: Lamp(watts: 5, colour: "a/b")) }
        #expect(
            try fixture.store.read { try $0.settings.fetchText(ofSetting: "lamp") }
                == #"{"colour":"a/b","watts":5}"#)
        #expect(
            try fixture.store.read { try $0.settings.fetchValue(of: lamp) } == Lamp(watts: 5, colour: "a/b"))
        try fixture.store.write { try $0.settings.setValue(of: lamp, to: nil) }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "lamp") } == nil)
    }

    @Test(arguments: ["", "on", "{}", #"{"watts":"5"}"#])
    func `A stored setting that cannot be decoded counts as missing`(_ text: String) throws {
        let fixture = try StoreFixture()
        try fixture.store.write { try $0.settings.setText(ofSetting: "lamp", to: text) }
        #expect(try fixture.store.read { try $0.settings.fetchValue(of: lamp) } == nil)
    }

    @Test func `Each account has separate settings`() throws {
        let fixture = try StoreFixture()
        let other = try fixture.store.write { try $0.makeAccount("other") }
        try fixture.store.write {
            try $0.settings.setValue(of: StoredSetting("lamp", of: other), to: Lamp(watts: 7))
        }
        #expect(
            try fixture.store.read { try $0.settings.fetchText(ofSetting: "lamp", account: other) }
                == #"{"watts":7}"#)
        let own = StoredSetting<Lamp>("lamp", of: fixture.account)
        #expect(try fixture.store.read { try $0.settings.fetchValue(of: own) } == nil)
        #expect(try fixture.store.read { try $0.settings.fetchValue(of: lamp) } == nil)
        try fixture.store.write {
            try $0.settings.setValue(of: StoredSetting<Lamp>("lamp", of: other), to: nil)
        }
        #expect(
            try fixture.store.read { try $0.settings.fetchText(ofSetting: "lamp", account: other) } == nil)
    }
}
