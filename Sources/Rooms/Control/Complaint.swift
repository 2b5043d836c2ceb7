/// Why a command ends badly, in a person's words, and the exit code that tells it to a script.
public struct Complaint: Error, Hashable, Sendable {
    public var status: ExitStatus
    /// What is wrong.
    public var sentence: String
    /// What to do about it; empty where nothing can be done.
    public var advice: String

    public init(_ status: ExitStatus, _ sentence: String, advice: String = "") {
        self.status = status
        self.sentence = sentence
        self.advice = advice
    }

    /// The line for standard error, without a line end.
    public var line: String {
        "cutied: " + PlainText.line(advice.isEmpty ? sentence : sentence + "; " + advice)
    }

    /// The same as sentences, for a pop-up.
    var text: String {
        [sentence, advice].filter { !$0.isEmpty }
            .map { PlainText.line($0.prefix(1).uppercased() + $0.dropFirst() + ".") }
            .joined(separator: "\n")
    }
}
