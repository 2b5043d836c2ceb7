public import ArgumentParser
import Config

/// How a command ends: what is told to the person, and the exit code.
public enum Ending {
    /// Writes what `error` says to standard error (help and version: to standard output) and returns the
    /// exit code. `command` is the root that was parsed.
    public static func report(_ error: any Error, of command: any ParsableCommand.Type) -> Int32 {
        if error is ClosedPipe || error is CancellationError { return ExitStatus.done.rawValue }
        if let complaint = complaint(of: error) { return tell(complaint) }
        let code = command.exitCode(for: error)
        let text = command.fullMessage(for: error)
        if code.isSuccess {
            put(text, on: .standard)
        } else if text.hasPrefix("Error: ") {
            put("cutied: " + text.dropFirst("Error: ".count), on: .error)
        } else {
            put(text, on: .error)
        }
        return code.rawValue
    }

    /// What `error` says in a pop-up; nil where that is the parser's to say, or nothing.
    public static func text(of error: any Error) -> String? {
        (error as? DaemonGone)?.text ?? complaint(of: error)?.text
    }

    private static func complaint(of error: any Error) -> Complaint? {
        switch error {
        case let complaint as Complaint: complaint
        case let gone as DaemonGone: gone.complaint
        case let error as ConfigurationError: Complaint(.configuration, error.description)
        default: nil
        }
    }

    private static func tell(_ complaint: Complaint) -> Int32 {
        put(complaint.line, on: .error)
        return complaint.status.rawValue
    }

    /// Where nobody reads it, it is lost: there is nobody to tell.
    private static func put(_ text: String, on output: Output) {
        if !text.isEmpty { try? output.write(text + "\n") }
    }
}
