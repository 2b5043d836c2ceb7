public import ArgumentParser
import ControlAPI
import ControlClient
import CutieAPI
import Localization
import Reasons

/// The reason why a command failed, with an exit code for scripts.
public struct CommandError: Error, Hashable, Sendable {
    public var status: ExitStatus
    /// The problem, which may already contain advice.
    let problem: Reason
    /// Advice in addition to `problem`; `nil` to use only the advice in `problem`, if any.
    private let addition: Reason?
    /// The reason that the daemon sent; `nil` if the error is not from the daemon.
    let cause: Reason?
    /// The invalid parameter of the call, as programs know it; `nil` for any other error.
    var parameter: String?

    /// Creates an error, with optional advice after the problem.
    init(_ status: ExitStatus, _ problem: Reason, advice: Reason? = nil, cause: Reason? = nil) {
        (self.status, self.problem, self.cause) = (status, problem, cause)
        addition = advice
    }

    public init(_ status: ExitStatus, _ sentence: String, advice: String = "") {
        self.init(status, .text(sentence), advice: advice.isEmpty ? nil : .text(advice))
    }

    /// The problem, without a final period.
    public var sentence: String { addition == nil ? problem.englishProblem : problem.english }

    /// The advice; empty if there is none.
    public var advice: String { addition?.english ?? problem.englishAdvice ?? "" }

    /// The line for standard error, without a line break.
    public var line: String {
        "cutied: " + TerminalText.singleLine(advice.isEmpty ? sentence : sentence + "; " + advice)
    }

    /// The problem in the user's language.
    var localizedSentence: String { addition == nil ? problem.localizedProblem : problem.localized }

    /// The problem and the advice as full sentences in the user's language, for a notification.
    var text: String {
        [localizedSentence, addition?.localized ?? problem.localizedAdvice].compactMap(\.self)
            .map { SentenceText.makeSentence(from: TerminalText.singleLine($0)) }.joined(separator: "\n")
    }
}

/// Converts the one-line messages of `ctl` to complete sentences.
enum SentenceText {
    /// Returns the text with its first letter capitalized and a period appended.
    static func makeSentence(from text: String) -> String {
        localized("{sentence}.", ["sentence": text.prefix(1).uppercased() + text.dropFirst()])
    }
}

/// The exit codes of `cutied`, modeled on sysexits.h.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    /// A failure, the answer “no”, or a timeout.
    case failed = 1
    case usage = 64
    case badData = 65
    /// The conversation, message or device does not exist.
    case notFound = 66
    case unreachable = 69
    /// Accepted and queued, but not sent yet.
    case queued = 75
    /// The API sent an invalid response.
    case invalidResponse = 76
    case notAuthorized = 77
    case configuration = 78
}

extension ExitStatus {
    /// The name of the exit code in JSON.
    var name: String { "\(self)" }
}

/// The error object that `--json` prints for scripts.
struct ErrorObject: Encodable {
    /// The name of the exit code, such as `notFound`.
    var code: String
    var message: String
    var advice: String?
    var exitCode: Int32
    /// The code of the daemon's reason (`cause`); if the daemon sent no reason, the code of `problem`.
    var reasonCode: String?
    var reasonArguments: [String: String]?
    var parameter: String?

    init(_ error: CommandError) {
        (code, message, exitCode) = (error.status.name, error.sentence, error.status.rawValue)
        advice = error.advice.isEmpty ? nil : error.advice
        let reason = error.cause ?? error.problem
        (reasonCode, reasonArguments) = (reason.code?.rawValue, reason.argumentFields)
        parameter = error.parameter
    }

    init(_ message: String, exitCode: Int32) {
        code = (ExitStatus(rawValue: exitCode) ?? .failed).name
        (self.message, self.exitCode) = (message, exitCode)
    }

    /// The object as JSON on one line, without a line break.
    var line: String { (try? JSON.encode(self)).map(JSONLine.singleLineText) ?? "{}" }
}

/// Reports why a command failed.
public enum ErrorReporter {
    /// Writes the message of `error` to standard error (help and version: to standard output).
    ///
    /// - Parameters:
    ///   - command: the root command that was parsed.
    ///   - json: whether to write a JSON object instead of text.
    /// - Returns: the exit code.
    public static func report(
        _ error: any Error, rootCommand command: any ParsableCommand.Type, asJSON json: Bool = false
    ) -> Int32 {
        if error is ClosedPipe || error is CancellationError { return ExitStatus.done.rawValue }
        if let known = CommandError(error) {
            writeLine(json ? ErrorObject(known).line : known.line, to: .error)
            return known.status.rawValue
        }
        let code = command.exitCode(for: error)
        let text = command.fullMessage(for: error)
        if code.isSuccess {
            writeLine(text, to: .standard)
        } else if json {
            // An exit code without a message: print nothing, because the reply is on standard output.
            let message = command.message(for: error)
            if !message.isEmpty { writeLine(ErrorObject(message, exitCode: code.rawValue).line, to: .error) }
        } else if text.hasPrefix("Error: ") {
            writeLine("cutied: " + text.dropFirst("Error: ".count), to: .error)
        } else {
            writeLine(text, to: .error)
        }
        return code.rawValue
    }

    /// Returns the message of `error` for a notification; `nil` if there is no message, or if the parser
    /// prints the message.
    public static func notificationMessage(for error: any Error) -> String? {
        (error as? DaemonUnavailable)?.text ?? CommandError(error)?.text
    }

    /// Writes a line. Write errors are ignored, because they cannot be reported anywhere else.
    private static func writeLine(_ text: String, to output: Output) {
        if !text.isEmpty { try? output.write(text + "\n") }
    }
}
