import ControlAPI
import ControlClient
import Foundation
import InboxModel
import Platform
import Setup
import TestSupport
import Testing

@testable import Window

/// Tests of the feedback form with a real daemon and without widgets. The tests cover all combinations of
/// filled, blank and emptied fields.
@Suite struct `The fields of the feedback form` {
    /// The state machine of the window. Its calls are sent to the daemon.
    private struct InboxFixture {
        let daemon: DaemonClient
        var state = InboxState(calendar: LocalCalendar { _ in 0 })

        mutating func showToast(_ inputs: InboxModel.Input...) async {
            for input in inputs {
                var actions = state.handle(input, now: 0)
                while !actions.isEmpty {
                    guard case .call(let call) = actions.removeFirst() else { continue }
                    actions += state.handle(await daemon.performCall(call), now: 0)
                }
            }
        }
    }

    /// All combinations of the title, the name and the contact, each of which is empty, filled in or blank.
    private static let subsets = product(["", "Ada", " "], 3)

    private static func product(_ values: [String], _ count: Int) -> [[String]] {
        guard count > 0 else { return [[]] }
        return product(values, count - 1).flatMap { row in values.map { row + [$0] } }
    }

    private static var key: String { UUID().uuidString.lowercased() }

    @Test(.timeLimit(.minutes(10)))
    func `Each combination of field values is sent unchanged, and a field can be emptied again`() async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "user_name: Configured" }) { home in
            let daemon = DaemonClient(path: home.daemon.socketFile, timeout: .seconds(5))
            var fixture = InboxFixture(daemon: daemon)
            await fixture.showToast(await daemon.performCall(.status))
            var expected: [[String?]] = []
            for subset in Self.subsets {
                await fixture.showToast(
                    .form(.open), .form(.title(subset[0])), .form(.name(subset[1])),
                    .form(.contact(subset[2])), .form(.text(" ")), .form(.send(key: Self.key)))
                #expect(fixture.state.formView?.shownProblem == .noText)
                await fixture.showToast(.form(.text("Words")), .form(.send(key: Self.key)))
                #expect(fixture.state.formView == nil, "\(subset)")
                let values = subset.map { $0 == "Ada" ? $0 : nil }
                expected.append(values)
                let received = try await home.sandbox.fetchThreads().map {
                    [$0.title, $0.user_name, $0.user_id]
                }
                #expect(Self.counts(received) == Self.counts(expected), "\(subset)")
                let user = try await daemon.call(GetUser()).reply
                #expect([user.userName, user.userId] == Array(values.dropFirst()))
            }
        }
    }

    private static func counts(_ rows: [[String?]]) -> [[String?]: Int] {
        Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test(.timeLimit(.minutes(10)))
    func `A field that is too long or has several lines is reported before anything is sent`() async throws {
        try await EndToEndFixture.with { home in
            let daemon = DaemonClient(path: home.daemon.socketFile, timeout: .seconds(5))
            var fixture = InboxFixture(daemon: daemon)
            await fixture.showToast(await daemon.performCall(.status))
            await fixture.showToast(.form(.open), .form(.text("Words")))
            let long = String(repeating: "x", count: 257)
            let rows: [(FormInput, FormInput, FormView.Problem)] = [
                (.name(long), .name(""), .tooLong(.name)), (.contact(long), .contact(""), .tooLong(.contact)),
                (.name("a\nb"), .name(""), .notOneLine(.name)),
                (.title(String(repeating: "x", count: 1025)), .title(""), .tooLong(.title)),
            ]
            for (wrong, right, problem) in rows {
                await fixture.showToast(.form(wrong), .form(.send(key: Self.key)))
                #expect(fixture.state.formView?.shownProblem == problem)
                await fixture.showToast(.form(right))
                #expect(fixture.state.formView?.shownProblem == nil)
            }
            let threads = try await home.sandbox.fetchThreads()
            #expect(threads.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The settings page and ctl turn notifications on and off in the same way, without changing a file`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "notifications: {enabled: false}" }) { home in
            let daemon = DaemonClient(path: home.daemon.socketFile, timeout: .milliseconds(300))
            let units = UserUnits(environment: home.daemon.environment)
            let settings = SettingsFile(
                file: ConfigurationFile(environment: home.daemon.environment), daemon: daemon,
                service: DaemonService(daemon: daemon, units: units), units: units)
            let text = try String(contentsOfFile: home.daemon.configurationFile, encoding: .utf8)
            func expect(_ isOn: Bool) async throws {
                guard case .read(let values) = await settings.readSettings() else {
                    Issue.record("the settings were not read")
                    return
                }
                #expect(values.notificationsEnabled == isOn)
                #expect(try await home.daemon.fetchStatus().notifications == isOn)
                #expect(try String(contentsOfFile: home.daemon.configurationFile, encoding: .utf8) == text)
            }
            try await expect(false)
            #expect(await settings.saveSetting(.notificationsEnabled(true)) == .saved(isForLater: false))
            try await expect(true)
            #expect(try await home.daemon.ctl("notifications", "off").code == 0)
            try await expect(false)
            #expect(await settings.saveSetting(.notificationsEnabled(true)) == .saved(isForLater: false))
            #expect(try await home.daemon.ctl("reload").code == 0)
            try await expect(true)
            try await home.daemon.stop()
            guard case .read(let values) = await settings.readSettings() else {
                Issue.record("the settings were not read")
                return
            }
            #expect(values.notificationsEnabled == nil)
            guard case .refused = await settings.saveSetting(.notificationsEnabled(false)) else {
                Issue.record("a switch was accepted without a daemon")
                return
            }
            try await home.daemon.start()
            try await expect(true)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The settings, the form and ctl use the same user name`() async throws {
        try await EndToEndFixture.with({ $0.configuration = "user_name: Configured" }) { home in
            let daemon = DaemonClient(path: home.daemon.socketFile, timeout: .seconds(5))
            let units = UserUnits(environment: home.daemon.environment)
            let settings = SettingsFile(
                file: ConfigurationFile(environment: home.daemon.environment), daemon: daemon,
                service: DaemonService(daemon: daemon, units: units), units: units)
            func expect(_ name: String) async throws {
                var fixture = InboxFixture(daemon: daemon)
                await fixture.showToast(await daemon.performCall(.status), .form(.open))
                #expect(fixture.state.formView?.name == name)
                guard case .read(let values) = await settings.readSettings() else {
                    Issue.record("the settings were not read")
                    return
                }
                #expect(values.names == [.init(account: "default", name: name)])
                let line = name.isEmpty ? "name  not given" : "name  \(name)"
                #expect(try await home.daemon.ctl("user").output.contains(line))
            }
            try await expect("Configured")
            #expect(
                await settings.saveSetting(.name(account: "default", "By Settings"))
                    == .saved(isForLater: false))
            try await expect("By Settings")
            #expect(try await home.daemon.ctl("user", "set", "--name", "By ctl").code == 0)
            try await expect("By ctl")
            var fixture = InboxFixture(daemon: daemon)
            await fixture.showToast(
                await daemon.performCall(.status), .form(.open), .form(.name("By Form")), .form(.text("x")),
                .form(.send(key: Self.key)))
            try await expect("By Form")
            #expect(await settings.saveSetting(.name(account: "default", " ")) == .saved(isForLater: false))
            try await expect("")
            #expect(try await home.daemon.ctl("user", "clear").code == 0)
            try await expect("Configured")
            try await home.daemon.stop()
            guard case .read(let values) = await settings.readSettings() else {
                Issue.record("the settings need no daemon")
                return
            }
            #expect(values.names == nil)
        }
    }
}
