import Foundation
import Synchronization

/// A program that a test started directly: its exit code is exact, its output is in files, so that what
/// it starts itself may outlive it. It is killed when the test forgets it.
public final class SpawnedProgram: Sendable {
    public let pid: Int32
    private let directory: TemporaryDirectory
    private let ended = Mutex<Int32?>(nil)

    /// Starts `executable` with exactly `environment`.
    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String], input: String = ""
    ) throws {
        directory = try TemporaryDirectory()
        try input.write(toFile: directory.file("input"), atomically: false, encoding: .utf8)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, directory.file("input"), O_RDONLY, 0)
        for (number, name) in [(Int32(1), "output"), (2, "error")] {
            posix_spawn_file_actions_addopen(
                &actions, number, directory.file(name), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // Another test's pipe held open by this program would never end.
        for number in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, number) }
        var pid: pid_t = 0
        let failure = Self.vector([executable] + arguments) { arguments in
            Self.vector(environment.map { $0 + "=" + $1 }) { environment in
                posix_spawn(&pid, executable, &actions, nil, arguments, environment)
            }
        }
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
        self.pid = pid
        Undertaker.shared.tell("born", pid)
    }

    deinit {
        if isRunning {
            kill(pid, SIGKILL)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            Undertaker.shared.tell("gone", pid)
        }
    }

    public var standardOutput: String { text(of: "output") }
    public var standardError: String { text(of: "error") }
    /// The complete lines of its standard output.
    public var lines: [String] {
        standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
    public var isRunning: Bool { exitCode == nil }

    /// nil while it runs; of a signal, 128 + its number.
    public var exitCode: Int32? {
        ended.withLock { ended in
            var status: Int32 = 0
            if ended == nil, waitpid(pid, &status, WNOHANG) == pid {
                let signal = status & 0x7f
                ended = signal == 0 ? (status >> 8) & 0xff : 128 + signal
                Undertaker.shared.tell("gone", pid)
            }
            return ended
        }
    }

    @discardableResult
    public func exit(within limit: Duration = .seconds(60)) async throws -> Int32 {
        try await eventually("end of process \(pid); \(standardError.suffix(500))", within: limit) { !isRunning }
        return exitCode ?? -1
    }

    public func signal(_ number: Int32) { if isRunning { kill(pid, number) } }

    private func text(of name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: directory.file(name)) ?? Data(), as: UTF8.self)
    }

    private static func vector<Result>(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
