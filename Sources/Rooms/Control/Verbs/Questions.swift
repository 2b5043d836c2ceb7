import ArgumentParser
import ControlAPI
import ControlClient
import Glibc
import Localization

struct QuestionsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "questions", abstract: "List what waits for your answer, or answer it.",
        discussion: """
            The same questions pop up on the desktop; the first answer counts.
            Examples:
              cutied ctl questions
              cutied ctl questions answer
              cutied ctl questions answer 3 allow
            """,
        subcommands: [List.self, Answer.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what waits, oldest first.")

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(ListQuestions())
        }
    }

    struct Answer: Verb {
        static let configuration = CommandConfiguration(
            commandName: "answer",
            abstract: "Answer one; on a terminal, without arguments, one after the other.")

        enum Word: String, CaseIterable, ExpressibleByArgument {
            case allow, refuse
        }

        @Argument(help: "Its id in the list.")
        var id: String?

        @Argument(help: "allow or refuse.")
        var answer: Word?

        @OptionGroup var options: CommonOptions

        func validate() throws {
            if id != nil, answer == nil { throw ValidationError("say allow or refuse after the id") }
        }

        func run(in session: Session) async throws {
            if let id, let answer {
                try await session.answer(AnswerQuestion(questionId: id, allow: answer == .allow))
            } else {
                try await askAll(in: session)
            }
        }

        private func askAll(in session: Session) async throws {
            guard let prompt = session.prompt else {
                throw CommandError(
                    .usage, "there is no terminal to ask on",
                    advice: "name one: `cutied ctl questions answer ID allow`")
            }
            let open = try await session.call(ListQuestions())
            if open.reply.questions.isEmpty { try session.print(open) }
            for question in open.reply.questions {
                guard let allow = try prompt.answer(to: question) else {
                    return try Output.error.write("\nleft open; `cutied ctl questions` lists it\n")
                }
                try await session.answer(AnswerQuestion(questionId: question.questionId, allow: allow))
            }
        }
    }
}

/// Asks the person in the terminal. Where there is none, nobody is asked.
struct TerminalPrompt: Sendable {
    /// Shows a text and returns the line that was typed; nil at the end of input.
    var ask: @Sendable (String) throws -> String?

    /// nil where standard input or output is not a terminal.
    static func ofThisProcess() -> TerminalPrompt? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        return TerminalPrompt { text in
            try Output.standard.write(text)
            return readLine()
        }
    }

    /// Wrong answers in a row that are borne.
    private static let mostAttempts = 3

    /// nil: nobody answered, or nothing that can be understood. Enter alone is no answer: what it would refuse
    /// may be refused for good.
    func answer(to question: QuestionView) throws -> Bool? {
        let text = [question.question, question.detail]
            .map { TerminalText.line(localized(received: $0)) }.joined(separator: "\n")
        let (allow, refuse) = (localized(received: question.allow), localized(received: question.refuse))
        let choice = TerminalText.line("y: \(allow) · n: \(refuse)")
        for _ in 0..<Self.mostAttempts {
            guard let line = try ask(text + "\n\(choice) [y/n] ") else { return nil }
            switch line.lowercased().filter({ !$0.isWhitespace }) {
            case "y", "yes": return true
            case "n", "no": return false
            default: continue
            }
        }
        return nil
    }
}

extension ListQuestions.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if questions.isEmpty { return "nothing waits for your answer\n" }
        return questions.map { question in
            let heading = format.paint(TerminalText.line(question.question), .bold)
            let choice = "allow: \(question.allow) · refuse: \(question.refuse)"
            return """
                \(TerminalText.line(question.questionId))  \(heading)  \(format.relative(question.askedAt))
                   \(TerminalText.line(question.detail))
                   \(TerminalText.line(choice))

                """
        }.joined()
    }
}

extension AnswerQuestion.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        account.map { "\(TerminalText.line($0)) was added; its replies are shown here from now on\n" }
            ?? "answered\n"
    }
}
