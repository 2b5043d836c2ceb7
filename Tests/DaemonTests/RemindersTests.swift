import Config
import ControlAPI
import CutieAPI
import FeedPolicy
import NotificationPolicy
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services
@_spi(EventLog) @testable import Store

@MainActor
struct RemindersTests {
    private let server = FakeNotificationServer()

    /// Returns the reminders of a fixture. Each call simulates a restart of the daemon.
    private func reminders(
        _ fixture: IngestFixture, delay: Duration? = .seconds(3600), policy: Policy = Policy()
    ) throws -> (Reminders, NotificationController) {
        fixture.collaborators.reminderDelay = delay
        let notificationController = try fixture.notificationController(policy)
        return (
            Reminders(
                ingest: fixture.ingest, screen: fixture.screen(server, notificationController),
                runtime: fixture.runtime, logger: .silent), notificationController
        )
    }

    private func states(_ fixture: StaffFixture) throws -> [String] {
        try fixture.fixture.store.read { transaction in
            try ["c", "d"].compactMap {
                try transaction.reminders.find(.waiting, of: Conversation.ID($0), account: fixture.account)?
                    .state.rawValue
            }
        }
    }

    /// Sets the clock of the fixture to `seconds` after the base time. Message times use the same base.
    private func pass(_ fixture: IngestFixture, to seconds: Int64) {
        fixture.time.pass(.base(plus: seconds) - fixture.time.now)
    }

    @Test func `A conversation that waits for a reply causes only one reminder, even after restarts`()
        async throws
    {
        let staff = try StaffFixture()
        let fixture = staff.fixture
        for _ in 0..<2 {
            let (reminders, _) = try reminders(fixture)
            try await running(reminders.run) {
                try staff.user("m1", at: 1)
                try await eventually("the timer is set") {
                    try states(staff) == ["scheduled"] || !server.shown.isEmpty
                }
                pass(fixture, to: 3500)
                #expect(server.shown.count <= 1)
                pass(fixture, to: 3700)
                try await eventually("the reminder is shown") { try states(staff) == ["done"] }
            }
        }
        #expect(server.shown.map(\.notification.body) == ["The user is waiting for a reply."])
        // A second message from the user does not restart the reminder delay, but a reply from support that
        // is followed by another question restarts the delay.
        let (reminders, _) = try reminders(fixture)
        // When the daemon starts, the queue makes this call to adopt the notifications of the previous run.
        await reminders.screen.queryServerIfUnknown()
        try await running(reminders.run) {
            try staff.user("m2", at: 3800)
            #expect(try states(staff) == ["done"])
            try staff.admin("m3", by: "adm_bob", "Bob", at: 3900)
            #expect(try states(staff) == [])
            try await eventually("the notification is closed") { server.closed == [1] }
            try staff.admin("m4", by: "adm_bob", "Bob", at: 3950, note: true)
            try staff.user("m5", at: 4000)
            #expect(try states(staff) == ["scheduled"])
            pass(fixture, to: 7700)
            try await eventually("the reminder is shown again") { server.shown.count == 2 }
        }
    }

    /// An event that makes a scheduled reminder obsolete.
    enum Change: CaseIterable, Sendable {
        case answer, resolution, muting, snoozing, opening, otherAssignee, off
    }

    @Test(arguments: Change.allCases)
    func `An obsolete reminder is discarded`(change: Change) async throws {
        let staff = try StaffFixture()
        let fixture = staff.fixture
        let (reminders, notificationController) = try reminders(fixture, delay: .seconds(60))
        let marks = MarkMethods(
            service: MarkService(
                ingest: fixture.ingest, accounts: staff.accounts,
                notificationController: notificationController,
                runtime: fixture.runtime))
        try await running(reminders.run) {
            try staff.user("m1", at: 1)
            switch change {
            case .answer: try staff.admin("m2", by: StaffFixture.ann, "Ann", at: 2)
            case .resolution:
                var resolved = Conversation(id: "c", status: .resolved)
                resolved.updatedAt = .base(plus: 2)
                try staff.accept(.updated(resolved, at: 2))
            case .muting: _ = try marks.mute(Mute(conversation: "c"))
            case .snoozing:
                _ = try marks.snooze(
                    Snooze(conversation: "c", until: Timestamp.base(plus: 90_000).milliseconds))
            case .opening:
                notificationController.beginDisplayingConversations(of: [.reply(staff.account, "c")])
            case .otherAssignee: try staff.assign(to: "adm_bob", at: 2)
            case .off: notificationController.policy.enabled = false
            }
            pass(fixture, to: 120)
            try await eventually("no reminder is left") {
                try states(staff).allSatisfy { $0 == "done" }
            }
        }
        #expect(server.shown.isEmpty)
    }

    @Test func `Many reminders that are due together share one notification`() async throws {
        let staff = try StaffFixture()
        for number in 1...5 {
            try staff.user(
                Message.ID("m\(number)"), in: Conversation.ID("c\(number)"), at: Int64(number))
        }
        pass(staff.fixture, to: 7200)
        // Reminders are enabled while conversations are already waiting for a reply.
        let (reminders, _) = try reminders(staff.fixture)
        try await running(reminders.run) {
            try await eventually("the reminder is shown") { !server.shown.isEmpty }
        }
        #expect(server.shown.map(\.notification.summary) == ["5 conversations need your attention"])
        let (others, _) = try self.reminders(staff.fixture, delay: nil)
        try await running(others.run) {
            try await eventually("no reminder is stored") {
                try staff.fixture.store.read {
                    try $0.reminders.find(.waiting, of: "c1", account: staff.account) == nil
                }
            }
        }
        #expect(server.shown.count == 1)
    }

    @Test func `An app user is reminded only of a conversation in which support staff wait for the user`()
        async throws
    {
        let fixture = try IngestFixture()
        let (reminders, _) = try reminders(fixture)
        func status(_ status: Status, at seconds: Int64) throws {
            var changed = Conversation(id: "c", status: status)
            changed.updatedAt = .base(plus: seconds)
            try fixture.accept(.updated(changed, at: seconds))
        }
        func isScheduled() throws -> Bool {
            try fixture.store.read {
                try $0.reminders.find(.waiting, of: "c", account: fixture.account) != nil
            }
        }
        try await running(reminders.run) {
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "m1"))
            #expect(try !isScheduled())
            try status(.waitingUser, at: 2)
            #expect(try isScheduled())
            try status(.open, at: 3)
            #expect(try !isScheduled())
            try status(.waitingUser, at: 4)
            pass(fixture, to: 4000)
            try await eventually("the reminder is shown") { server.shown.count == 1 }
        }
        #expect(server.shown[0].notification.body == "Support is waiting for your reply.")
    }

    @Test func `Without a notification server, a reminder is held until a server appears`() async throws {
        let staff = try StaffFixture()
        server.set { $0.isThere = false }
        let (reminders, _) = try reminders(staff.fixture, delay: .seconds(60))
        try await running(reminders.run) {
            try staff.user("m1", at: 1)
            pass(staff.fixture, to: 120)
            #expect(try states(staff) == ["scheduled"])
            server.set { $0.isThere = true }
            try await staff.fixture.time.advance(until: "the reminder is shown") { server.shown.count == 1 }
        }
    }
}

extension Event {
    fileprivate static func updated(_ conversation: Conversation, at seconds: Int64) -> Event {
        Event(
            id: .init("update-\(seconds)"), createdAt: .base(plus: seconds),
            payload: .conversationUpdated(conversation))
    }
}
