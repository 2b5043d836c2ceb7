import ArgumentParser
import ControlAPI
import ControlClient
import CutieAPI

/// The environment of a verb: the daemon, the output and its format.
struct Session: Sendable {
    var daemon: DaemonClient
    var output: Output
    /// Whether to print replies as JSON instead of text.
    var json: Bool
    var format: @Sendable () -> TextFormat
    /// Reads standard input, up to the given number of bytes.
    var standardInput: @Sendable (Int) throws -> [UInt8]
    /// The output for a progress line that is redrawn; `nil` if standard error is not a terminal.
    var progress: Output?
    /// Asks questions in the terminal; `nil` if there is no terminal.
    var prompt: TerminalPrompt?
    /// The desktop that shows windows; `nil` if no window can be opened.
    var desktop: DesktopEnvironment?
    /// The output for hints and notes that are not part of the result.
    var remarks = Output.error

    /// Calls a method of the daemon.
    ///
    /// - Throws: `DaemonUnavailable` or a `CommandError`.
    func call<Method: ControlMethod>(_ method: Method) async throws -> DaemonReply<Method.Reply> {
        try await mappingErrors { try await daemon.call(method) }
    }

    func followReplies<Method: ControlMethod>(
        to method: Method, each: (DaemonReply<Method.Reply>) async throws -> DaemonClient.Next
    ) async throws {
        try await mappingErrors { try await daemon.followReplies(to: method, each: each) }
    }

    /// Runs `body` and converts its errors to errors for the user. Rethrows `DaemonUnavailable` unchanged.
    func mappingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let gone as DaemonUnavailable { throw gone } catch {
            throw CommandError(error) ?? error
        }
    }

    /// Calls a method and prints the reply.
    @discardableResult
    func printReply<Method: ControlMethod>(to method: Method) async throws -> Method.Reply
    where Method.Reply: HumanReadable {
        let answer = try await call(method)
        try print(answer)
        return answer.reply
    }

    /// Calls a method and prints the reply. If the daemon restarts during the call, the call is retried with
    /// the same idempotency key.
    @discardableResult
    func printReplyWithRetry<Method: RepeatableControlMethod>(to method: Method) async throws -> Method.Reply
    where Method.Reply: HumanReadable {
        let answer = try await mappingErrors { try await daemon.callIdempotently(method) }
        try print(answer)
        return answer.reply
    }

    func print(_ response: DaemonReply<some HumanReadable>) throws {
        if json { return try output.write(response.line) }
        try output.write(response.reply.text(in: format()))
        if let remark = response.reply.remark { try? remarks.write("cutied: \(remark)\n") }
    }

    /// Throws the exit code `queued` if the daemon has queued the operation but not completed it.
    func throwIfQueued(_ isQueued: Bool) throws {
        if isQueued { throw ExitCode(ExitStatus.queued.rawValue) }
    }
}

extension DaemonReply {
    /// The JSON on one line that ends with a line feed. Control characters are escaped.
    var line: String { JSONLine.singleLineText(of: json) + "\n" }
}

extension DaemonReply where Reply: Encodable {
    /// Creates a value from a reply that the client has changed, and encodes the reply as JSON.
    init(_ reply: Reply) throws {
        self.init(reply, json: try JSON.encode(reply))
    }
}
