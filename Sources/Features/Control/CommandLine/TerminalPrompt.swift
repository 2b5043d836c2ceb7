import ControlAPI
import ControlClient
import Glibc
import Localization
import Reasons

/// Asks the user the daemon's questions in the terminal.
struct TerminalPrompt: Sendable {
    /// Prints a question and returns the line that the user typed; `nil` at end of file.
    var ask: @Sendable (String) throws -> String?

    /// Returns the prompt of this process; `nil` if standard input or output is not a terminal.
    static func makeForThisProcess() -> TerminalPrompt? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        return TerminalPrompt { text in
            try Output.standard.write(text)
            return readLine()
        }
    }

    /// The user's answer to a question.
    enum Decision: Hashable, Sendable {
        case refuse
        /// The user agrees. `services`: the IDs of the chosen services; `nil` if the user made no choice.
        case allow(services: [String]? = nil)

        var isAllowed: Bool { self != .refuse }
    }

    /// The maximum number of invalid answers in a row.
    private static let maxAttempts = 3

    /// Asks the question and returns the decision; `nil` if there is no valid answer. Enter alone is not a
    /// refusal, because a refusal may be permanent.
    func askForDecision(on question: QuestionView) throws -> Decision? {
        let heading = TerminalText.singleLine(question.localizedQuestion)
        let text = ([heading] + explanationLines(of: question)).joined(separator: "\n")
        for _ in 0..<Self.maxAttempts {
            guard let line = try ask(text + "\n" + choicePrompt(for: question)) else { return nil }
            if let decision = Self.parseDecision(from: line.lowercased(), on: question) { return decision }
        }
        return nil
    }

    private func explanationLines(of question: QuestionView) -> [String] {
        let services = question.choices.enumerated().map { "\($0 + 1)  \($1)" }
        return (services.isEmpty ? [question.localizedDetail] : question.requestLines + services)
            .map(TerminalText.singleLine)
    }

    private func choicePrompt(for question: QuestionView) -> String {
        let (allow, refuse) = (
            question.texts?.allow.reasonValue.localized ?? question.allow,
            question.texts?.refuse.reasonValue.localized ?? question.refuse
        )
        let words = TerminalText.singleLine("y: \(allow) · n: \(refuse)")
        switch (question.choices.count, question.single == true) {
        case (...1, _): return words + " [y/n] "
        case (_, true): return "enter one number; default: the first · " + words + " [number/y/n] "
        case (_, false): return "enter numbers such as 1,2; default: all · " + words + " [numbers/y/n] "
        }
    }

    /// Parses a typed answer; `nil` if it is invalid.
    private static func parseDecision(from line: String, on question: QuestionView) -> Decision? {
        switch line.filter({ !$0.isWhitespace }) {
        case "y", "yes": return .allow()
        case "n", "no": return .refuse
        default: break
        }
        let services = question.services ?? []
        let words = line.split { $0 == "," || $0.isWhitespace }
        let numbers = words.compactMap { Int($0) }.filter { (1...max(1, services.count)).contains($0) }
        guard !words.isEmpty, numbers.count == words.count, !services.isEmpty,
            question.single != true || numbers.count == 1
        else { return nil }
        return .allow(services: numbers.map { services[$0 - 1].selectionID })
    }
}

extension QuestionView {
    fileprivate var localizedQuestion: String { texts?.question.reasonValue.localized ?? question }

    fileprivate var localizedDetail: String {
        texts?.detail.map(\.reasonValue.localized).joined(separator: " ") ?? detail
    }
}
