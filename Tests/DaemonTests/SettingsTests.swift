import Config
import Logging
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests that a single `Settings` value contains the configuration of all services.
@MainActor
struct SettingsTests {
    private static let all = """
        app_id: app
        history: {days: 7}
        notifications: {max_popups: 2}
        opener: [open-it]
        open_marks_read: false
        rules: [{match: {category: bug}, then: {show: false}}]
        hooks: {on_reply: [tell]}
        questions: false
        presence: [grant]
        access: {enabled: false}
        secrets: file
        log_level: debug
        """

    @Test func `The settings contain every configuration key that applies to all accounts`() throws {
        let configuration = try Configuration(yaml: Self.all, file: "f")
        let options = DaemonOptions(environment: [:])
        let standard = values(of: Settings(Configuration(), options: options))
        let configured = values(of: Settings(configuration, options: options))
        for (name, value) in configured { #expect(value != standard[name], "\(name)") }
        // `Settings` omits the accounts, and the section `window`, which only the window program reads.
        let others = ["accounts", "window"]
        let keys = Mirror(reflecting: configuration).children.compactMap(\.label)
        #expect(configured.count == keys.filter { !others.contains($0) }.count)
    }

    @Test func `The log level of the command line overrides the configuration`() throws {
        let configuration = try Configuration(yaml: Self.all, file: "f")
        let options = DaemonOptions(logLevel: "error", environment: [:])
        #expect(Settings(configuration, options: options).logLevel == .error)
        #expect(Settings(Configuration(), options: DaemonOptions(environment: [:])).logLevel == .info)
    }

    private func values(of settings: Settings) -> [String: String] {
        let fields = Mirror(reflecting: settings).children.map { ($0.label ?? "", "\($0.value)") }
        return Dictionary(fields) { first, _ in first }
    }
}
