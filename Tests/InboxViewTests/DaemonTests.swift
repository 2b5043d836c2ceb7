import ControlAPI
import Testing

@testable import InboxView

/// Every state of the daemon and of the banner.
struct DaemonTests {
    @Test func `It is not there, is started, and comes`() {
        var desk = Desk()
        #expect(desk.state.daemonView == .connecting)
        desk.tell(.gone(.notRunning))
        #expect(desk.state.daemonView == .doesNotRun(nil))
        #expect(desk.tell(.startDaemon) == [.startDaemon])
        desk.tell(.gone(.notRunning))
        #expect(desk.state.daemonView == .starting)
        _ = desk.entry("snapshot")
        #expect(desk.state.daemonView == .here)
    }

    @Test func `One that was started in vain says so`() {
        var desk = Desk()
        desk.tell(.gone(.notRunning), .startDaemon, .startFailed("No systemd."))
        #expect(desk.state.daemonView == .doesNotRun("No systemd."))
        desk.tell(.startDaemon)
        desk.now += 16_000
        desk.tell(.gone(.notRunning))
        #expect(desk.state.daemonView == .doesNotRun("Cuti-E was started but does not respond."))
    }

    @Test func `Where it went, what was shown stays`() {
        var desk = Desk.looking(at: Desk.view("a"), [Desk.message("1")])
        desk.tell(.gone(.left))
        #expect(desk.state.daemonView == .went)
        #expect(desk.rows.count == 1)
        #expect(desk.lines.count == 2)
        #expect(desk.entry("snapshot").calls == [.status, .questions, .outbox])
    }

    @Test(arguments: [
        (Absence.tooOld("It does not know this."), DaemonView.tooOld("It does not know this.")),
        (.unusable("Not ours."), .unusable("Not ours.")),
        (.tooSlow, .doesNotRun("Cuti-E is running but does not respond.")),
    ])
    func `It may be of no use`(absence: Absence, shown: DaemonView) {
        var desk = Desk()
        desk.tell(.gone(absence))
        #expect(desk.state.daemonView == shown)
    }

    private static let question = QuestionView(
        questionId: "1", kind: "consent", question: "May they?", detail: "", allow: "Yes", refuse: "No",
        askedAt: 0)

    private func banner(_ status: GetStatus.Reply, questions: [QuestionView] = []) -> Banner? {
        var desk = Desk.filled([], status: status)
        desk.tell(.answered(.questions, .questions(.init(questions: questions))))
        return desk.state.banner
    }

    @Test func `The most pressing is said`() {
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
                == .paused(until: "11:30", hidesWords: false))
        #expect(banner(Desk.status(paused: true, hidesWords: true)) == .paused(until: nil, hidesWords: true))
    }

    private static let holds: [(HoldView.Reason, Banner?)] = [
        (.off, .notificationsOff), (.paused, .paused(until: "11:30", hidesWords: false)),
        (.privatePause, .paused(until: "11:30", hidesWords: true)),
        (.quietHours, .quietHours(until: "11:30")),
        (.noServer, .noNotificationServer), (.presence, nil),
    ]

    @Test(arguments: holds)
    func `What holds notifications is a banner, and stands on the page of pauses`(
        reason: HoldView.Reason, expected: Banner?
    ) {
        var status = Desk.status()
        status.holds = [HoldView(reason: reason, until: Desk.morning + 90 * Desk.minute)]
        #expect(banner(status) == expected)
        let desk = Desk.filled([], status: status)
        #expect(desk.state.popups?.holds == [expected ?? .hidesText])
    }

    @Test func `Notifications are turned on from the banner`() {
        var desk = Desk.filled([])
        #expect(desk.tell(.turnOnNotifications).calls == [.turnOnNotifications])
        #expect(desk.tell(.answered(.turnOnNotifications, .done)).calls == [.status])
    }

    @Test func `Since when it is offline is told where that was seen`() {
        var desk = Desk.filled([])
        #expect(
            desk.entry("state", account: "default", state: .offline).calls == [.status, .questions, .outbox])
        desk.now += 60 * Desk.minute
        _ = desk.entry("state", account: "default", state: .offline)
        let status = Desk.status([Desk.account("default", .offline, reason: "no route")])
        desk.tell(.answered(.status, .status(status)))
        #expect(desk.state.banner?.sentence == "Offline since 10:00: no route")
        _ = desk.entry("state", account: "default", state: .connected)
        _ = desk.entry("state", account: "default", state: .offline)
        #expect(desk.state.banner?.sentence == "Offline since 11:00: no route")
    }

    @Test func `Without a configuration nothing else is said`() {
        var desk = Desk()
        desk.tell(.configured(false), .gone(.notRunning))
        #expect(desk.state.banner == .notConfigured)
    }

    @Test func `A question is answered once, and what it brought is told`() {
        var desk = Desk.filled([])
        desk.tell(.answered(.questions, .questions(.init(questions: [Self.question]))))
        #expect(desk.state.questions == [Self.question])
        let call = Call.answer(questionId: "1", allow: true)
        #expect(desk.tell(.answer(questionId: "1", allow: true)) == [.call(call)])
        let actions = desk.tell(.answered(call, .answered(account: "shop")))
        #expect(
            actions.deeds.first == .tell("The app was added. Its replies are now shown here."))
        #expect(actions.calls.contains(.questions))
        #expect(actions.calls.contains(.list))
        // Answered elsewhere a moment before.
        var late = Desk.filled([])
        let failed = late.tell(.failed(call, .notFound(NotFound(what: "question", id: "1"))))
        #expect(failed.calls == [.status, .questions, .outbox])
        #expect(failed.deeds.count == 3)
    }

    @Test func `A burst of changes asks once, and once more`() {
        var desk = Desk.filled([])
        for _ in 0..<10 { _ = desk.entry("state", account: "default", state: .connected) }
        let again = desk.tell(.answered(.status, .status(Desk.status())))
        #expect(again.calls == [.status])
        #expect(desk.tell(.answered(.status, .status(Desk.status()))).calls.isEmpty)
    }

    @Test func `Pop-ups are paused from here`() {
        var desk = Desk.filled([])
        #expect(
            desk.tell(.pause(seconds: 3600, hidesWords: false)).calls
                == [.pause(seconds: 3600, hidesWords: false)])
        desk.tell(.answered(.status, .status(Desk.status(paused: true))))
        #expect(desk.state.popups?.isPaused == true)
        #expect(desk.tell(.resume).calls == [.resume])
        #expect(desk.tell(.answered(.resume, .done)).calls == [.status])
        #expect(desk.tell(.failed(.reconnect, .refused("No."))) == [.tell("No.")])
    }
}
