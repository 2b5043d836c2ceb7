import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the window and its banner in each state of the daemon.
struct DaemonTests {
    @Test func `The window can start a daemon that is not running, and then shows it as running`() {
        var fixture = InboxFixture()
        #expect(fixture.state.daemonView == .connecting)
        fixture.receive(.disconnected(.notRunning))
        #expect(fixture.state.daemonView == .notRunning(nil))
        #expect(fixture.receive(.startDaemon) == [.startDaemon])
        fixture.receive(.disconnected(.notRunning))
        #expect(fixture.state.daemonView == .starting)
        _ = fixture.entry(.snapshot)
        #expect(fixture.state.daemonView == .ready)
    }

    @Test
    func
        `After the setup has started the daemon, the window waits about 15 seconds before it reports an error`()
    {
        var fixture = InboxFixture()
        fixture.receive(.disconnected(.notRunning), .configured(true), .daemonStarted)
        #expect(fixture.state.daemonView == .starting)
        fixture.now += 14_000
        fixture.receive(.disconnected(.notRunning))
        #expect(fixture.state.daemonView == .starting)
        var failing = fixture
        failing.now += 2000
        failing.receive(.disconnected(.notRunning))
        #expect(failing.state.daemonView == .notRunning("Cuti-E was started but is not responding."))
        _ = fixture.entry(.snapshot)
        #expect(fixture.state.daemonView == .ready)
        // The setup reports `daemonStarted` even if the daemon was already running.
        fixture.receive(.daemonStarted)
        #expect(fixture.state.daemonView == .ready)
    }

    @Test func `The window shows the reason if the daemon cannot be started`() {
        var fixture = InboxFixture()
        fixture.receive(.disconnected(.notRunning), .startDaemon, .startFailed("No systemd."))
        #expect(fixture.state.daemonView == .notRunning("No systemd."))
        fixture.receive(.startDaemon)
        fixture.now += 16_000
        fixture.receive(.disconnected(.notRunning))
        #expect(fixture.state.daemonView == .notRunning("Cuti-E was started but is not responding."))
    }

    @Test func `After the daemon exits, the window still shows the conversations`() {
        var fixture = InboxFixture.looking(at: InboxFixture.view("a"), [InboxFixture.message("1")])
        fixture.receive(.disconnected(.left))
        #expect(fixture.state.daemonView == .disconnected)
        #expect(fixture.rows.count == 1)
        #expect(fixture.lines.count == 2)
        #expect(fixture.entry(.snapshot).calls == [.status, .questions, .outbox])
    }

    @Test func `The message of an event log entry is shown even if the kind of the entry is unknown`() {
        var fixture = InboxFixture.looking(at: InboxFixture.view("a"), [InboxFixture.message("1")])
        fixture.receive(.disconnected(.left))
        let actions = fixture.entry(.unknown("message.edited"), message: InboxFixture.message("2", at: 1))
        #expect(fixture.state.daemonView == .ready)
        #expect(actions.calls.contains(.status))
        #expect(fixture.lines.count == 3)
    }

    @Test(arguments: [
        (DisconnectReason.tooOld("It does not know this."), DaemonView.tooOld("It does not know this.")),
        (.unusable("Not ours."), .unusable("Not ours.")),
        (.tooSlow, .notRunning("Cuti-E is running but not responding.")),
    ])
    func `The window shows the reason if it cannot use the daemon`(
        absence: DisconnectReason, shown: DaemonView
    ) {
        var fixture = InboxFixture()
        fixture.receive(.disconnected(absence))
        #expect(fixture.state.daemonView == shown)
    }

    private static let question = QuestionView(
        questionId: "1", kind: "consent", question: "May they?", detail: "", allow: "Yes", refuse: "No",
        askedAt: 0)

    private func banner(_ status: GetStatus.Reply, questions: [QuestionView] = []) -> Banner? {
        var fixture = InboxFixture.filled([], status: status)
        fixture.receive(.answered(.questions, .questions(.init(questions: questions))))
        return fixture.state.banner
    }

    @Test func `The banner shows the most urgent problem`() {
        #expect(banner(InboxFixture.status()) == nil)
        #expect(banner(InboxFixture.status([])) == .notConfigured)
        var work = InboxFixture.account("work", .stopped, reason: "attestation is off")
        work.reasonCode = "attestation_off"
        let stopped = InboxFixture.status([InboxFixture.account("home", .offline), work])
        #expect(
            banner(stopped)
                == .stopped(
                    account: "work", reason: "attestation is off",
                    advice: "set `attestation: auto` in the configuration"))
        let offline = InboxFixture.status([InboxFixture.account("default", .offline, reason: "no route")])
        #expect(
            banner(offline, questions: [Self.question])
                == .offline(account: nil, since: nil, reason: "no route"))
        #expect(
            banner(InboxFixture.status(), questions: [Self.question]) == .question(Self.question, count: 1))
        #expect(banner(InboxFixture.status(failed: 2)) == .notSent(2))
        #expect(
            banner(InboxFixture.status([InboxFixture.account("default", .connecting)]))
                == .connecting(account: nil))
        let connecting = banner(
            InboxFixture.status([
                InboxFixture.account("default", .connected), InboxFixture.account("other", .connecting),
            ]))
        #expect(connecting?.sentence == "other: Connecting…")
        #expect(
            banner(InboxFixture.status(paused: true, until: InboxFixture.morning + 90 * InboxFixture.minute))
                == .paused(until: "11:30", hidesText: false))
        #expect(
            banner(InboxFixture.status(paused: true, hidesText: true)) == .paused(until: nil, hidesText: true)
        )
    }

    @Test
    func
        `The banner shows no questions while the daemon is not running, or an account is offline or stopped`()
    {
        func displaysQuestions(_ state: ConnectionState) -> Bool {
            InboxFixture.filled([], status: InboxFixture.status([InboxFixture.account("default", state)]))
                .state.displaysQuestions
        }
        #expect(displaysQuestions(.connected) && displaysQuestions(.connecting))
        #expect(!displaysQuestions(.offline) && !displaysQuestions(.stopped))
        var fixture = InboxFixture.filled([])
        #expect(fixture.state.displaysQuestions)
        fixture.receive(.disconnected(.left))
        #expect(!fixture.state.displaysQuestions)
    }

    private static let holds: [(HoldView.Reason, Banner?)] = [
        (.off, .notificationsOff), (.paused, .paused(until: "11:30", hidesText: false)),
        (.privatePause, .paused(until: "11:30", hidesText: true)),
        (.quietHours, .quietHours(until: "11:30")),
        (.noServer, .noNotificationServer), (.presence, nil),
    ]

    @Test(arguments: holds)
    func `The banner and the notifications page show each reason why notifications are held`(
        reason: HoldView.Reason, expected: Banner?
    ) {
        var status = InboxFixture.status()
        status.holds = [HoldView(reason: reason, until: InboxFixture.morning + 90 * InboxFixture.minute)]
        #expect(banner(status) == expected)
        let fixture = InboxFixture.filled([], status: status)
        #expect(fixture.state.notificationStatus?.holds == [expected ?? .hidesText])
    }

    @Test func `A button in the banner turns notifications on`() {
        var fixture = InboxFixture.filled([])
        #expect(fixture.receive(.turnOnNotifications).calls == [.turnOnNotifications])
        #expect(fixture.receive(.answered(.turnOnNotifications, .done)).calls == [.status])
    }

    @Test func `The banner shows the start time of an outage if the window observed the start`() {
        var fixture = InboxFixture.filled([])
        #expect(
            fixture.entry(.state, account: "default", state: .offline).calls == [
                .status, .questions, .outbox,
            ])
        fixture.now += 60 * InboxFixture.minute
        _ = fixture.entry(.state, account: "default", state: .offline)
        let status = InboxFixture.status([InboxFixture.account("default", .offline, reason: "no route")])
        fixture.receive(.answered(.status, .status(status)))
        #expect(fixture.state.banner?.sentence == "Offline since 10:00: no route")
        _ = fixture.entry(.state, account: "default", state: .connected)
        _ = fixture.entry(.state, account: "default", state: .offline)
        #expect(fixture.state.banner?.sentence == "Offline since 11:00: no route")
    }

    @Test func `Without a configuration, the banner mentions only the missing configuration`() {
        var fixture = InboxFixture()
        fixture.receive(.configured(false), .disconnected(.notRunning))
        #expect(fixture.state.banner == .notConfigured)
    }

    @Test func `A question can be answered only once, and the result is shown`() {
        var fixture = InboxFixture.filled([])
        fixture.receive(.answered(.questions, .questions(.init(questions: [Self.question]))))
        #expect(fixture.state.questions == [Self.question])
        let call = Call.answer(questionId: "1", allow: true)
        #expect(fixture.receive(.answer(questionId: "1", allow: true)) == [.call(call)])
        let actions = fixture.receive(.answered(call, .answered(account: "shop")))
        #expect(
            actions.sideEffects.first
                == .showToast("The app was added. New replies are now shown in this window."))
        #expect(actions.calls.contains(.questions))
        #expect(actions.calls.contains(.list))
        // Another program has already answered the question.
        var late = InboxFixture.filled([])
        let failed = late.receive(.failed(call, .notFound(NotFound(what: "question", id: "1"))))
        #expect(failed.calls == [.status, .questions, .outbox])
        #expect(failed.sideEffects.count == 3)
    }

    @Test func `A burst of changes causes one request immediately and one after the response`() {
        var fixture = InboxFixture.filled([])
        for _ in 0..<10 { _ = fixture.entry(.state, account: "default", state: .connected) }
        let again = fixture.receive(.answered(.status, .status(InboxFixture.status())))
        #expect(again.calls == [.status])
        #expect(fixture.receive(.answered(.status, .status(InboxFixture.status()))).calls.isEmpty)
    }

    @Test func `The window can pause and resume notifications`() {
        var fixture = InboxFixture.filled([])
        #expect(
            fixture.receive(.pause(seconds: 3600, hidesText: false)).calls
                == [.pause(seconds: 3600, hidesText: false)])
        fixture.receive(.answered(.status, .status(InboxFixture.status(paused: true))))
        #expect(fixture.state.notificationStatus?.isPaused == true)
        #expect(fixture.receive(.resume).calls == [.resume])
        #expect(fixture.receive(.answered(.resume, .done)).calls == [.status])
        #expect(fixture.receive(.failed(.reconnect, .refused("No."))) == [.showToast("No.")])
    }
}
