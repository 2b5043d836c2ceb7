import ControlAPI
import CutieAPI
import Localization
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
struct QuestionTests {
    private let fixture: IngestFixture
    private let server = FakeNotificationServer()
    private let notificationController: NotificationController
    private let effects = Shared<[String]>([])

    init() throws {
        fixture = try IngestFixture()
        notificationController = try fixture.notificationController()
    }

    private let time = ManualTime(.brief, isWallStill: true)

    /// The components that ask questions, with the same dependencies as in the daemon.
    @MainActor
    private struct Asking {
        let questions: Questions
        let screen: NotificationScreen
        let notificationActions: NotificationActionHandler

        func click(_ action: String, on id: UInt32) async throws {
            try await sendEvent(.action(id: id, name: action, activationToken: nil))
        }

        func close(_ id: UInt32, because reason: CloseReason) async throws {
            try await sendEvent(.closed(id: id, reason: reason))
        }

        private func sendEvent(_ event: NotificationEvent) async throws {
            let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
            sink.yield(event)
            sink.finish()
            try await notificationActions.handleEvents(events)
        }
    }

    private func asking(showsQuestions: Bool = true) throws -> Asking {
        let runtime = RuntimeEnvironment(time)
        let screen = fixture.screen(server, notificationController, runtime)
        let questions = try Questions(
            store: fixture.store, screen: screen, showsQuestions: showsQuestions,
            hasPendingReplies: { false }, effects: recorders, confirm: {}, runtime: runtime,
            logger: .silent)
        return Asking(
            questions: questions, screen: screen,
            notificationActions: try fixture.notificationActions(screen, questions))
    }

    /// Effects that record the kind of each answered question and the answer.
    private var recorders: [Question.Kind: Questions.Effect] {
        let kinds = [Question.Kind.permission, .consent, .app]
        return Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                (
                    kind,
                    { [effects] (_: Question, allow: Bool) in
                        effects.value.append("\(kind) \(allow)")
                        return nil
                    }
                )
            })
    }

    private func questions() throws -> Questions { try asking().questions }

    private func waitUntilRecorded(_ id: UInt32, to asking: Asking) async throws {
        try await eventually("the notification is recorded") { asking.screen.notification(withID: id) != nil }
    }

    private func waitUntilShown(_ count: Int) async throws {
        try await eventually("\(count) questions shown") { server.shown.count >= count }
    }

    @Test(arguments: [Question.permission, .consent, .app(FeedbackToken("t"), account: nil)])
    func `The text of a question fits on one line`(_ question: Question) {
        #expect(question.text(for: .user).question.english.count <= 36)
    }

    @Test(arguments: [Question.permission, .consent, .app(FeedbackToken("t"), account: nil)])
    func `The details of a question are two sentences without internal names`(_ question: Question) {
        let text = question.text(for: .user)
        let detail = text.detail.map(\.english).joined(separator: " ")
        #expect(detail.matches(of: #/\.( |$)/#).count == 2 && detail.hasSuffix("."))
        #expect(!(text.question.english + detail).contains(#/[`_{}]|cutied|preview/#))
        #expect(!question.makeNotification(withActions: false, for: .user).body.contains("`"))
    }

    @Test
    func `Only the notification of a question that the user caused stays open until the user answers`() {
        for question in [Question.permission, .consent] {
            let notification = question.makeNotification(withActions: true, for: .user)
            #expect(
                notification.urgency == .low && notification.isTransient
                    && notification.expireMilliseconds == nil)
        }
        let asked = Question.app("t", account: nil).makeNotification(withActions: true, for: .user)
        #expect(asked.urgency == .normal && !asked.isTransient && asked.expireMilliseconds == 0)
    }

    @Test func `A question has two answer buttons, and only the first click has an effect`() async throws {
        let asking = try asking()
        try await running(asking.questions.run) {
            try asking.questions.ask(.consent)
            try await waitUntilShown(1)
            let notification = server.shown[0]
            #expect(notification.notification.actions.map(\.id) == ["default", "allow", "refuse"])
            try await waitUntilRecorded(notification.id, to: asking)
            try await asking.click("allow", on: notification.id)
            try await asking.click("refuse", on: notification.id)
            #expect(effects.value == ["consent true"])
            try await eventually("the notification closed") { server.closed == [notification.id] }
        }
    }

    @Test func `A click on an unknown answer button has no effect`() async throws {
        let asking = try asking()
        try await running(asking.questions.run) {
            try asking.questions.ask(.consent)
            try await waitUntilRecorded(1, to: asking)
            for action in ["open", "retry", "anything"] { try await asking.click(action, on: 1) }
            #expect(try asking.questions.fetchOpenQuestions().count == 1)
            #expect(effects.value.isEmpty)
        }
    }

    @Test func `A click on the body of a question opens the window, and the question stays pending`()
        async throws
    {
        let asking = try asking()
        try await running(asking.questions.run) {
            let record = try asking.questions.ask(.permission)
            try await waitUntilRecorded(1, to: asking)
            try await asking.click("default", on: 1)
            try await asking.close(1, because: .dismissed)
            let next = try asking.questions.ask(.app("t", account: nil))
            // The window program is not installed in this fixture, so the third notification reports that the
            // window is missing.
            try await waitUntilShown(3)
            let summaries = server.shown.map(\.notification.summary)
            #expect(
                summaries.filter { $0 == Question.permission.text(for: .user).question.english }.count == 1)
            #expect(try asking.questions.fetchOpenQuestions().map(\.id) == [record.id, next.id])
            #expect(effects.value.isEmpty)
            _ = try await asking.questions.answerQuestion(record.id, isAllowed: true)
            #expect(effects.value == ["permission true"])
        }
    }

    @Test
    func `An answer in another program closes the question's notification, and a second answer is refused`()
        async throws
    {
        let questions = try questions()
        try await running(questions.run) {
            let record = try questions.ask(.consent)
            try await waitUntilShown(1)
            _ = try await questions.answerQuestion(record.id, isAllowed: false)
            await #expect(throws: NotFound.self) {
                try await asClient { _ = try await questions.answerQuestion(record.id, isAllowed: true) }
            }
            #expect(effects.value == ["consent false"])
            try await eventually("the notification closed") { server.closed == [server.shown[0].id] }
        }
    }

    @Test func `A question has a notification only while no focused window displays the questions`()
        async throws
    {
        let asking = try asking()
        try await running(asking.questions.run) {
            notificationController.beginDisplayingQuestions()
            try asking.questions.ask(.app("t", account: nil))
            try await time.waitForEventLoop()
            #expect(server.shown.isEmpty)
            notificationController.endDisplayingQuestions()
            try await waitUntilRecorded(1, to: asking)
            notificationController.beginDisplayingQuestions()
            try await eventually("the notification is closed") { server.closed == [1] }
            #expect(try asking.questions.fetchOpenQuestions().count == 1)
            notificationController.endDisplayingQuestions()
            try await waitUntilShown(2)
        }
    }

    @Test func `A question from the daemon is shown once a day and replaces its previous notification`()
        async throws
    {
        let first = try asking()
        try await running(first.questions.run) {
            try first.questions.ask(.consent)
            try await waitUntilRecorded(1, to: first)
        }
        let second = try asking()
        try await running(second.questions.run) {
            try await eventually("the previous run's notification is closed") { server.closed == [1] }
            try second.questions.ask(.app("t", account: nil))
            try await waitUntilShown(2)
            #expect(second.screen.state.notifications.count == 1)
            #expect(server.shown[1].notification.stackTag == "cutied-question-app")
            try second.questions.closeQuestions(of: .app)
        }
        time.set(.base(plus: 86_400))
        try await running(questions().run) { try await waitUntilShown(3) }
        #expect(server.shown[2].notification.stackTag == "cutied-question-consent")
    }

    @Test func `Setting the clock back does not repeat a question on each launch`() async throws {
        for start in [Timestamp.base, .base(plus: -90_000), .base(plus: -300_000), .base(plus: 86_399)] {
            time.set(start)
            let asking = try asking()
            try await running(asking.questions.run) {
                try asking.questions.ask(.consent)
                try asking.questions.ask(.app(FeedbackToken("\(start)"), account: nil))
                try await waitUntilOthersShown(asking)
            }
        }
        #expect(server.shown.count { $0.notification.stackTag == "cutied-question-consent" } == 1)
    }

    /// Waits until every pending question except the consent question is shown.
    private func waitUntilOthersShown(_ asking: Asking) async throws {
        try await eventually("the other question is shown") {
            try asking.questions.fetchOpenQuestions().allSatisfy {
                $0.kind == "consent" || asking.screen.state.isFromThisRun(notificationOf: .question($0.id))
            }
        }
    }

    @Test func `A question that expired is not shown again on the same day`() async throws {
        let asking = try asking()
        try await running(asking.questions.run) {
            try asking.questions.ask(.consent)
            try await waitUntilRecorded(1, to: asking)
            try await asking.close(1, because: .expired)
            try asking.questions.ask(.app("t", account: nil))
            try await waitUntilOthersShown(asking)
        }
        let tags = ["cutied-question-consent", "cutied-question-app"]
        #expect(server.shown.map(\.notification.stackTag) == tags)
        #expect(try asking.questions.fetchOpenQuestions().map(\.kind).contains("consent"))
    }

    @Test func `After a restart, a question about a link replaces its previous notification`() async throws {
        let first = try asking()
        try await running(first.questions.run) {
            try first.questions.ask(.app("t", account: nil))
            try await waitUntilRecorded(1, to: first)
        }
        let second = try questions()
        try await running(second.run) {
            try await waitUntilShown(2)
            #expect(server.shown[1].replaced == server.shown[0].id)
        }
        server.set { $0.name = "another" }
        let third = try questions()
        try await running(third.run) {
            try await waitUntilShown(3)
            #expect(server.shown[2].replaced == nil)
        }
    }

    @Test func `A question is shown only once even if the store fails while the question is being shown`()
        async throws
    {
        let asking = try asking()
        try asking.questions.ask(.consent)
        try await fixture.runWithFailing("INSERT", of: "popup") {
            await #expect(throws: StoreError.self) { try await asking.questions.run() }
        }
        try await running(asking.questions.run) {
            try await asking.click("allow", on: server.shown[0].id)
            try await eventually("the notification closed") { server.closed == [server.shown[0].id] }
        }
        #expect(effects.value == ["consent true"])
        #expect(server.shown.count == 1)
    }

    @Test
    func `A question that the user closed is not shown again, but a late click is accepted as the answer`()
        async throws
    {
        let asking = try asking()
        try await running(asking.questions.run) {
            try asking.questions.ask(.permission)
            try await waitUntilRecorded(1, to: asking)
            try await asking.close(1, because: .dismissed)
            #expect(try asking.questions.fetchOpenQuestions().isEmpty)
            try await asking.click("refuse", on: 1)
            #expect(effects.value == ["permission false"])
        }
    }

    @Test func `Repeated questions of the same kind share one notification`() async throws {
        let questions = try questions()
        for number in 0..<20 { try questions.ask(.app(FeedbackToken("t\(number)"), account: nil)) }
        let again = try questions.ask(.app("t19", account: nil))
        #expect(try questions.fetchOpenQuestions().map(\.id) == [again.id])
        try await running(questions.run) { try await waitUntilShown(1) }
        #expect(server.shown.count == 1)
    }

    @Test func `A pause holds questions from the daemon, but not questions that the user caused`()
        async throws
    {
        notificationController.policy.pause = Policy.Pause(end: nil, isPrivate: false)
        let questions = try questions()
        try await running(questions.run) {
            try questions.ask(.consent)
            try questions.ask(.app("t", account: nil))
            try await waitUntilShown(1)
            #expect(server.shown[0].notification.stackTag == "cutied-question-app")
            notificationController.policy.pause = nil
            try await waitUntilShown(2)
            #expect(server.shown[1].notification.stackTag == "cutied-question-consent")
        }
    }

    @Test func `A question waits for a notification server, and is shown again by a new server`()
        async throws
    {
        server.set { $0.isThere = false }
        let asking = try asking()
        try await running(asking.questions.run) {
            try asking.questions.ask(.app("t", account: nil))
            server.set { $0.isThere = true }
            asking.questions.requestReevaluation()
            try await waitUntilRecorded(1, to: asking)
            server.set { $0.name = "other" }
            await asking.screen.queryServer()
            try await waitUntilShown(2)
        }
    }

    @Test func `A question that was asked in a terminal is withdrawn if the daemon restarts`() throws {
        let first = try questions()
        try first.ask(.app("t", account: nil), byNotification: false)
        #expect(try first.fetchOpenQuestions().count == 1)
        #expect(try questions().fetchOpenQuestions().isEmpty)
    }

    @Test func `A question is answered in a terminal if questions in notifications are disabled`()
        async throws
    {
        let questions = try asking(showsQuestions: false).questions
        try await running(questions.run) {
            let record = try questions.ask(.app("t", account: "work"))
            #expect(Question(record) == .app("t", account: "work"))
            questions.showsQuestions = true
            try await waitUntilShown(1)
        }
        #expect(server.shown.count == 1)
    }

    @Test
    func `If the notification server does not support buttons, a question names the command to answer it`() {
        #expect(
            Question.consent.makeNotification(withActions: false, for: .user).body.contains(
                "cutied ctl questions"))
        #expect(
            !Question.consent.makeNotification(withActions: true, for: .user).body.contains(
                "cutied ctl questions"))
    }
}
