import Foundation
import Synchronization

/// A program that is a direct child of the test process, so that its exit code is known. Its output goes to
/// files, because children of the program may outlive it. Releasing the value kills the program.
public final class SpawnedProgram: Sendable {
    public let pid: Int32
    private let directory: TemporaryDirectory
    private let ended = Mutex<Int32?>(nil)

    /// Starts `executable` with only the variables in `environment`.
    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String], input: String = ""
    ) throws {
        directory = try TemporaryDirectory()
        try input.write(toFile: directory.file("input"), atomically: false, encoding: .utf8)
        let reading = try Spawn.open(directory.file("input"), O_RDONLY)
        let output = try Spawn.open(directory.file("output"), O_WRONLY | O_CREAT | O_APPEND)
        let error = try Spawn.open(directory.file("error"), O_WRONLY | O_CREAT | O_APPEND)
        pid = try Spawn.start(
            [executable] + arguments, environment: environment, input: reading.fileDescriptor,
            output: output.fileDescriptor, error: error.fileDescriptor)
        ProcessReaper.shared.report("born", pid)
    }

    deinit {
        if isRunning {
            kill(pid, SIGKILL)
            while Spawn.waitStatus(of: pid) == nil { usleep(1000) }
            ProcessReaper.shared.report("gone", pid)
        }
    }

    public var standardOutput: String { text(of: "output") }
    public var standardError: String { text(of: "error") }
    /// The lines of standard output that end in a line break.
    public var lines: [String] {
        standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
    public var isRunning: Bool { exitCode == nil }

    /// The exit code; `nil` while the program is running; 128 plus the signal number if a signal terminated
    /// the program.
    public var exitCode: Int32? {
        ended.withLock { ended in
            if ended == nil, let status = Spawn.waitStatus(of: pid) {
                let signal = status & 0x7f
                ended = signal == 0 ? (status >> 8) & 0xff : 128 + signal
                ProcessReaper.shared.report("gone", pid)
            }
            return ended
        }
    }

    @discardableResult
    public func waitForExit(within limit: Duration = defaultTimeLimit) async throws -> Int32 {
        try await eventually("end of process \(pid); \(standardError.suffix(500))", within: limit) {
            !isRunning
        }
        return exitCode ?? -1
    }

    public func signal(_ number: Int32) { if isRunning { kill(pid, number) } }

    /// Suspends the program until `resume()`. Returns when all its threads have stopped.
    public func suspend() async throws { if isRunning { try await Spawn.suspend(pid) } }
    public func resume() { signal(SIGCONT) }

    private func text(of name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: directory.file(name)) ?? Data(), as: UTF8.self)
    }
}
