import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Store
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct QuestionTests {
    private let desk: Desk
    private let server = FakePopupServer()
    private let policy = Shared(Policy())
    private let effects = Shared<[String]>([])

    init() throws { desk = try Desk() }

    private let now = Shared(Timestamp.base)

    private func questions(mayPopUp: Bool = true) throws -> Questions {
        let surroundings = Surroundings(
            clock: ContinuousClock(), now: { [now] in now.value }, random: { 0.5 })
        let questions = try Questions(
            store: desk.store, notifier: server, policy: { [policy] in policy.value },
            session: { $0.name }, mayPopUp: mayPopUp, surroundings: surroundings, logger: .silent)
        for kind in [Question.Kind.permission, .consent, .app] {
            questions.effects[kind] = { [effects] _, allow in
                effects.value.append("\(kind) \(allow)")
                return nil
            }
        }
        return questions
    }

    private func shown(_ count: Int) async throws {
        try await eventually("\(count) questions shown") { server.shown.count >= count }
    }

    @Test(arguments: [Question.permission, .consent, .app(FeedbackToken("t"), account: nil)])
    func `A question is read whole where a server has one line for it`(_ question: Question) {
        #expect(question.words.question.count <= 36)
    }

    @Test(arguments: [Question.permission, .consent, .app(FeedbackToken("t"), account: nil)])
    func `A question has two plain sentences`(_ question: Question) {
        let detail = question.words.detail
        #expect(detail.matches(of: #/\.( |$)/#).count == 2 && detail.hasSuffix("."))
        #expect(!(question.words.question + detail).contains(#/[`_{}]|cutied|preview/#))
        #expect(!question.popup(withActions: false).body.contains("`"))
    }

    @Test func `Only what the person asked for stays on the screen until it is answered`() {
        for question in [Question.permission, .consent] {
            let popup = question.popup(withActions: true)
            #expect(popup.urgency == .low && popup.isTransient && popup.expireMilliseconds == nil)
        }
        let asked = Question.app("t", account: nil).popup(withActions: true)
        #expect(asked.urgency == .normal && !asked.isTransient && asked.expireMilliseconds == 0)
    }

    @Test func `A question pops up with its two answers, and a click has its effect once`() async throws {
        let questions = try questions()
        try await running(questions.run) {
            try questions.ask(.consent)
            try await shown(1)
            let popup = server.shown[0]
            #expect(popup.popup.actions.map(\.id) == ["allow", "refuse"])
            try await eventually("the pop-up is known") { questions.live[popup.id] != nil }
            let first = try #require(try questions.act("allow", on: popup.id))
            await first()
            let second = try #require(try questions.act("refuse", on: popup.id))
            await second()
            #expect(effects.value == ["consent true"])
            try await eventually("the pop-up closed") { server.closed == [popup.id] }
        }
    }

    @Test func `Answered elsewhere, the pop-up goes, and a second answer is refused`() async throws {
        let questions = try questions()
        try await running(questions.run) {
            let record = try questions.ask(.consent)
            try await shown(1)
            _ = try await questions.answer(record.id, allow: false)
            await #expect(throws: NotFound.self) { _ = try await questions.answer(record.id, allow: true) }
            #expect(effects.value == ["consent false"])
            try await eventually("the pop-up closed") { server.closed == [server.shown[0].id] }
        }
    }

    @Test func `What nobody asked for is asked once a day, and its earlier pop-up goes`() async throws {
        let first = try questions()
        try await running(first.run) {
            try first.ask(.consent)
            try await eventually("shown") { !first.live.isEmpty }
        }
        let second = try questions()
        try await running(second.run) {
            try await eventually("the pop-up without ears goes") { server.closed == [1] }
            try second.ask(.app("t", account: nil))
            try await shown(2)
            #expect(second.live.count == 1)
            #expect(server.shown[1].popup.stackTag == "cutied-question-app")
            try second.withdraw(.app)
        }
        now.value = .base(plus: 86_400)
        try await running(questions().run) { try await shown(3) }
        #expect(server.shown[2].popup.stackTag == "cutied-question-consent")
    }

    @Test func `A clock that is put back does not have it asked at each start`() async throws {
        for start in [Timestamp.base, .base(plus: -90_000), .base(plus: -300_000), .base(plus: 86_399)] {
            now.value = start
            let questions = try questions()
            try await running(questions.run) {
                try questions.ask(.consent)
                try questions.ask(.app(FeedbackToken("\(start)"), account: nil))
                try await eventually("the other is shown") {
                    try questions.open().allSatisfy { $0.kind == "consent" || $0.notification != nil }
                }
            }
        }
        #expect(server.shown.count { $0.popup.stackTag == "cutied-question-consent" } == 1)
    }

    @Test func `One that left the screen by itself is not asked again the same day`() async throws {
        let questions = try questions()
        try await running(questions.run) {
            try questions.ask(.consent)
            try await eventually("shown") { !questions.live.isEmpty }
            try questions.closed(1, because: .expired)
            try questions.ask(.app("t", account: nil))
            try await eventually("the other is shown") {
                try questions.open().allSatisfy { $0.kind == "consent" || $0.notification != nil }
            }
        }
        let tags = ["cutied-question-consent", "cutied-question-app"]
        #expect(server.shown.map(\.popup.stackTag) == tags)
        #expect(try questions.open().map(\.kind).contains("consent"))
    }

    @Test func `After a restart a link's question is asked again in the same place`() async throws {
        let first = try questions()
        try await running(first.run) {
            try first.ask(.app("t", account: nil))
            try await eventually("shown") { !first.live.isEmpty }
        }
        let second = try questions()
        try await running(second.run) {
            try await shown(2)
            #expect(server.shown[1].replaced == server.shown[0].id)
        }
        server.set { $0.name = "another" }
        let third = try questions()
        try await running(third.run) {
            try await shown(3)
            #expect(server.shown[2].replaced == nil)
        }
    }

    @Test func `A question pops up once, though the store cannot note where`() async throws {
        let questions = try questions()
        try questions.ask(.consent)
        try await desk.failing("UPDATE", of: "question") {
            await #expect(throws: StoreError.self) { try await questions.run() }
        }
        try await running(questions.run) {
            let click = try #require(try questions.act("allow", on: server.shown[0].id))
            await click()
            try await eventually("the pop-up closed") { server.closed == [server.shown[0].id] }
        }
        #expect(effects.value == ["consent true"])
        #expect(server.shown.count == 1)
    }

    @Test func `A person who closes it is not asked again, but the click that closed it counts`() async throws
    {
        let questions = try questions()
        try await running(questions.run) {
            try questions.ask(.permission)
            try await eventually("shown") { !questions.live.isEmpty }
            let id = server.shown[0].id
            try questions.closed(id, because: .dismissed)
            #expect(try questions.open().isEmpty)
            let click = try #require(try questions.act("refuse", on: id))
            await click()
            #expect(effects.value == ["permission false"])
        }
    }

    @Test func `Whoever asks again and again gets one pop-up`() async throws {
        let questions = try questions()
        for number in 0..<20 { try questions.ask(.app(FeedbackToken("t\(number)"), account: nil)) }
        let again = try questions.ask(.app("t19", account: nil))
        #expect(try questions.open().map(\.id) == [again.id])
        try await running(questions.run) { try await shown(1) }
        #expect(server.shown.count == 1)
    }

    @Test func `A pause holds what nobody asked for, and not what the person clicked`() async throws {
        policy.value.pause = Policy.Pause(end: nil, isPrivate: false)
        let questions = try questions()
        try await running(questions.run) {
            try questions.ask(.consent)
            try questions.ask(.app("t", account: nil))
            try await shown(1)
            #expect(server.shown[0].popup.stackTag == "cutied-question-app")
            policy.value.pause = nil
            questions.reconsider()
            try await shown(2)
            #expect(server.shown[1].popup.stackTag == "cutied-question-consent")
        }
    }

    @Test func `Without a notification server it waits for one, and a lost one is asked anew`() async throws {
        server.set { $0.isThere = false }
        let questions = try questions()
        try await running(questions.run) {
            try questions.ask(.app("t", account: nil))
            server.set { $0.isThere = true }
            questions.reconsider()
            try await eventually("shown") { !questions.live.isEmpty }
            questions.serverLost()
            try await shown(2)
        }
    }

    @Test func `The terminal that asked and is gone asks no more`() throws {
        let first = try questions()
        try first.ask(.app("t", account: nil), byPopup: false)
        #expect(try first.open().count == 1)
        #expect(try questions().open().isEmpty)
    }

    @Test func `Without pop-ups a question waits for a terminal`() async throws {
        let questions = try questions(mayPopUp: false)
        try await running(questions.run) {
            let record = try questions.ask(.app("t", account: "work"))
            #expect(Question(record) == .app("t", account: "work"))
            questions.mayPopUp = true
            try await shown(1)
        }
        #expect(server.shown.count == 1)
    }

    @Test func `A server that knows no buttons is told how to answer`() {
        #expect(Question.consent.popup(withActions: false).body.contains("cutied ctl questions"))
        #expect(!Question.consent.popup(withActions: true).body.contains("cutied ctl questions"))
    }
}
