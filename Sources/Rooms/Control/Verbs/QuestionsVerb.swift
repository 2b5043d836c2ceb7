import ArgumentParser
import ControlAPI

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

        @OptionGroup var talk: TalkOptions

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

        @OptionGroup var talk: TalkOptions

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
            guard let asker = session.asker else {
                throw Complaint(
                    .usage, "there is no terminal to ask on",
                    advice: "name one: `cutied ctl questions answer ID allow`")
            }
            let open = try await session.daemon.call(ListQuestions())
            if open.reply.questions.isEmpty { try session.print(open) }
            for question in open.reply.questions {
                guard let allow = try asker.answer(to: question) else {
                    return try Output.error.write("\nleft open; `cutied ctl questions` lists it\n")
                }
                try await session.answer(AnswerQuestion(questionId: question.questionId, allow: allow))
            }
        }
    }
}
