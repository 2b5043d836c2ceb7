import Config
import CutieAPI
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import EventLog
@testable import Notifications

/// Tests that watchers are notified when the delivery of notifications is held or resumed. The fixture's
/// clock starts at 20:26:40 UTC.
@MainActor
struct HoldReporterTests {
    private static func policy(quiet hours: String) -> Policy {
        var configuration = NotificationConfiguration()
        configuration.quietHours = QuietHours(hours)
        return Policy(configuration, zone: LocalZone { _ in 0 })
    }

    @MainActor private struct Parts {
        let fixture: IngestFixture
        let screen: NotificationScreen
        let server: FakeNotificationServer
        var notificationController: NotificationController { screen.notificationController }

        init(_ policy: Policy = Policy()) throws {
            (fixture, server) = (try IngestFixture(.never), FakeNotificationServer())
            screen = fixture.screen(server, try fixture.notificationController(policy))
        }

        func states() throws -> Int { try fixture.logged(.state).count }
    }

    private func running(
        _ parts: Parts, _ body: @escaping @MainActor () async throws -> Void
    ) async throws {
        let reporter = HoldReporter(screen: parts.screen, runtime: parts.fixture.runtime)
        await parts.screen.queryServerIfUnknown()
        try await race({ try await reporter.run() }, body)
    }

    @Test func `Watchers are notified when quiet hours begin and end`() async throws {
        let parts = try Parts(Self.policy(quiet: "20:30-20:40"))
        parts.notificationController.beginFollowingLog()
        let before = try parts.states()
        try await running(parts) {
            try await eventually("the timer for the beginning is set") {
                parts.fixture.time.sleeps == [.seconds(200)]
            }
            #expect(parts.screen.holds.isEmpty)
            parts.fixture.time.pass(.seconds(200))
            try await eventually("the beginning of quiet hours is reported") {
                try parts.states() == before + 1
            }
            #expect(parts.screen.holds == [NotificationHold(.quietHours, until: .base(plus: 800))])
            try await eventually("the timer for the end is set") {
                parts.fixture.time.sleeps == [.seconds(600)]
            }
            parts.fixture.time.pass(.seconds(600))
            try await eventually("the end of quiet hours is reported") { try parts.states() == before + 2 }
            #expect(parts.screen.holds.isEmpty)
        }
    }

    @Test func `Without watchers, no entry is written for a hold and no timer runs`() async throws {
        let parts = try Parts(Self.policy(quiet: "20:30-20:40"))
        let before = try parts.states()
        try await running(parts) {
            parts.notificationController.requestReevaluation()
            for _ in 0..<100 { await Task.yield() }
            #expect(parts.fixture.time.waits.isEmpty)
            parts.fixture.time.pass(.seconds(300))
            parts.notificationController.beginFollowingLog()
            try await eventually("the timer for the end is set") {
                parts.fixture.time.sleeps == [.seconds(500)]
            }
            #expect(try parts.states() == before + 1, "quiet hours began before the first client came")
        }
    }

    @Test
    func `A changed configuration and a changed notification server are each reported once`()
        async throws
    {
        let parts = try Parts()
        parts.notificationController.beginFollowingLog()
        let before = try parts.states()
        try await running(parts) {
            parts.notificationController.apply(Self.policy(quiet: "00:00-23:59").configuration, rules: [])
            try await eventually("quiet hours") { try parts.states() == before + 1 }
            try parts.notificationController.setEnabled(false)
            for _ in 0..<100 { await Task.yield() }
            #expect(try parts.states() == before + 2)
        }
    }

    @Test func `A notification server that repeatedly appears and disappears causes one log entry per 30 s`()
        async throws
    {
        let parts = try Parts()
        parts.notificationController.beginFollowingLog()
        let before = try parts.states()
        try await running(parts) {
            for _ in 0..<10 {
                parts.server.set { $0.isThere = false }
                try await parts.screen.perform(parts.screen.handle(.failed(.unavailable)))
                try await parts.screen.perform(parts.screen.handle(.stepStarted))
                for _ in 0..<50 { await Task.yield() }
                parts.server.set { $0.isThere = true }
                await parts.screen.queryServerIfUnknown()
                for _ in 0..<50 { await Task.yield() }
            }
            #expect(try parts.states() == before + 1)
            parts.fixture.time.pass(.seconds(30))
            try await eventually("the return of the server is reported") { try parts.states() == before + 2 }
        }
    }

    @Test func `A pause that has ended does not start again when the clock is changed`() async throws {
        let parts = try Parts()
        try parts.notificationController.setPause(.init(end: .seconds(1060), isPrivate: false))
        try await running(parts) {
            try await eventually("the timer for the end is set") {
                parts.fixture.time.sleeps == [.seconds(60)]
            }
            parts.fixture.time.pass(.seconds(60))
            try await eventually("the pause ends") { parts.notificationController.policy.pause == nil }
        }
        parts.fixture.time.jump(.seconds(-86_400))
        parts.fixture.time.reboot()
        for boot in ["boot", "another"] {
            let next = try NotificationController(
                Policy(), log: parts.fixture.log, runtime: parts.fixture.runtime, bootID: boot
            )
            #expect(next.policy.pause == nil, "\(boot)")
        }
    }

    @Test func `A pause that ended while the daemon was stopped is removed on the next launch`() throws {
        let fixture = try IngestFixture(.never)
        try fixture.notificationController().setPause(.init(end: .seconds(1060), isPrivate: false))
        fixture.time.pass(.seconds(61))
        #expect(try fixture.notificationController().policy.pause == nil)
        fixture.time.jump(.seconds(-86_400))
        fixture.time.reboot()
        #expect(try fixture.notificationController().policy.pause == nil)
    }

    @Test func `In a restarted container with the same boot ID, a pause ends according to the wall clock`()
        throws
    {
        let fixture = try IngestFixture(.never)
        try fixture.notificationController().setPause(.init(end: .seconds(1600), isPrivate: false))
        fixture.time.pass(.seconds(60))
        fixture.time.reboot()
        #expect(try fixture.notificationController().policy.pause?.end == .seconds(5 + 540))
    }
}
