public import Foundation

/// A real process that a test started: its output is kept, and it is killed when the test forgets it.
///
/// The output goes to files: a pipe that nobody reads would stop the process, and its end is easily missed.
public final class ChildProcess: Sendable {
    private let process: SendableProcess
    private let directory: TemporaryDirectory
    public var pid: Int32 { process.value.processIdentifier }
    public var isRunning: Bool { process.value.isRunning }
    public var standardOutput: String { text(of: "output") }
    public var standardError: String { text(of: "error") }

    /// Starts `executable` with exactly `environment`.
    public init(
        _ executable: String, _ arguments: [String] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment, input: String? = nil
    ) throws {
        directory = try TemporaryDirectory()
        process = SendableProcess(value: Process())
        let process = process.value
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = environment
        try Data((input ?? "").utf8).write(to: directory.url.appending(path: "input"))
        process.standardInput = try FileHandle(forReadingFrom: directory.url.appending(path: "input"))
        process.standardOutput = try Self.file(directory.url.appending(path: "output"))
        process.standardError = try Self.file(directory.url.appending(path: "error"))
        try process.run()
    }

    deinit { if isRunning { kill(pid, SIGKILL) } }

    /// Waits for the end and returns the exit code; of a signal, 128 + its number.
    @discardableResult
    public func exit(within limit: Duration = .seconds(60)) async throws -> Int32 {
        let name = process.value.executableURL?.lastPathComponent ?? ""
        try await eventually("end of \(name)", within: limit) { !isRunning }
        let status = process.value.terminationStatus
        return process.value.terminationReason == .uncaughtSignal ? 128 + status : status
    }

    /// Waits for a line on standard output that begins with `prefix` and returns the rest of it.
    public func line(after prefix: String, within limit: Duration = .seconds(30)) async throws -> String {
        var found: Substring?
        try await eventually("line \(prefix)… (stderr: \(standardError))", within: limit) {
            let complete = standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            found = complete.first { $0.hasPrefix(prefix) }
            return found != nil
        }
        return String((found ?? "").dropFirst(prefix.count))
    }

    public func signal(_ number: Int32) { kill(pid, number) }

    private func text(of name: String) -> String {
        let bytes = try? Data(contentsOf: directory.url.appending(path: name))
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }

    private static func file(_ url: URL) throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}

/// `Process` is not Sendable, but what is read of it after `run` may be read from anywhere.
private struct SendableProcess: @unchecked Sendable {
    let value: Process
}
