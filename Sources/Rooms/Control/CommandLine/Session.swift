import ArgumentParser
import ControlAPI
import ControlClient
import CutieAPI

/// A verb's world: the daemon, what is printed, and how.
struct Session: Sendable {
    var daemon: DaemonClient
    var output: Output
    /// Replies as JSON instead of text.
    var json: Bool
    var format: @Sendable () -> TextFormat
    /// At most so many bytes of standard input.
    var standardInput: @Sendable (Int) throws -> [UInt8]
    /// Where a line that changes may be drawn; nil where nobody would see it change.
    var progress: Output?
    /// nil: there is no terminal to ask on.
    var prompt: TerminalPrompt?
    /// nil: there is none to show a window on.
    var desktop: DesktopEnvironment?
    /// For what is not the answer itself.
    var remarks = Output.error

    /// Throws `DaemonGone` or a `CommandError`.
    func call<Method: ControlMethod>(_ method: Method) async throws -> Answer<Method.Reply> {
        try await inWords { try await daemon.call(method) }
    }

    func follow<Method: ControlMethod>(
        _ method: Method, each: (Answer<Method.Reply>) async throws -> DaemonClient.Next
    ) async throws {
        try await inWords { try await daemon.follow(method, each: each) }
    }

    /// What `body` throws, in a person's words; `DaemonGone` as it is.
    func inWords<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let gone as DaemonGone { throw gone } catch {
            throw CommandError(error) ?? error
        }
    }

    /// Calls and prints the reply.
    @discardableResult
    func answer<Method: ControlMethod>(_ method: Method) async throws -> Method.Reply
    where Method.Reply: HumanReadable {
        let answer = try await call(method)
        try print(answer)
        return answer.reply
    }

    /// The same, once, whatever becomes of the daemon meanwhile.
    @discardableResult
    func answerOnce<Method: RepeatableMethod>(_ method: Method) async throws -> Method.Reply
    where Method.Reply: HumanReadable {
        let answer = try await inWords { try await daemon.callOnce(method) }
        try print(answer)
        return answer.reply
    }

    func print(_ answer: Answer<some HumanReadable>) throws {
        if json { return try output.write(answer.line) }
        try output.write(answer.reply.text(in: format()))
        if let remark = answer.reply.remark { try? remarks.write("cutied: \(remark)\n") }
    }

    /// Ends a verb whose work is accepted, but not sent yet.
    func end(queued: Bool) throws {
        if queued { throw ExitCode(ExitStatus.queued.rawValue) }
    }
}

extension Answer {
    /// The JSON on a line of its own, harmless for a terminal.
    var line: String { JSONLine.text(json) + "\n" }
}

extension Answer where Reply: Encodable {
    /// A reply that was changed here.
    init(_ reply: Reply) throws {
        self.init(reply, json: try JSON.encode(reply))
    }
}
