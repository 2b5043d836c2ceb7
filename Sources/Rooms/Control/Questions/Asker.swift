import ControlAPI
import Glibc

/// Asks the person in the terminal. Where there is none, nobody is asked.
struct Asker: Sendable {
    /// Shows a text and returns the line that was typed; nil at the end of input.
    var ask: @Sendable (String) throws -> String?

    /// nil where standard input or output is not a terminal.
    static func ofThisProcess() -> Asker? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        return Asker { text in
            try Output.standard.write(text)
            return readLine()
        }
    }

    /// Wrong answers in a row that are borne.
    private static let mostAttempts = 3

    /// nil: nobody answered, or nothing that can be understood. Enter alone is no answer: what it would refuse
    /// may be refused for good.
    func answer(to question: QuestionView) throws -> Bool? {
        let text = [question.question, question.detail].map(PlainText.line).joined(separator: "\n")
        let choice = PlainText.line("y: \(question.allow) · n: \(question.refuse)")
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
