import Foundation
import Synchronization

/// A gnome-keyring-daemon with a separate home directory. It provides the Secret Service on a private bus.
public final class Keyring: Sendable {
    private let currentBus: Mutex<PrivateBus>
    private var bus: PrivateBus { currentBus.withLock { $0 } }
    private let home: TemporaryDirectory
    private let daemon: Mutex<AttachedProcess?>
    private let prompter = Mutex<AttachedProcess?>(nil)

    /// Starts the keyring daemon with an unlocked default keyring.
    public init(on bus: PrivateBus) async throws {
        currentBus = Mutex(bus)
        home = try TemporaryDirectory()
        daemon = Mutex(nil)
        try await start()
    }

    /// Kills the keyring daemon to simulate a crash.
    public func stop() async throws {
        let running = daemon.withLock { exchange(&$0, with: nil) }
        try await running?.killProcess()
        try await bus.wait(for: "org.freedesktop.secrets", isThere: false)
    }

    /// Starts the keyring daemon again. Stored secrets are preserved.
    ///
    /// - Parameter locked: whether the keyring is locked, as after a login without a password.
    public func restart(locked: Bool = false) async throws { try await start(locked: locked) }

    /// Starts the keyring daemon on another bus, because the previous bus has exited.
    public func restart(on bus: PrivateBus) async throws {
        try await daemon.withLock { exchange(&$0, with: nil) }?.killProcess()
        currentBus.withLock { $0 = bus }
        try await start()
    }

    /// Locks the keyring by restarting its daemon without the password.
    public func lock() async throws {
        try await stop()
        try await restart(locked: true)
    }

    /// Leaves keyring prompts unanswered, as if the user were absent.
    public func blockPrompts() async throws {
        try await occupy("org.gnome.keyring.SystemPrompter")
    }

    /// Starts a process that owns the bus name of the Secret Service but never replies to calls.
    public static func startHangingService(on bus: PrivateBus) async throws -> HangingService {
        try await HangingService("org.freedesktop.secrets", on: bus)
    }

    /// Returns the matching secrets and their attributes as printed by `secret-tool`.
    public func search(_ attribute: String, _ value: String) async throws -> String {
        try await AttachedProcess.output(
            of: ["sh", "-c", "exec secret-tool search --all \"$@\" 2>&1", "sh", attribute, value],
            environment: environment)
    }

    private func occupy(_ service: String) async throws {
        let process = try await HangingService.start(service, on: bus)
        prompter.withLock { $0 = process }
    }

    private func start(locked: Bool = false) async throws {
        let password = home.file("password")
        try "correct horse".write(toFile: password, atomically: true, encoding: .utf8)
        let script =
            "exec gnome-keyring-daemon --foreground --components=secrets"
            + " --control-directory=\"$HOME\"" + (locked ? "" : " --unlock < \"$HOME/password\"")
        let process = try await AttachedProcess(["sh", "-c", script], environment: environment)
        daemon.withLock { $0 = process }
        try await bus.wait(for: "org.freedesktop.secrets", isThere: true)
    }

    private var environment: [String: String] {
        bus.environment.merging(
            ["HOME": home.path, "XDG_DATA_HOME": home.file("data"), "XDG_RUNTIME_DIR": home.path]
        ) { $1 }
    }
}

/// A process that owns a name on a private bus, accepts calls and never replies.
public final class HangingService: Sendable {
    private let process: AttachedProcess

    init(_ service: String, on bus: PrivateBus) async throws {
        process = try await Self.start(service, on: bus)
    }

    public func killProcess() async throws { try await process.killProcess() }

    static func start(_ service: String, on bus: PrivateBus) async throws -> AttachedProcess {
        let script = """
            import dbus, sys, time
            name = dbus.service.BusName(sys.argv[1], dbus.SessionBus())
            time.sleep(3600)
            """
        let process = try await AttachedProcess(
            ["/usr/bin/python3", "-c", "import dbus.service\n" + script, service],
            environment: bus.environment)
        try await bus.wait(for: service, isThere: true)
        return process
    }
}
