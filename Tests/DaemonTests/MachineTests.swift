import Config
import CutieAPI
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct MachineTests {
    @Test func `An account sends the device facts that its device context allows`() throws {
        let directory = try TemporaryDirectory()
        let machine = try Machine(
            secrets: .file, directory: directory.path, environment: ["LC_ALL": "de_AT.UTF-8"])
        var account = AccountConfiguration(appID: "app_1")
        account.appVersion = "7.1"
        #expect(machine.collectFacts(for: account) == DeviceFacts())
        account.deviceContext = .minimal
        #expect(machine.collectFacts(for: account) == DeviceFacts(appVersion: "7.1"))
        account.appBuild = "42"
        #expect(machine.collectFacts(for: account) == DeviceFacts(appVersion: "7.1 (42)"))
        account.deviceContext = .standard
        let standard = machine.collectFacts(for: account)
        #expect(standard.language == "de" && standard.country == "AT" && standard.deviceModel == nil)
        account.deviceContext = .fields([.country])
        #expect(machine.collectFacts(for: account) == DeviceFacts(country: "AT"))
    }

    @Test func `The language is read from a session that starts after the daemon`() throws {
        let directory = try TemporaryDirectory()
        let session = Shared<[String: String]>([:])
        let machine = try Machine(
            secrets: .file, directory: directory.path, environment: ["LANG": "C.UTF-8"],
            session: { session.value })
        var account = AccountConfiguration(appID: "app_1")
        account.deviceContext = .fields([.language, .country])
        #expect(machine.collectFacts(for: account) == DeviceFacts())
        session.value = ["LANG": "ja_JP.UTF-8"]
        #expect(machine.collectFacts(for: account) == DeviceFacts(language: "ja", country: "JP"))
    }
}
