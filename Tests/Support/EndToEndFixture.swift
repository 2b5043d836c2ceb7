import Foundation
import Synchronization

/// The complete environment of an end-to-end test: a session bus, a recording notification server, the
/// sandbox as the API, and the daemon.
public final class EndToEndFixture: Sendable {
    public var bus: PrivateBus { currentBus.withLock { $0 } }
    public let sandbox: SandboxFixture
    public let daemon: DaemonFixture
    private let asksQuestions: Bool
    private let currentBus: Mutex<PrivateBus>
    private let recorder = Mutex<RecordingNotificationServer?>(nil)

    public struct Options: Sendable {
        /// The features that the sandbox must not offer.
        public var without: [String] = []
        /// The interval between heartbeats on the sandbox's streams, in seconds.
        public var heartbeat = 25.0
        /// Additional lines of the configuration.
        public var configuration = ""
        public var hasNotificationServer = true
        /// Whether the daemon is running and connected when the test begins.
        public var isConnected = true
        public var logLevel = "debug"
        /// Additional environment variables of the daemon.
        public var environment: [String: String] = [:]
        /// Additional environment variables of the sandbox.
        public var serverEnvironment: [String: String] = [:]
        /// Whether the daemon shows questions as notifications.
        public var asksQuestions = false

        public init() {}
    }

    private init(_ options: Options) async throws {
        asksQuestions = options.asksQuestions
        let bus = try await PrivateBus()
        currentBus = Mutex(bus)
        sandbox = try await SandboxFixture(
            without: options.without, heartbeat: options.heartbeat,
            environment: options.serverEnvironment)
        daemon = try DaemonFixture(
            session: bus.environment.merging(options.environment) { $1 }, configuration: nil)
        try configure(options.configuration)
        if options.hasNotificationServer { try await showNotifications() }
        if options.isConnected {
            try await daemon.start(logLevel: options.logLevel)
            try await daemon.waitUntilConnected()
        }
    }

    /// Runs `body` with a new fixture, and then stops all its processes.
    public static func with(
        _ configure: (inout Options) -> Void = { _ in }, _ body: (EndToEndFixture) async throws -> Void
    ) async throws {
        var options = Options()
        configure(&options)
        try await FixtureLimiter.shared.acquire()
        do {
            let fixture = try await EndToEndFixture(options)
            try await fixture.runAndStop(body)
        } catch {
            await FixtureLimiter.shared.release()
            throw error
        }
        await FixtureLimiter.shared.release()
    }

    /// Runs `body`, and then stops the processes in the reverse order of their start.
    private func runAndStop(_ body: (EndToEndFixture) async throws -> Void) async throws {
        do {
            try await body(self)
        } catch {
            throw EndToEndFailure(description: "\(error)\n\(daemon.journal.suffix(6000))")
        }
        try await daemon.stop()
        try await recorder.withLock { $0.take() }?.killProcess()
        try await sandbox.stop()
        try await bus.killProcess()
    }

    /// Writes the daemon's configuration: an account on the sandbox, a recording opener, and `lines`.
    public func configure(_ lines: String = "", asksQuestions: Bool? = nil) throws {
        try daemon.configure(
            """
            app_id: \(sandbox.appID)
            api_url: \(sandbox.url)
            \(opener)
            \(lines)
            questions: \(asksQuestions ?? self.asksQuestions)

            """)
    }

    /// The configuration line that sets the opener to a script, which records links instead of opening them.
    public var opener: String {
        "opener: [/bin/sh, -c, 'echo \"$0 $XDG_ACTIVATION_TOKEN\" >> \(daemon.directory.file("opened"))']"
    }

    /// The recorded links, each followed by its activation token.
    public var opened: [String] {
        let text = (try? String(contentsOfFile: daemon.directory.file("opened"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The current notification server. Throws an error if there is no server.
    public var notificationServer: RecordingNotificationServer {
        get throws {
            guard let recorder = recorder.withLock({ $0 }) else {
                throw EndToEndFailure(description: "no program shows notifications")
            }
            return recorder
        }
    }

    /// Starts a notification server on the session bus. The property `notificationServer` then returns this
    /// server.
    public func showNotifications(
        as appearance: RecordingNotificationServer.Appearance = .init()
    ) async throws {
        let server = try await RecordingNotificationServer(on: bus, as: appearance)
        recorder.withLock { $0 = server }
    }

    /// Terminates the session bus and all processes on it except the daemon.
    public func killBus() async throws {
        let server = recorder.withLock { $0.take() }
        try await bus.killProcess()
        withExtendedLifetime(server) {}
    }

    /// Starts a new bus at the address of the terminated bus.
    public func restartBus() async throws {
        let bus = try await bus.makeSuccessor()
        currentBus.withLock { $0 = bus }
    }

    /// Returns a client of the API that acts as the daemon's device.
    public func makeDevice() async throws -> SandboxFixture.Device {
        try await sandbox.device(daemon.fetchStatus().accounts[0].deviceId)
    }
}

/// The error of a failed test with this fixture. Its description contains the end of the daemon's journal.
public struct EndToEndFailure: Error, CustomStringConvertible {
    public let description: String
}
