import ArgumentParser
import ControlAPI
import CutieAPI
import Platform
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

struct AppVerbTests {
    private let daemon: StandInDaemon
    private static let pass = HandOverApp.Reply(
        account: "default", token: "cutie_ft_1", link: "cutie://link?token=cutie_ft_1")

    init() throws { daemon = try StandInDaemon() }

    private func opening(
        _ session: Session, _ handler: LinkHandler?, starts: Bool = true, _ opened: Shared<[String]>
    ) -> FeedbackAppOpener {
        FeedbackAppOpener(session: session, handler: handler) { link in
            opened.value.append(link)
            return starts
        }
    }

    private func handler(_ id: String) -> LinkHandler { LinkHandler(id: id, name: "Feedback") }

    @Test func `A Feedback App link is opened with the link handler of the desktop`() async throws {
        let (session, printed) = daemon.session()
        let opened = Shared<[String]>([])
        try await daemon.running {
            $0.on(HandOverApp.self) { _ in Self.pass }
        } while: {
            try await opening(session, handler("feedback.desktop"), opened).openApp(account: nil)
        }
        #expect(opened.value == [Self.pass.link])
        #expect(printed.text == "opened with Feedback\n")
    }

    @Test
    func
        `If cutied itself is the link handler, the command ctl app open lists the inbox and creates no token`()
        async throws
    {
        let (session, printed) = daemon.session()
        let opened = Shared<[String]>([])
        try await daemon.running {
            $0.on(ListConversations.self) { _ in
                .init(conversations: [], badge: BadgeView(total: 0, conversations: [:]))
            }
        } while: {
            try await opening(session, handler("io.cutied.Cutied.desktop"), opened).openApp(account: nil)
        }
        #expect(opened.value.isEmpty)
        #expect(printed.text == "no conversations\n")
    }

    @Test func `Each error that concerns a Feedback App link has a different message`() async throws {
        let (session, _) = daemon.session()
        let opened = Shared<[String]>([])
        let none = await #expect(throws: CommandError.self) {
            try await opening(session, nil, opened).openApp(account: nil)
        }
        #expect(none?.status == .failed && none?.sentence.contains("no app") == true)
        let faults: [(any ControlFault, Control.ExitStatus, String)] = [
            (NotConfigured(reason: "no App ID is configured"), .configuration, "no App ID"),
            (
                NotAuthorized(reason: "the service does not accept the App ID x"), .notAuthorized,
                "does not accept the App ID"
            ),
            (
                ServerError(status: 503, reason: "the server returned 503"), .unreachable,
                "server returned 503"
            ),
            (InvalidResponse(reason: "it has no token"), .invalidResponse, "an invalid response"),
        ]
        for (fault, status, words) in faults {
            let complaint = CommandError(fault)
            #expect(complaint.status == status)
            #expect(complaint.line.contains(words))
        }
        #expect(Set(faults.map(\.1.rawValue) + [Control.ExitStatus.failed.rawValue]).count == 5)
    }

    @Test func `The error suggests an alternative if the link handler fails to start`() async throws {
        let (session, _) = daemon.session()
        let opened = Shared<[String]>([])
        let cancelled = Shared<[String]>([])
        try await daemon.running {
            $0.on(HandOverApp.self) { _ in Self.pass }
                .on(CancelHandOver.self) { call in
                    cancelled.value.append(call.parameters.token)
                    return .init()
                }
        } while: {
            let complaint = await #expect(throws: CommandError.self) {
                try await opening(session, handler("x.desktop"), starts: false, opened).openApp(account: nil)
            }
            #expect(complaint?.advice.contains("app code") == true)
            #expect(complaint?.line.contains("cutie_ft_1") == false)
        }
        #expect(cancelled.value == ["cutie_ft_1"])
    }

    @Test func `The code of a Feedback App link is printed on a separate line`() {
        #expect(Self.pass.text(in: .plain).split(separator: "\n").contains("cutie_ft_1"))
    }
}

struct QuestionVerbTests {
    private let daemon: StandInDaemon
    private let question = QuestionView(
        questionId: "3", kind: "consent", question: "May they?", detail: "They would.", allow: "Allow",
        refuse: "Deny", askedAt: noon)

    init() throws { daemon = try StandInDaemon() }

    private func answering(_ typed: String?...) -> TerminalPrompt {
        let lines = Shared(typed)
        return TerminalPrompt { _ in lines.value.isEmpty ? nil : lines.value.removeFirst() }
    }

    @Test(arguments: [
        ("y", true), ("YES ", true), ("n", false), ("", nil), ("no", false),
    ])
    func `Only "y" or "yes" allows access, and an empty line does not count as an answer`(
        _ typed: String, allows: Bool?
    ) throws {
        #expect(try answering(typed).askForDecision(on: question)?.isAllowed == allows)
    }

    @Test func `End of file and unknown input do not count as answers`() throws {
        #expect(try answering(nil).askForDecision(on: question) == nil)
        #expect(try answering("yep", "?", "?", "y").askForDecision(on: question) == nil)
    }

    /// Runs `questions answer` with `count` pending questions and the typed lines `typed`. Returns the
    /// decisions and the output.
    private func answers(toOpen count: Int, typed: String?...) async throws -> (allowed: [Bool], text: String)
    {
        var (session, printed) = daemon.session()
        let lines = Shared(typed)
        session.prompt = TerminalPrompt { _ in lines.value.isEmpty ? nil : lines.value.removeFirst() }
        let answers = Shared<[Bool]>([])
        try await daemon.running {
            $0.on(ListQuestions.self) { _ in .init(questions: Array(repeating: question, count: count)) }
                .on(AnswerQuestion.self) { call in
                    answers.value.append(call.parameters.allow)
                    return .init()
                }
        } while: {
            try await ctl("questions", "answer", in: session)
        }
        return (answers.value, printed.text)
    }

    @Test func `Ctrl-D leaves the remaining questions unanswered`() async throws {
        let (allowed, text) = try await answers(toOpen: 3, typed: "y", nil)
        #expect(allowed == [true] && text == "answered\n")
    }

    @Test func `On a terminal, pending questions are asked one after the other`() async throws {
        let (allowed, text) = try await answers(toOpen: 2, typed: "y", "n")
        #expect(allowed == [true, false] && text == "answered\nanswered\n")
    }

    @Test
    func
        `A question is shown as a notification if there is no terminal, and the exit code of a refusal is 1`()
        async throws
    {
        var (session, printed) = daemon.session()
        let calls = Shared<[Bool?]>([])
        try await daemon.running {
            $0.on(TakeApp.self) { call in
                calls.value.append(call.parameters.quiet)
                return .init(question: question)
            }
            .on(AnswerQuestion.self) { _ in .init() }
        } while: {
            try await AppHandOverPrompt(session: session).askToAddApp(withToken: "t")
            for typed in ["n", nil] {
                session.prompt = answering(typed)
                await #expect(throws: ExitCode(1)) {
                    try await AppHandOverPrompt(session: session).askToAddApp(withToken: "t")
                }
            }
        }
        #expect(calls.value == [nil, true, true])
        #expect(printed.text.hasPrefix("answer the question in the notification, or run "))
        #expect(printed.text.hasSuffix("denied; nothing was added\n"))
    }

    @Test(arguments: [("Sandbox", "Sandbox"), (nil, "app_1"), ("", "sandbox")])
    func `The message about an added account contains the app's name, or the App ID if the app has no name`(
        app: String?, name: String
    ) async throws {
        var (session, printed) = daemon.session()
        session.prompt = answering("y")
        let answer = { try await ctl("questions", "answer", "3", "allow", in: $0) }
        try await daemon.running {
            $0.on(TakeApp.self) { _ in .init(question: question) }
                .on(AnswerQuestion.self) { _ in .init(account: "sandbox") }
                .on(ListApps.self) { _ in
                    // Simulates that the request fails because the daemon restarts. The output must then
                    // contain the account name instead of the app name.
                    guard app != "" else { throw NotFound(what: "method", id: "") }
                    let apps = [("other", "Other"), ("sandbox", app)]
                    return .init(
                        apps: apps.map {
                            AppView(
                                account: $0, appId: "app_1", appName: $1, apiUrl: "https://x", addedAt: noon)
                        })
                }
        } while: {
            try await AppHandOverPrompt(session: session).askToAddApp(withToken: "t")
            try await answer(session)
        }
        let sentence = "\(name) was added; its replies are now shown here\n"
        #expect(printed.text.hasSuffix(sentence + sentence))
    }
}
