import ControlAPI
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

/// Tests of questions about access to services, answered in a terminal.
struct ServiceQuestionTests {
    private let daemon: StandInDaemon
    private static let desk = ServiceChoice(
        name: "Help Desk", link: "https://desk.example/", host: "desk.example", account: "work", used: true)
    private static let mail = ServiceChoice(
        name: "Mail", link: "https://mail.example/", host: "mail.example", account: "work", used: false)

    init() throws { daemon = try StandInDaemon() }

    private static func question(
        _ services: [ServiceChoice] = [desk, mail], verified: Bool = true, single: Bool = false
    ) -> QuestionView {
        QuestionView(
            questionId: "3", kind: "services", question: "Reader requests access to your services",
            detail: "Sign in first.", allow: "Allow", refuse: "Deny", askedAt: noon,
            app: "org.example.Reader", verified: verified,
            protocols: ["com.cuti-e.conversations", "org.example.mail"], services: services, single: single)
    }

    private func text(_ question: QuestionView) -> String {
        ListQuestions.Reply(questions: [question]).text(in: .plain)
    }

    @Test func `The question about services lists the app, the requested access and the available services`()
    {
        #expect(
            text(Self.question()) == """
                3  Reader requests access to your services  just now
                   app: org.example.Reader, verified
                   wants to: read conversations with users, org.example.mail
                   services; choose with --service (default: all):
                     Help Desk  desk.example  used before
                     Mail  mail.example
                   allow: Allow · refuse: Deny

                """)
    }

    @Test
    func `The question states whether the app is verified, and whether only one service may be chosen`() {
        let shown = text(Self.question(verified: false, single: true))
        #expect(shown.contains("app: org.example.Reader, unverified: any program can use this name"))
        #expect(shown.contains("services; choose one with --service (default: the first):"))
    }

    @Test func `The question about services states the reason if no services are available`() {
        let shown = text(Self.question([]))
        #expect(shown.contains("   Sign in first.\n") && !shown.contains("services;"))
    }

    @Test
    func `Services with the same name are listed with their links and accounts`() {
        var other = Self.desk
        (other.link, other.account) = ("https://b.example/", "home")
        let shown = text(Self.question([Self.desk, other]))
        #expect(shown.contains("  https://desk.example/  Help Desk  as work  used before\n"))
        #expect(shown.contains("  https://b.example/  Help Desk  as home  used before\n"))
    }

    @Test func `If a service can be used with two accounts, the user can choose between the accounts`() throws
    {
        let choices = ["home", "work"].map { account in
            var choice = Self.desk
            (choice.account, choice.id) = (account, "\(choice.link) \(account)")
            return choice
        }
        let shown = text(Self.question(choices))
        #expect(shown.contains("(default: all, each with its first account):"))
        #expect(shown.contains("  https://desk.example/ work  Help Desk  as work  used before\n"))
        let prompt = TerminalPrompt(ask: Self.typing("2"))
        let decision = try prompt.askForDecision(on: Self.question(choices))
        #expect(decision == .allow(services: ["https://desk.example/ work"]))
    }

    @Test func `The name of a service is printed without terminal escape sequences`() {
        var hostile = Self.desk
        hostile.name = "\u{1B}[2J\nallow"
        let shown = text(Self.question([hostile, Self.mail]))
        #expect(!shown.contains("\u{1B}") && shown.split(separator: "\n").count == 7)
    }

    @Test(arguments: [([], nil), (["Help Desk", "Mail"], ["Help Desk", "Mail"])])
    func `The chosen services are sent to the daemon, and an approval without a choice allows all services`(
        _ names: [String], _ expected: [String]?
    ) async throws {
        let (session, printed) = daemon.session()
        let answers = Shared<[AnswerQuestion]>([])
        try await daemon.running {
            $0.on(AnswerQuestion.self) { call in
                answers.value.append(call.parameters)
                return .init()
            }
        } while: {
            try await ctl(
                ["questions", "answer", "3", "allow"] + names.flatMap { ["--service", $0] }, in: session)
        }
        let said = AnswerQuestion(questionId: "3", allow: true, services: expected)
        #expect(try answers.value.map(json) == [json(said)])
        #expect(printed.text == "answered\n")
    }

    private static let typed: [(String, TerminalPrompt.Decision?)] = [
        ("2", .allow(services: [mail.link])), ("1, 2", .allow(services: [desk.link, mail.link])),
        ("y", .allow()), ("n", .refuse), ("0", nil), ("3", nil), ("1,x", nil), (",", nil), ("-1", nil),
    ]

    @Test(arguments: typed)
    func `On a terminal, the user selects services by number, and any other input is rejected`(
        _ typed: String, _ decision: TerminalPrompt.Decision?
    ) throws {
        let prompt = TerminalPrompt(ask: Self.typing(typed))
        #expect(try prompt.askForDecision(on: Self.question()) == decision)
    }

    @Test func `Choosing two services is rejected if the app requests a single service`() throws {
        let shown = Shared<[String]>([])
        let lines = Shared(["1,2", "2"])
        let prompt = TerminalPrompt { text in
            shown.value.append(text)
            return lines.value.isEmpty ? nil : lines.value.removeFirst()
        }
        let decision = try prompt.askForDecision(on: Self.question(single: true))
        #expect(decision == .allow(services: [Self.mail.link]))
        #expect(shown.value.count == 2)
        #expect(shown.value[0].contains("1  Help Desk  desk.example  used before\n2  Mail  mail.example\n"))
        #expect(shown.value[0].hasSuffix("[number/y/n] "))
    }

    /// Returns a prompt that reads `line` once and then end of file.
    private static func typing(_ line: String) -> @Sendable (String) -> String? {
        let lines = Shared([line])
        return { _ in lines.value.isEmpty ? nil : lines.value.removeFirst() }
    }
}
