public import Foundation
import Synchronization

/// A real process that a test started: its output is kept, and it is killed when the test forgets it.
public final class ChildProcess: Sendable {
    private let process: SendableProcess
    private let output = Mutex(Output())
    public var pid: Int32 { process.value.processIdentifier }
    public var isRunning: Bool { process.value.isRunning }
    public var standardOutput: String { output.withLock { String(decoding: $0.standard, as: UTF8.self) } }
    public var standardError: String { output.withLock { String(decoding: $0.error, as: UTF8.self) } }

    /// Starts `executable` with exactly `environment`.
    public init(
        _ executable: String, _ arguments: [String] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment, input: String? = nil
    ) throws {
        let process = Process()
        self.process = SendableProcess(value: process)
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = environment
        let standard = Pipe(), error = Pipe(), feed = Pipe()
        (process.standardOutput, process.standardError, process.standardInput) = (standard, error, feed)
        collect(standard, \.standard, \.standardEnded)
        collect(error, \.error, \.errorEnded)
        try process.run()
        if let input { try feed.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try feed.fileHandleForWriting.close()
    }

    deinit { if isRunning { kill(pid, SIGKILL) } }

    /// Waits for the end and returns the exit code; of a signal, 128 + its number.
    @discardableResult
    public func exit(within limit: Duration = .seconds(60)) async throws -> Int32 {
        try await eventually("end of \(process.value.executableURL?.lastPathComponent ?? "")", within: limit) {
            !isRunning && output.withLock { $0.standardEnded && $0.errorEnded }
        }
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

    private func collect(
        _ pipe: Pipe, _ part: any WritableKeyPath<Output, Data> & Sendable,
        _ ended: any WritableKeyPath<Output, Bool> & Sendable
    ) {
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let chunk = handle.availableData
            if chunk.isEmpty { handle.readabilityHandler = nil }
            self?.output.withLock { chunk.isEmpty ? $0[keyPath: ended] = true : $0[keyPath: part].append(chunk) }
        }
    }

    private struct Output {
        var standard = Data(), error = Data()
        var standardEnded = false, errorEnded = false
    }
}

/// `Process` is not Sendable, but what is read of it after `run` may be read from anywhere.
private struct SendableProcess: @unchecked Sendable {
    let value: Process
}
