import ControlAPI
import Testing

@testable import InboxModel

/// Tests every state of the daemon and of the banner.
struct DaemonTests {
    @Test func `A daemon that does not run can be started and is then shown as running`() {
        var desk = Desk()
        #expect(desk.state.daemonView == .connecting)
        desk.receive(.gone(.notRunning))
        #expect(desk.state.daemonView == .notRunning(nil))
        #expect(desk.receive(.startDaemon) == [.startDaemon])
        desk.receive(.gone(.notRunning))
        #expect(desk.state.daemonView == .starting)
        _ = desk.entry(.snapshot)
        #expect(desk.state.daemonView == .ready)
    }

    @Test func `A failed start of the daemon is reported`() {
        var desk = Desk()
        desk.receive(.gone(.notRunning), .startDaemon, .startFailed("No systemd."))
        #expect(desk.state.daemonView == .notRunning("No systemd."))
        desk.receive(.startDaemon)
        desk.now += 16_000
        desk.receive(.gone(.notRunning))
        #expect(desk.state.daemonView == .notRunning("Cuti-E was started but does not respond."))
    }

    @Test func `After the daemon stops, the conversations stay visible`() {
        var desk = Desk.looking(at: Desk.view("a"), [Desk.message("1")])
        desk.receive(.gone(.left))
        #expect(desk.state.daemonView == .disconnected)
        #expect(desk.rows.count == 1)
        #expect(desk.lines.count == 2)
        #expect(desk.entry(.snapshot).calls == [.status, .questions, .outbox])
    }

    @Test func `An entry that this version does not know still shows its message`() {
        var desk = Desk.looking(at: Desk.view("a"), [Desk.message("1")])
        desk.receive(.gone(.left))
        let actions = desk.entry(.unknown("message.edited"), message: Desk.message("2", at: 1))
        #expect(desk.state.daemonView == .ready)
        #expect(actions.calls.contains(.status))
        #expect(desk.lines.count == 3)
    }

    @Test(arguments: [
        (Absence.tooOld("It does not know this."), DaemonView.tooOld("It does not know this.")),
        (.unusable("Not ours."), .unusable("Not ours.")),
        (.tooSlow, .notRunning("Cuti-E is running but does not respond.")),
    ])
    func `The reason why the daemon cannot be used is shown`(absence: Absence, shown: DaemonView) {
        var desk = Desk()
        desk.receive(.gone(absence))
        #expect(desk.state.daemonView == shown)
    }

    private static let question = QuestionView(
        questionId: "1", kind: "consent", question: "May they?", detail: "", allow: "Yes", refuse: "No",
        askedAt: 0)

    private func banner(_ status: GetStatus.Reply, questions: [QuestionView] = []) -> Banner? {
        var desk = Desk.filled([], status: status)
        desk.receive(.answered(.questions, .questions(.init(questions: questions))))
        return desk.state.banner
    }

    @Test func `The banner shows the most urgent problem`() {
        #expect(banner(Desk.status()) == nil)
        #expect(banner(Desk.status([])) == .notConfigured)
        let stopped = Desk.status([
            Desk.account("home", .offline),
            Desk.account("work", .stopped, reason: "refused; set it up again"),
        ])
        #expect(
            banner(stopped) == .stopped(account: "work", reason: "refused", advice: "set it up again"))
        let offline = Desk.status([Desk.account("default", .offline, reason: "no route")])
        #expect(
            banner(offline, questions: [Self.question])
                == .offline(account: nil, since: nil, reason: "no route"))
        #expect(
            banner(Desk.status(), questions: [Self.question]) == .question(Self.question, count: 1))
        #expect(banner(Desk.status(failed: 2)) == .notSent(2))
        #expect(banner(Desk.status([Desk.account("default", .connecting)])) == .connecting)
        #expect(
            banner(Desk.status(paused: true, until: Desk.morning + 90 * Desk.minute))
                == .paused(until: "11:30", hidesText: false))
        #expect(banner(Desk.status(paused: true, hidesText: true)) == .paused(until: nil, hidesText: true))
    }

    private static let holds: [(HoldView.Reason, Banner?)] = [
        (.off, .notificationsOff), (.paused, .paused(until: "11:30", hidesText: false)),
        (.privatePause, .paused(until: "11:30", hidesText: true)),
        (.quietHours, .quietHours(until: "11:30")),
        (.noServer, .noNotificationServer), (.presence, nil),
    ]

    @Test(arguments: holds)
    func `Each reason that holds notifications is a banner, and on the page about pauses`(
        reason: HoldView.Reason, expected: Banner?
    ) {
        var status = Desk.status()
        status.holds = [HoldView(reason: reason, until: Desk.morning + 90 * Desk.minute)]
        #expect(banner(status) == expected)
        let desk = Desk.filled([], status: status)
        #expect(desk.state.popups?.holds == [expected ?? .hidesText])
    }

    @Test func `The banner turns notifications on`() {
        var desk = Desk.filled([])
        #expect(desk.receive(.turnOnNotifications).calls == [.turnOnNotifications])
        #expect(desk.receive(.answered(.turnOnNotifications, .done)).calls == [.status])
    }

    @Test func `The start of an outage is shown if it was observed`() {
        var desk = Desk.filled([])
        #expect(
            desk.entry(.state, account: "default", state: .offline).calls == [.status, .questions, .outbox])
        desk.now += 60 * Desk.minute
        _ = desk.entry(.state, account: "default", state: .offline)
        let status = Desk.status([Desk.account("default", .offline, reason: "no route")])
        desk.receive(.answered(.status, .status(status)))
        #expect(desk.state.banner?.sentence == "Offline since 10:00: no route")
        _ = desk.entry(.state, account: "default", state: .connected)
        _ = desk.entry(.state, account: "default", state: .offline)
        #expect(desk.state.banner?.sentence == "Offline since 11:00: no route")
    }

    @Test func `Without a configuration only this problem is shown`() {
        var desk = Desk()
        desk.receive(.configured(false), .gone(.notRunning))
        #expect(desk.state.banner == .notConfigured)
    }

    @Test func `A question is answered once, and its result is reported`() {
        var desk = Desk.filled([])
        desk.receive(.answered(.questions, .questions(.init(questions: [Self.question]))))
        #expect(desk.state.questions == [Self.question])
        let call = Call.answer(questionId: "1", allow: true)
        #expect(desk.receive(.answer(questionId: "1", allow: true)) == [.call(call)])
        let actions = desk.receive(.answered(call, .answered(account: "shop")))
        #expect(
            actions.deeds.first == .showToast("The app was added. Its replies are now shown here."))
        #expect(actions.calls.contains(.questions))
        #expect(actions.calls.contains(.list))
        // The question was answered elsewhere just before.
        var late = Desk.filled([])
        let failed = late.receive(.failed(call, .notFound(NotFound(what: "question", id: "1"))))
        #expect(failed.calls == [.status, .questions, .outbox])
        #expect(failed.deeds.count == 3)
    }

    @Test func `A burst of changes causes one request and then one more`() {
        var desk = Desk.filled([])
        for _ in 0..<10 { _ = desk.entry(.state, account: "default", state: .connected) }
        let again = desk.receive(.answered(.status, .status(Desk.status())))
        #expect(again.calls == [.status])
        #expect(desk.receive(.answered(.status, .status(Desk.status()))).calls.isEmpty)
    }

    @Test func `Notifications are paused and resumed from the window`() {
        var desk = Desk.filled([])
        #expect(
            desk.receive(.pause(seconds: 3600, hidesText: false)).calls
                == [.pause(seconds: 3600, hidesText: false)])
        desk.receive(.answered(.status, .status(Desk.status(paused: true))))
        #expect(desk.state.popups?.isPaused == true)
        #expect(desk.receive(.resume).calls == [.resume])
        #expect(desk.receive(.answered(.resume, .done)).calls == [.status])
        #expect(desk.receive(.failed(.reconnect, .refused("No."))) == [.showToast("No.")])
    }
}
