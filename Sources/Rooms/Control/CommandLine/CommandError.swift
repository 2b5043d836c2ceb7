public import ArgumentParser
import ControlAPI
import ControlClient
import CutieAPI
import Localization

/// Why a command ends badly, in a person's words, and the exit code that tells it to a script.
public struct CommandError: Error, Hashable, Sendable {
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
        "cutied: " + TerminalText.line(advice.isEmpty ? sentence : sentence + "; " + advice)
    }

    /// The same as sentences, for a pop-up.
    var text: String {
        [sentence, advice].filter { !$0.isEmpty }.map { SentenceText.ended(TerminalText.line($0)) }
            .joined(separator: "\n")
    }
}

/// What `ctl` says in one line, as a person reads it elsewhere.
enum SentenceText {
    /// In the person's language, with a large letter and a full stop.
    static func ended(_ text: String) -> String {
        let text = localized(received: text)
        return localized("{sentence}.", ["sentence": text.prefix(1).uppercased() + text.dropFirst()])
    }
}

/// The exit codes of `cutied`, after sysexits.h.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    /// It did not work, the answer is no, or waiting took too long.
    case failed = 1
    case usage = 64
    case badData = 65
    /// No such conversation, message or device.
    case notFound = 66
    case unreachable = 69
    /// Accepted and queued, not sent yet.
    case queued = 75
    /// The API's answer makes no sense.
    case invalidResponse = 76
    case notAuthorized = 77
    case configuration = 78
}

extension ExitStatus {
    /// The word for it in JSON.
    var name: String { "\(self)" }
}

/// The error that a script reads with `--json`.
struct ErrorObject: Encodable {
    /// The name of the exit code, such as `notFound`.
    var code: String
    var message: String
    var advice: String?
    var exitCode: Int32

    init(_ error: CommandError) {
        (code, message, exitCode) = (error.status.name, error.sentence, error.status.rawValue)
        advice = error.advice.isEmpty ? nil : error.advice
    }

    init(_ message: String, exitCode: Int32) {
        code = (ExitStatus(rawValue: exitCode) ?? .failed).name
        (self.message, self.exitCode) = (message, exitCode)
    }

    /// The object on one line, without a line end.
    var line: String { (try? JSON.encode(self)).map(JSONLine.text) ?? "{}" }
}

/// Reports why a command failed.
public enum ErrorReporter {
    /// Writes what `error` says to standard error (help and version: to standard output) and returns the
    /// exit code. `command` is the root that was parsed; `json` writes one object instead of text.
    public static func report(
        _ error: any Error, of command: any ParsableCommand.Type, json: Bool = false
    ) -> Int32 {
        if error is ClosedPipe || error is CancellationError { return ExitStatus.done.rawValue }
        if let known = CommandError(error) {
            put(json ? ErrorObject(known).line : known.line, on: .error)
            return known.status.rawValue
        }
        let code = command.exitCode(for: error)
        let text = command.fullMessage(for: error)
        if code.isSuccess {
            put(text, on: .standard)
        } else if json {
            // Without a message the reply on standard output says everything.
            let message = command.message(for: error)
            if !message.isEmpty { put(ErrorObject(message, exitCode: code.rawValue).line, on: .error) }
        } else if text.hasPrefix("Error: ") {
            put("cutied: " + text.dropFirst("Error: ".count), on: .error)
        } else {
            put(text, on: .error)
        }
        return code.rawValue
    }

    /// What `error` says in a pop-up; nil where that is the parser's to say, or nothing.
    public static func text(of error: any Error) -> String? {
        (error as? DaemonGone)?.text ?? CommandError(error)?.text
    }

    /// Where nobody reads it, it is lost: there is nobody to tell.
    private static func put(_ text: String, on output: Output) {
        if !text.isEmpty { try? output.write(text + "\n") }
    }
}
