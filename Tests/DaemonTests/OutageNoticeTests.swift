import ControlAPI
import CutieAPI
import Domain
import NotificationPolicy
import Reasons
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct OutageNoticeTests {
    private let fixture: IngestFixture
    private let server = FakeNotificationServer()
    private let notificationController: NotificationController
    private let outages = Shared<[Outage]>([])
    private let looks = Shared(0)

    init() throws {
        fixture = try IngestFixture()
        notificationController = try fixture.notificationController()
    }

    private func outage(_ number: Int64, _ title: String? = nil) -> Outage {
        Outage(account: AccountID(rawValue: number), title: title, reason: .text("no route to host"))
    }

    private func notice(on screen: NotificationScreen? = nil, patience: Duration = .milliseconds(20))
        -> OutageNotice
    {
        OutageNotice(
            screen: screen ?? fixture.screen(server, notificationController),
            outages: { [outages, looks] in
                looks.value += 1
                return outages.value
            }, timeout: patience, runtime: .still, logger: .silent)
    }

    private func change(_ notice: OutageNotice, _ outages: Outage...) {
        self.outages.value = outages
        notice.changes.notify()
    }

    @Test
    func `A long outage is reported once without sound, and the notification is closed when the outage ends`()
        async throws
    {
        let notice = notice()
        try await running(notice.run) {
            change(notice, outage(1), outage(2, "work"))
            try await eventually("the first notification") { server.shown.count >= 1 }
            let notification = server.shown[0].notification
            #expect(notification.urgency == .low && notification.sound == .silent)
            #expect(notification.body.contains("work: no route to host"))
            for _ in 0..<5 { change(notice, outage(1), outage(2, "work")) }
            change(notice)
            try await eventually("the notification is closed") { server.closed == [server.shown[0].id] }
            #expect(server.shown.count == 1)
        }
    }

    @Test
    func `The notification about a stopped account does not promise that Cuti-E keeps trying to connect`()
        async throws
    {
        let notice = notice()
        var stopped = outage(2, "work")
        (stopped.state, stopped.reason) = (.stopped, Reason(.appIDRefused, ["app": "app_1"]))
        try await running(notice.run) {
            change(notice, outage(2, "work"))
            try await eventually("the first notification") { server.shown.count >= 1 }
            #expect(server.shown[0].notification.body.contains("Cuti-E keeps trying to connect."))
            change(notice, stopped)
            try await eventually("the second notification") { server.shown.count >= 2 }
            let body = server.shown[1].notification.body
            #expect(
                body.hasPrefix(
                    """
                    work: stopped: the service does not accept the App ID app_1; check app_id in the \
                    configuration

                    """))
            #expect(body.contains("then cutied ctl reconnect.") && !body.contains("`"))
            #expect(!body.contains("keeps trying"))
        }
    }

    @Test func `After the user closes an outage notification, only the next outage causes a notification`()
        async throws
    {
        let screen = fixture.screen(server, notificationController)
        let notice = notice(on: screen)
        try await running(notice.run) {
            change(notice, outage(1))
            try await eventually("the notification is recorded") { screen.hasNotification(for: .outage) }
            _ = try screen.handleClosedNotification(1, reason: .dismissed)
            change(notice, outage(1))
            change(notice)
            let seen = looks.value
            try await eventually("the reconnect is noticed") { looks.value > seen }
            change(notice, outage(1))
            try await eventually("the second notification") { server.shown.count >= 2 }
            #expect(server.closed.isEmpty)
        }
    }

    @Test func `An outage during a pause, or while notifications are off, is shown only afterwards`()
        async throws
    {
        notificationController.policy.enabled = false
        let notice = notice(patience: .zero)
        try await running(notice.run) {
            change(notice, outage(1))
            for _ in 1...2 {
                let seen = looks.value
                notice.changes.notify()
                try await eventually("the check has ended") { looks.value > seen }
            }
            #expect(server.shown.isEmpty)
            notificationController.policy.enabled = true
            try await eventually("the first notification") { server.shown.count >= 1 }
        }
    }

    @Test func `After a restart, the daemon closes the outage notification of the previous run`() async throws
    {
        let first = notice()
        try await running(first.run) {
            change(first, outage(1))
            try await eventually("the first notification") {
                try fixture.store.read { try $0.notifications.fetchAll() }.map(\.owner) == [.outage]
            }
        }
        outages.value = []
        let second = notice()
        try await running(second.run) {
            try await eventually("the notification is closed") { server.closed == [1] }
        }
    }

    @Test func `A new notification server is not asked to close notifications of the previous server`()
        async throws
    {
        let first = notice()
        try await running(first.run) {
            change(first, outage(1))
            try await eventually("the first notification") {
                try !fixture.store.read { try $0.notifications.fetchAll() }.isEmpty
            }
        }
        outages.value = []
        server.set { $0.name = "other" }
        let second = notice()
        try await running(second.run) {
            try await eventually("the notification is removed from the state") {
                try fixture.store.read { try $0.notifications.fetchAll() }.isEmpty
            }
        }
        #expect(server.closed.isEmpty)
    }

    @Test func `The button "Try Now" reconnects, and clicks on other notifications have no effect`()
        async throws
    {
        let screen = fixture.screen(server, notificationController)
        let notice = notice(on: screen)
        let accounts = FakeConversationActions()
        let questions = try Questions(
            store: fixture.store, screen: screen, showsQuestions: true, hasPendingReplies: { false },
            effects: [:], confirm: {}, runtime: .still, logger: .silent)
        let notificationActions = NotificationActionHandler(
            screen: screen, actions: accounts,
            opener: Opener(command: nil, environment: [:], screen: screen, logger: .silent),
            questions: questions, logger: .silent)
        try await running(notice.run) {
            change(notice, outage(1))
            try await eventually("the notification is recorded") { screen.hasNotification(for: .outage) }
            let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
            for (id, action) in [(7, "reconnect"), (1, "default"), (1, "reconnect")] {
                sink.yield(.action(id: UInt32(id), name: action, activationToken: nil))
            }
            sink.finish()
            try await notificationActions.handleEvents(events)
            #expect(accounts.reconnects == 1)
        }
    }

    private final class FakeConversationActions: ConversationActions {
        func verificationPage(of account: AccountID) -> String? { nil }
        func recordOpening(of conversation: Conversation.ID, account: AccountID, message: Message.ID?) -> Bool
        {
            false
        }
        func assignToMe(_ conversation: Conversation.ID, of account: AccountID) {}
        var reconnects = 0

        func name(of account: AccountID) -> String? { nil }
        func markRead(_ conversation: Conversation.ID, of account: AccountID, upTo last: Message.ID?) {}
        func send(_ text: String, in conversation: Conversation.ID, of account: AccountID) {}
        func retryItems(withIDs items: [String]) {}
        func reconnect() { reconnects += 1 }
    }

    @Test
    func `The duration of an outage is measured separately for each account, and is reset after a suspend`() {
        var clock = OutageClock(timeout: .seconds(300))
        func note(_ outages: Outage..., at seconds: Int) -> (overdue: [Int64], next: Duration?) {
            let (overdue, next) = clock.updateOutages(outages, at: .seconds(seconds))
            return (overdue.map(\.account.rawValue), next)
        }
        #expect(note(outage(1), at: 0) == ([], .seconds(300)))
        #expect(note(outage(1), outage(2), at: 290) == ([], .seconds(300)))
        #expect(note(outage(2), at: 301) == ([], .seconds(590)))
        #expect(note(outage(1), outage(2), at: 600) == ([2], .seconds(900)))
        clock.restartTimers(at: .seconds(601))
        #expect(note(outage(1), outage(2), at: 602) == ([], .seconds(901)))
        #expect(note(at: 603) == ([], nil))
    }
}
