import ArgumentParser
import ControlAPI
import CutieAPI

/// `cutied open cutie://link?token=...`: the person decides, here where there is a terminal, else by pop-up.
struct AppTaking: Sendable {
    let session: Session

    func run(_ token: FeedbackToken) async throws {
        let isHere = session.asker != nil
        let call = TakeApp(token: token.rawValue, quiet: isHere ? true : nil)
        let question = try await session.daemon.call(call).reply.question
        guard let asker = session.asker else {
            return try session.output.write(
                "a pop-up asks you; or answer with `cutied ctl questions answer \(question.questionId) allow`\n"
            )
        }
        // A question that nobody answers must not add anything.
        let allow = try asker.answer(to: question) ?? false
        let answer = AnswerQuestion(questionId: question.questionId, allow: allow)
        if allow {
            try await session.answer(answer)
        } else {
            _ = try await session.daemon.call(answer)
            try session.output.write("refused; nothing was added\n")
            throw ExitCode(ExitStatus.failed.rawValue)
        }
    }
}
