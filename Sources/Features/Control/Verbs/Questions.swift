import ArgumentParser
import ControlAPI
import ControlClient
import Localization

struct QuestionsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "questions", abstract: "List or answer open questions.",
        discussion: """
            The same questions are shown as notifications; the first answer counts.
            Examples:
              cutied ctl questions
              cutied ctl questions answer
              cutied ctl questions answer 3 allow
              cutied ctl questions answer 4 allow --service 'Help Desk'
            """,
        subcommands: [List.self, Answer.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List open questions, oldest first.")

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ListQuestions())
        }
    }

    struct Answer: Verb {
        static let configuration = CommandConfiguration(
            commandName: "answer",
            abstract: "Answer one question; without arguments, all of them in turn (needs a terminal).")

        enum Word: String, CaseIterable, ExpressibleByArgument {
            case allow, refuse
        }

        @Argument(help: "Id of the question, as in the list.")
        var id: String?

        @Argument(help: "The answer: allow or refuse.")
        var answer: Word?

        @Option(
            name: .customLong("service"),
            help: .init(
                "Allow only this service; may be repeated. Default: all listed services.",
                valueName: "name"),
            completion: .services)
        var services: [String] = []

        @OptionGroup var options: CommonOptions

        func validate() throws {
            if id != nil, answer == nil { throw ValidationError("specify allow or refuse after the id") }
            if !services.isEmpty, answer != .allow {
                throw ValidationError("--service can be used only with ID allow")
            }
        }

        func run(in session: Session) async throws {
            if let id, let answer {
                let chosen = services.isEmpty ? nil : services
                try await session.submit(
                    AnswerQuestion(questionId: id, allow: answer == .allow, services: chosen))
            } else {
                try await askAllQuestions(in: session)
            }
        }

        private func askAllQuestions(in session: Session) async throws {
            guard let prompt = session.prompt else {
                throw CommandError(
                    .usage, "there is no terminal to ask the questions",
                    advice: "answer one question by id: `cutied ctl questions answer ID allow`")
            }
            let open = try await session.call(ListQuestions())
            if open.reply.questions.isEmpty { try session.print(open) }
            for question in open.reply.questions {
                guard let decision = try prompt.askForDecision(on: question) else {
                    return try Output.error.write("\nnot answered; `cutied ctl questions` lists it\n")
                }
                try await session.submit(decision.makeAnswer(toQuestion: question.questionId))
            }
        }
    }
}

extension TerminalPrompt.Decision {
    func makeAnswer(toQuestion question: String) -> AnswerQuestion {
        switch self {
        case .refuse: AnswerQuestion(questionId: question, allow: false)
        case .allow(let services): AnswerQuestion(questionId: question, allow: true, services: services)
        }
    }
}

extension ListQuestions.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if questions.isEmpty { return "no open questions\n" }
        return questions.map { $0.text(in: format) }.joined()
    }
}

extension QuestionView {
    fileprivate func text(in format: TextFormat) -> String {
        let heading = format.styled(TerminalText.singleLine(question), as: .bold)
        let first =
            "\(TerminalText.singleLine(questionId))  \(heading)  \(format.relativeTimeText(for: askedAt))\n"
        let rest = explanation + ["allow: \(allow) · refuse: \(refuse)"]
        return first + rest.map { "   " + TerminalText.singleLine($0) + "\n" }.joined()
    }

    private var explanation: [String] {
        if choices.isEmpty { return [detail] }
        return requestLines + [choices.count > 1 ? heading : "service:"] + choices.map { "  " + $0 }
    }

    private var heading: String {
        if single == true { return "services; choose one with --service (default: the first):" }
        let services = services ?? []
        return services.uniquedByLink.count < services.count
            ? "services; choose with --service (default: all, each with its first account):"
            : "services; choose with --service (default: all):"
    }

    /// The app and its request; empty if the question does not offer services.
    var requestLines: [String] {
        guard let protocols else { return [] }
        let asker = app.map { name in
            verified == true
                ? "app: \(name), verified" : "app: \(name), unverified: any program can use this name"
        }
        let wishes = protocols.map(protocolLabel).joined(separator: ", ")
        return [asker, wishes.isEmpty ? nil : "wants to: " + wishes].compactMap(\.self)
    }

    /// A line for each service, starting with the value for `--service`.
    var choices: [String] {
        let services = services ?? []
        let namesAccounts = Set(services.map(\.account)).count > 1
        return services.map { service in
            let isOnly = services.count { $0.name == service.name } == 1
            let names = isOnly ? [service.name, service.host] : [service.selectionID, service.name]
            let rest = [namesAccounts ? "as \(service.account)" : nil, service.used ? "used before" : nil]
            return (names + rest.compactMap(\.self)).joined(separator: "  ")
        }
    }
}

extension Session {
    /// Answers a question and prints the result.
    func submit(_ answer: AnswerQuestion) async throws {
        let result = try await call(answer)
        if json { return try output.write(result.line) }
        guard let account = result.reply.account else { return try output.write("answered\n") }
        // Look up the name of the app, because the reply contains only the account, which the user does not
        // know.
        let app = try? await call(ListApps()).reply.apps.first { $0.account == account }
        let name = app?.appName ?? app?.appId ?? account
        try output.write("\(TerminalText.singleLine(name)) was added; its replies are now shown here\n")
    }
}
