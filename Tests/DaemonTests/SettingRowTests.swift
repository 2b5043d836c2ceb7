import AttestationFormat
import CutieAPI
import NotificationPolicy
import Reasons
import Store
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

/// Tests that stored settings keep their format: rows of earlier versions can be read, and new rows have the
/// same bytes.
@MainActor
struct SettingRowTests {
    private let fixture: IngestFixture
    private let token = String(repeating: "ab", count: 16)

    init() throws { fixture = try IngestFixture() }

    @Test func `The stored format of the attestation key is the same as in released versions`() throws {
        let text = #"{"counter":7,"environment":"software","keyID":"ab","wasReset":false}"#
        try set("attestation", of: fixture.account, text)
        let setting = AttestationRecord.storedSetting(of: fixture.account)
        let former = AttestationRecord(keyID: "ab", environment: .software, counter: 7)
        #expect(try fixture.store.read { try $0.settings.fetchValue(of: setting) } == former)
        try fixture.store.write { try $0.settings.setValue(of: setting, to: former) }
        #expect(try row("attestation", of: fixture.account) == text)
    }

    @Test func `The stored format of the user's identity is the same as in released versions`() throws {
        let text = #"{"id":"u/1","name":"Ann"}"#
        try set("user", of: fixture.account, text)
        let profile = try unit().profile
        #expect(profile.userID == "u/1" && profile.userName == "Ann")
        try profile.clear()
        #expect(try row("user", of: fixture.account) == nil)
        try profile.update(id: "u/1", name: "Ann")
        #expect(try row("user", of: fixture.account) == text)
    }

    @Test func `The stored format of the push token is the same as in released versions`() async throws {
        let text = #"{"refusal":"no","toldAt":1780000000000,"token":"\#(token)"}"#
        try set("push", of: fixture.account, text)
        let push = try unit().push
        let former = PushRequest(
            token: PushToken(rawValue: token), toldAt: .base, refusal: StoredReason(.text("no")))
        #expect(try push.readRequest() == former)
        #expect(try await push.setPushToken(former.token, within: .zero))
        #expect(try row("push", of: fixture.account) == #"{"token":"\#(token)"}"#)
    }

    @Test func `The stored format of the subscription is the same as in released versions`() throws {
        let usage = #"{"billing_period":"2026-11","tier":"pro","usage":{"message_count":3}}"#
        let text = #"{"fetchedAt":1780000000000,"usage":\#(usage)}"#
        try set("subscription", of: fixture.account, text)
        let setting = StoredSubscription.storedSetting(of: fixture.account)
        let known = try #require(try fixture.store.read { try $0.settings.fetchValue(of: setting) })
        #expect(known.fetchedAt == .base && known.usage.tier == .pro && known.usage.usage.messageCount == 3)
        try fixture.store.write { try $0.settings.setValue(of: setting, to: known) }
        #expect(try row("subscription", of: fixture.account) == text)
    }

    @Test func `The stored format of a pause is the same as in released versions`() throws {
        let text = #"{"isPrivate":true,"until":1780000060000}"#
        try set("pause", text)
        let switches = fixture.queue().notificationController
        let former = try #require(switches.currentPause(at: fixture.runtime.clockReading))
        #expect(former.isPrivate)
        let until = try #require(former.wallClockEndTime(using: fixture.runtime.clockReading))
        #expect(abs(until.milliseconds - Timestamp.base(plus: 60).milliseconds) < 30_000)
        try switches.setPause(nil)
        #expect(try row("pause") == nil)
    }

    @Test func `A stored setting with invalid JSON counts as missing`() throws {
        for (name, account) in [("user", fixture.account), ("push", fixture.account), ("pause", nil)] {
            try set(name, of: account, #"{"id":7,"token":"short"}"#)
        }
        let unit = try unit()
        #expect(unit.profile.userID == nil)
        #expect(try unit.push.readRequest() == nil)
        #expect(fixture.queue().notificationController.currentPause(at: fixture.runtime.clockReading) == nil)
    }

    private func set(_ name: String, of account: AccountID? = nil, _ text: String) throws {
        try fixture.store.write { try $0.settings.setText(ofSetting: name, account: account, to: text) }
    }

    private func row(_ name: String, of account: AccountID? = nil) throws -> String? {
        try fixture.store.read { try $0.settings.fetchText(ofSetting: name, account: account) }
    }

    private func unit() throws -> AccountUnit { try #require(try fixture.accounts().units.first) }
}
