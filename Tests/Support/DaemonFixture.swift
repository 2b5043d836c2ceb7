import Foundation
import Synchronization

/// A real `cutied` daemon with separate directories. A restart preserves its state.
public final class DaemonFixture: Sendable {
    public let directory: TemporaryDirectory
    public let environment: [String: String]
    private let startedProcesses = Mutex<[SpawnedProgram]>([])

    /// Creates a daemon on the session bus whose address is in the environment variables `session`.
    public init(session: [String: String], configuration: String?) throws {
        directory = try TemporaryDirectory()
        environment = session.merging([
            "HOME": directory.path, "LANG": "C.UTF-8", "TZ": "UTC",
            "XDG_CONFIG_HOME": directory.file("config"), "XDG_CONFIG_DIRS": directory.file("etc"),
            "XDG_STATE_HOME": directory.file("state"), "XDG_CACHE_HOME": directory.file("cache"),
            "XDG_RUNTIME_DIR": directory.file("run"),
        ]) { $1 }
        for name in ["config/cutied", "run"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        if let configuration { try configure(configuration) }
    }

    public var configurationFile: String { directory.file("config/cutied/config.yaml") }
    public var databaseFile: String { directory.file("state/cutied/cutied.db") }
    public var socketFile: String { directory.file("run/cutied/control.sock") }

    public func configure(_ text: String) throws {
        try text.write(toFile: configurationFile, atomically: true, encoding: .utf8)
    }

    /// Starts `cutied run` without waiting for the daemon to be ready.
    ///
    /// - Parameter wrapper: a command such as `env` that runs the daemon.
    @discardableResult
    public func launch(logLevel: String? = "debug", under wrapper: [String] = []) throws -> SpawnedProgram {
        let options = logLevel.map { ["--log-level", $0] } ?? []
        let command = wrapper + [try BuiltProduct.path(of: "cutied"), "run"] + options
        let program = try SpawnedProgram(
            command[0], Array(command.dropFirst()), environment: environment)
        startedProcesses.withLock { $0.append(program) }
        return program
    }

    /// Starts the daemon and waits until its socket responds.
    public func start(logLevel: String? = "debug", under wrapper: [String] = []) async throws {
        let program = try launch(logLevel: logLevel, under: wrapper)
        try await eventually("the daemon responds; \(journal.suffix(2000))") {
            guard program.isRunning else { throw DaemonFailure(description: program.standardError) }
            return (try? await fetchStatus()) != nil
        }
    }

    /// Sends SIGTERM and returns the exit code of the daemon.
    @discardableResult
    public func stop(within limit: Duration = defaultTimeLimit) async throws -> Int32 {
        guard let program = current else { return 0 }
        program.signal(SIGTERM)
        return try await program.waitForExit(within: limit)
    }

    /// Kills the daemon with SIGKILL.
    public func killProcess() async throws {
        current?.signal(SIGKILL)
        try await current?.waitForExit()
    }

    public func restart() async throws {
        try await stop()
        try await start()
    }

    public func signal(_ number: Int32) { current?.signal(number) }

    /// The daemon process that was started last.
    public var current: SpawnedProgram? { startedProcesses.withLock { $0.last } }

    /// The journal of all runs of the daemon.
    public var journal: String {
        startedProcesses.withLock { $0 }.map(\.standardError).joined(separator: "-- restart --\n")
    }
}

/// The error thrown if the daemon does not behave as a test requires.
public struct DaemonFailure: Error, CustomStringConvertible {
    public let description: String
}
