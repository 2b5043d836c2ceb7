import Foundation
import TestSupport
import Testing

/// Tests that change the machine's time zone while programs are running.
struct TimeZoneTests {
    @Test(.enabled(if: Namespace.mounts.isPossible, "mount namespaces cannot be made here (unshare -rm)"))
    func `The suite InAnotherZoneTests passes in a mount namespace`() async throws {
        guard !Namespace.mounts.isEntered else { return }
        let child = try Namespace.mounts.run(suite: "InAnotherZoneTests")
        let code = try await child.waitForExit()
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("1 test "), "\(output)")
    }
}

@Suite(.enabled(if: Namespace.mounts.isEntered, "run by TimeZoneTests"))
struct InAnotherZoneTests {
    private static let env = "/usr/bin/env"

    /// Starts a program. Its environment does not contain `TZ`, which would override the machine's time zone.
    private func begin(_ product: String, _ arguments: [String], _ environment: [String: String]) throws
        -> SpawnedProgram
    {
        try SpawnedProgram(
            Self.env, ["-u", "TZ", BuiltProduct.path(of: product)] + arguments, environment: environment)
    }

    @Test func `Programs that are running apply a changed time zone within 30 s`() async throws {
        let machine = try Machine()
        try machine.move(to: "Etc/UTC")
        let hour = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: .now).hour ?? 0
        func clock(_ hour: Int) -> String { String(format: "%02d:00", (hour + 24) % 24) }
        let quiet = "\(clock(hour + 5))-\(clock(hour + 8))"
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            try fixture.configure("notifications: {quiet_hours: \"\(quiet)\"}")
            try await fixture.daemon.start(under: [Self.env, "-u", "TZ"])
            try await fixture.daemon.waitUntilConnected()
            let conversation = try await fixture.daemon.startConversation("Question", "What time is it?")
            let bar = try begin("cutied", ["ctl", "watch", "--waybar"], fixture.daemon.environment)
            let log = try begin("cutied", ["ctl", "watch"], fixture.daemon.environment)
            let window = try begin(
                "cutied-inbox", [conversation], fixture.daemon.environment.merging(user.environment) { $1 })
            try await bar.last { $0.class == "none" }
            try await user.waitFor(.row("What time is it?"))
            let before = try await user.readText(.row("What time is it?"))

            try machine.move(to: "Etc/GMT-6")
            try await eventually("the status bar shows the changed end of quiet hours", within: .seconds(30))
            {
                // If quiet hours end after midnight, the line also contains the date.
                let end = try Regex("quiet hours until ([0-9-]+ )?" + clock(hour + 8))
                return bar.lines.last?.contains(end) == true
            }
            try await eventually("the window shows another time", within: .seconds(30)) {
                try await user.readText(.row("What time is it?")) != before
            }
            try await fixture.sandbox.reply("Late", in: conversation)
            try await eventually("the log") { log.lines.contains { $0.contains("message.created") } }
            let line = try #require(log.lines.last { $0.contains("message.created") })
            // Accepts two values, because the hour may change during the test.
            #expect(
                [hour + 6, hour + 7].contains { line.contains(String(format: " %02d:", $0 % 24)) }, "\(line)")
            #expect(window.isRunning)
        }
    }
}

/// A copy of /etc in this mount namespace. The test can change the time zone in the copy.
private final class Machine {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let copy = directory.file("etc")
        try #require(system("cp -a /etc \(copy) && mount --bind \(copy) /etc") == 0)
    }

    deinit { _ = system("umount -l /etc") }

    /// Replaces the link to the time zone atomically, as timedatectl does.
    func move(to zone: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "/etc/.localtime.new", withDestinationPath: "/usr/share/zoneinfo/" + zone)
        try #require(rename("/etc/.localtime.new", "/etc/localtime") == 0)
    }
}
