import Foundation
import TestSupport
import Testing

/// Tests of the status icon with a recording tray and a recording launcher.
@Suite struct `The status icon` {
    private static let launcher = "application://io.cutied.Inbox.desktop"

    /// Runs `body` with a daemon, a tray and the indicator.
    private func with(
        _ configuration: String = "",
        _ body: (EndToEndFixture, RecordingTray, SpawnedProgram, Window) async throws -> Void
    ) async throws {
        try await EndToEndFixture.with({ $0.configuration = configuration }) { fixture in
            let tray = try await RecordingTray(on: fixture.bus)
            let window = try Window()
            let indicator = try start(in: fixture, window)
            try await eventually("the icon; \(indicator.standardError)") { !tray.registrations.isEmpty }
            try await body(fixture, tray, indicator, window)
            indicator.signal(SIGTERM)
            #expect(try await indicator.waitForExit() == 0)
            #expect(indicator.standardError == "")
        }
    }

    private func start(in fixture: EndToEndFixture, _ window: Window) throws -> SpawnedProgram {
        try SpawnedProgram(
            BuiltProduct.path(of: "cutied-indicator"), [],
            environment: fixture.daemon.environment.merging(window.environment) { $1 })
    }

    /// A fake `cutied-inbox` that records its arguments and its activation token.
    private struct Window {
        let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
            try installScript(
                "#!/bin/sh\necho \"$* $XDG_ACTIVATION_TOKEN\" >>\"\(directory.file("shown"))\"\n",
                at: directory.file("cutied-inbox"))
        }

        var environment: [String: String] { ["PATH": directory.path + ":/usr/local/bin:/usr/bin:/bin"] }

        func shows(_ line: String) async throws {
            try await eventually("the window: \(line)") {
                (try? String(contentsOfFile: directory.file("shown"), encoding: .utf8))?
                    .split(separator: "\n").contains { $0 == line } == true
            }
        }
    }

    private func labels(_ menu: [RecordingTray.Item]) -> [String] {
        menu.map(\.label).filter { !$0.isEmpty }
    }

    @Test
    func `The indicator shows the count and conversations, and registers again after the tray restarts`()
        async throws
    {
        try await with { fixture, tray, _, window in
            try await eventually("no reply is unread") {
                try await tray.fetchAppearance().heading == "No unread messages"
            }
            #expect(try await !tray.fetchAppearance().itemIsMenu)
            let conversation = try await fixture.daemon.startConversation("Snake_case & more")
            try await fixture.sandbox.reply("First", in: conversation)
            try await fixture.sandbox.reply("Second", in: conversation)
            try await eventually("two replies") {
                try await tray.fetchAppearance().heading == "2 unread replies"
            }
            let look = try await tray.fetchAppearance()
            #expect(look.icon == "io.cutied.Inbox-unread-symbolic")
            #expect(look.label == "2")
            let count = RecordingTray.Count(uri: Self.launcher, count: 2, isVisible: true)
            try await eventually("the launcher's count") { tray.counts.last == count }
            #expect(
                labels(try await tray.menu()) == [
                    "2 unread replies", "Snake__case & more — Second", "Open Inbox", "New Feedback",
                    "Mark All as Read", "Pause Notifications", "Quit",
                ])

            let (known, sent) = (tray.registrations.count, tray.counts.count)
            try await tray.restart()
            try await eventually("a second registration") { tray.registrations.count > known }
            try await eventually("the count for the new launcher") { tray.counts.count > sent }
            #expect(tray.counts.last == count)
            #expect(try await tray.fetchAppearance() == look)

            try await tray.choose("Snake__case & more — Second")
            try await window.shows("cutie://conversation/\(conversation)?account=default ")
        }
    }

    @Test func `Each menu item of the indicator performs its action`() async throws {
        try await with { fixture, tray, indicator, window in
            let conversation = try await fixture.daemon.startConversation("Effects")
            try await fixture.sandbox.reply("Unread", in: conversation)
            try await eventually("a reply") { try await tray.fetchAppearance().heading == "1 unread reply" }
            try await tray.click(token: "token-7")
            try await window.shows(" token-7")
            try await tray.choose("Open Inbox")
            try await window.shows(" ")
            try await tray.choose("New Feedback")
            try await window.shows("--compose ")

            try await tray.choose("For 1 Hour")
            try await eventually("the pause") {
                try await tray.fetchAppearance().icon == "io.cutied.Inbox-paused-symbolic"
            }
            let status = try await fixture.daemon.fetchStatus()
            #expect(status.paused)
            let pauseItems = try await tray.menu().first { $0.label == "Pause Notifications" }?.children
            #expect(labels(pauseItems ?? []) == ["For 1 Hour", "Until Tomorrow", "Resume"])
            try await tray.choose("Resume")
            try await eventually("the end of the pause") {
                try await tray.fetchAppearance().icon == "io.cutied.Inbox-unread-symbolic"
            }
            try await tray.choose("Until Tomorrow")
            try await eventually("the next pause") {
                try await tray.fetchAppearance().icon == "io.cutied.Inbox-paused-symbolic"
            }
            try await tray.choose("Resume")
            try await eventually("the icon") {
                try await tray.fetchAppearance().icon == "io.cutied.Inbox-unread-symbolic"
            }

            try await tray.choose("Mark All as Read")
            try await eventually("no reply is unread") {
                try await tray.fetchAppearance().heading == "No unread messages"
            }
            try await eventually("no count") { tray.counts.last?.isVisible == false }
            try await tray.choose("Quit")
            #expect(try await indicator.waitForExit() == 0)
        }
    }

    @Test
    func `The menu contains no conversation titles if previews are set to "count", even after a reload`()
        async throws
    {
        try await with { fixture, tray, _, _ in
            let conversation = try await fixture.daemon.startConversation("Salary")
            try await fixture.sandbox.reply("Secret", in: conversation)
            try await eventually("the name") {
                labels(try await tray.menu()).contains("Salary — Secret")
            }
            try fixture.configure("notifications: {preview: count}")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await eventually("no name") {
                !labels(try await tray.menu()).contains { $0.contains("Salary") }
            }
            #expect(try await tray.fetchAppearance().heading == "1 unread reply")
        }
    }

    @Test
    func `The indicator reconnects to a restarted daemon, and clears the launcher's count on exit`()
        async throws
    {
        try await with { fixture, tray, indicator, _ in
            let conversation = try await fixture.daemon.startConversation("Restart")
            try await fixture.sandbox.reply("Unread", in: conversation)
            try await eventually("a reply") { try await tray.fetchAppearance().heading == "1 unread reply" }
            try await fixture.daemon.stop()
            try await eventually("no daemon") {
                try await tray.fetchAppearance().heading == "Cuti-E is not running"
            }
            try await fixture.daemon.start()
            try await eventually("one unread reply is shown again") {
                try await tray.fetchAppearance().heading == "1 unread reply"
            }
            indicator.signal(SIGTERM)
            #expect(try await indicator.waitForExit() == 0)
            let none = RecordingTray.Count(uri: Self.launcher, count: 0, isVisible: false)
            try await eventually("the count is cleared") { tray.counts.last == none }
        }
    }

    @Test func `A second indicator exits without affecting the first indicator`() async throws {
        try await with { fixture, tray, indicator, window in
            let second = try start(in: fixture, window)
            #expect(try await second.waitForExit() == 0)
            #expect(indicator.isRunning)
            #expect(tray.registrations.count == 1)
        }
    }

    @Test func `The indicator exits without an error if there is no session bus or the bus disappears`()
        async throws
    {
        try await with { fixture, tray, indicator, window in
            try await fixture.killBus()
            #expect(try await indicator.waitForExit() == 0)
            let other = try start(in: fixture, window)
            #expect(try await other.waitForExit() == 0)
            #expect(other.standardError == "")
            try await fixture.restartBus()
            withExtendedLifetime(tray) {}
        }
    }

    @Test(.timeLimit(.minutes(10))) func `The indicator causes no wakeups while idle`() async throws {
        try await with { fixture, tray, indicator, _ in
            try await eventually("the state") {
                try await tray.fetchAppearance().heading == "No unread messages"
            }
            var wakes: [Int] = []
            while wakes.count < 4, wakes.last != 0 {
                let before = try contextSwitches(of: indicator.pid)
                try await Task.sleep(for: .seconds(10))
                wakes.append(try contextSwitches(of: indicator.pid) - before)
            }
            #expect(wakes.last == 0, "\(wakes)")
            withExtendedLifetime(fixture) {}
        }
    }

    /// Returns the number of voluntary context switches of all threads.
    private func contextSwitches(of pid: Int32) throws -> Int {
        let directory = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, thread in
            let text = try String(contentsOfFile: "\(directory)/\(thread)/status", encoding: .utf8)
            return sum
                + text.matches(of: /^voluntary_ctxt_switches:\s+(\d+)/.anchorsMatchLineEndings())
                .reduce(0) { $0 + (Int($1.1) ?? 0) }
        }
    }
}
