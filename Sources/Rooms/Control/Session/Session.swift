import ArgumentParser
import ControlAPI

/// A verb's world: the daemon, what is printed, and how.
struct Session: Sendable {
    var daemon: DaemonClient
    var output: Output
    /// Replies as JSON instead of text.
    var json: Bool
    var page: @Sendable () -> Page
    /// At most so many bytes of standard input.
    var standardInput: @Sendable (Int) throws -> [UInt8]
    /// Where a line that changes may be drawn; nil where nobody would see it change.
    var progress: Output?
    /// nil: there is no terminal to ask on.
    var asker: Asker?
    /// For what is not the answer itself.
    var remarks = Output.error

    /// Calls and prints the reply.
    @discardableResult
    func answer<Method: ControlMethod>(_ method: Method) async throws -> Method.Reply
    where Method.Reply: Readable {
        let answer = try await daemon.call(method)
        try print(answer)
        return answer.reply
    }

    /// The same, once, whatever becomes of the daemon meanwhile.
    @discardableResult
    func answerOnce<Method: RepeatableMethod>(_ method: Method) async throws -> Method.Reply
    where Method.Reply: Readable {
        let answer = try await daemon.callOnce(method)
        try print(answer)
        return answer.reply
    }

    func print(_ answer: Answer<some Readable>) throws {
        if json { return try output.write(answer.json + "\n") }
        try output.write(answer.reply.text(on: page()))
        if let remark = answer.reply.remark { try? remarks.write("cutied: \(remark)\n") }
    }

    /// Ends a verb whose work is accepted, but not sent yet.
    func end(queued: Bool) throws {
        if queued { throw ExitCode(ExitStatus.queued.rawValue) }
    }
}
