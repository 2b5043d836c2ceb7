import Foundation
import TestSupport
import Testing

/// Tests that all programs show the same reason if notifications are held.
@Suite struct `Reasons that hold notifications` {
    @Test
    func `The output of ctl status and ctl watch shows the start and the end of quiet hours without delay`()
        async throws
    {
        let clock = try await SetClock()
        try await EndToEndFixture.with({
            $0.environment = clock.environment
            $0.configuration = "notifications: {quiet_hours: \"22:00-22:01\"}"
        }) { fixture in
            try clock.set(toSecondOfDay: 21 * 3600 + 59 * 60 + 40)
            let evening = try fixture.daemon.startVerb(["watch", "--waybar"])
            try await evening.last { $0.class == "none" }
            try await evening.last {
                $0.class == "paused" && $0.tooltip.contains("Notifications: quiet hours until 22:01")
            }
            let status = try await fixture.daemon.ctl("status")
            #expect(status.output.contains("quiet hours until 22:01"))
            #expect(
                try await fixture.daemon.ctl("status", "--json").output.contains(#""reason":"quietHours""#))
            let text = try await fixture.daemon.ctl("notifications").output
            #expect(text == "notifications quiet hours until 22:01\n")
            evening.signal(SIGKILL)
            try await evening.waitForExit()

            try clock.set(toSecondOfDay: 22 * 3600 + 40)
            let night = try fixture.daemon.startVerb(["watch", "--waybar"])
            try await night.last { $0.class == "paused" }
            try await night.last { $0.class == "none" && !$0.tooltip.contains("Notifications") }
            #expect(try await fixture.daemon.ctl("notifications").output == "notifications on\n")
        }
    }

    @Test func `Watchers are notified when the notification server disappears and returns`() async throws {
        try await EndToEndFixture.with { fixture in
            let bar = try fixture.daemon.startVerb(["watch", "--waybar"])
            try await bar.last { $0.class == "none" }
            try await fixture.notificationServer.killProcess()
            let conversation = try await fixture.daemon.startConversation("Question")
            try await fixture.sandbox.reply("Held", in: conversation)
            try await bar.last { $0.class == "paused" && $0.tooltip.contains("no notification server") }
            #expect(try await fixture.daemon.ctl("status").output.contains("no notification server responds"))
            try await fixture.showNotifications()
            try await eventually("the notification server is found", within: .seconds(60)) {
                try await fixture.daemon.fetchStatus().notifier.available
            }
            try await eventually("the status bar shows the unread reply", within: .seconds(60)) {
                try bar.lines.last.map { line in
                    try JSONDecoder().decode(WaybarLine.self, from: Data(line.utf8)).class == "unread"
                } ?? false
            }
        }
    }
}

extension SetClock {
    /// Sets the wall clock to a second of the current UTC day.
    fileprivate func set(toSecondOfDay second: Int) throws {
        try set(by: second - Int(Date.now.timeIntervalSince1970) % 86_400)
    }
}
