import Foundation
import Synchronization

/// Everything that a person's desktop has and more than a test usually wants: a bus, a notification
/// server that writes down, the API, and the daemon between them.
public final class Household: Sendable {
    public var bus: PrivateBus { currentBus.withLock { $0 } }
    public let sandbox: SandboxFixture
    public let daemon: DaemonFixture
    private let asksQuestions: Bool
    private let currentBus: Mutex<PrivateBus>
    private let recorder = Mutex<RecordingNotificationServer?>(nil)

    /// How a household is furnished.
    public struct Furnishing: Sendable {
        /// What the sandbox lacks.
        public var without: [String] = []
        /// Seconds between two heartbeats of the sandbox's streams.
        public var heartbeat = 25.0
        /// More lines of the configuration.
        public var configuration = ""
        public var hasNotificationServer = true
        /// Whether the daemon runs and is connected when the test begins.
        public var isConnected = true
        public var logLevel = "debug"
        /// More of the daemon's environment.
        public var environment: [String: String] = [:]
        /// More of the sandbox's.
        public var serverEnvironment: [String: String] = [:]
        /// Whether questions pop up, as they do at a first start.
        public var asksQuestions = false

        public init() {}
    }

    private init(_ furnishing: Furnishing) async throws {
        asksQuestions = furnishing.asksQuestions
        let bus = try await PrivateBus()
        currentBus = Mutex(bus)
        sandbox = try await SandboxFixture(
            without: furnishing.without, heartbeat: furnishing.heartbeat,
            environment: furnishing.serverEnvironment)
        daemon = try DaemonFixture(
            session: bus.environment.merging(furnishing.environment) { $1 }, configuration: nil)
        try configure(furnishing.configuration)
        if furnishing.hasNotificationServer { try await showNotifications() }
        if furnishing.isConnected {
            try await daemon.start(logLevel: furnishing.logLevel)
            try await daemon.connected()
        }
    }

    /// Furnishes a household, lives in it and leaves nothing behind.
    public static func with(
        _ furnish: (inout Furnishing) -> Void = { _ in }, _ body: (Household) async throws -> Void
    ) async throws {
        var furnishing = Furnishing()
        furnish(&furnishing)
        try await Street.shared.enter()
        do {
            let home = try await Household(furnishing)
            try await home.live(body)
        } catch {
            await Street.shared.leave()
            throw error
        }
        await Street.shared.leave()
    }

    /// What was started last ends first.
    private func live(_ body: (Household) async throws -> Void) async throws {
        do {
            try await body(self)
        } catch {
            throw HouseholdFailure(description: "\(error)\n\(daemon.journal.suffix(6000))")
        }
        try await daemon.stop()
        try await recorder.withLock { $0.take() }?.die()
        try await sandbox.stop()
        try await bus.die()
    }

    /// The daemon's configuration: the sandbox, an opener that writes down, and `lines`.
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

    /// The line of the configuration that has links written down instead of opened.
    public var opener: String {
        "opener: [/bin/sh, -c, 'echo \"$0 $XDG_ACTIVATION_TOKEN\" >> \(daemon.directory.file("opened"))']"
    }

    /// The links that were opened, each with its activation token.
    public var opened: [String] {
        let text = (try? String(contentsOfFile: daemon.directory.file("opened"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The notification server of now. Throws where there is none.
    public var popups: RecordingNotificationServer {
        get throws {
            guard let recorder = recorder.withLock({ $0 }) else {
                throw HouseholdFailure(description: "nobody shows notifications")
            }
            return recorder
        }
    }

    /// Starts a notification server.
    public func showNotifications(
        as appearance: RecordingNotificationServer.Appearance = .init()
    ) async throws {
        let server = try await RecordingNotificationServer(on: bus, as: appearance)
        recorder.withLock { $0 = server }
    }

    /// The session's bus and all that lived on it but the daemon go away for good.
    public func loseBus() async throws {
        let server = recorder.withLock { $0.take() }
        try await bus.die()
        withExtendedLifetime(server) {}
    }

    /// A new bus is there, at the address of the one that was lost.
    public func restoreBus() async throws {
        let bus = try await bus.successor()
        currentBus.withLock { $0 = bus }
    }

    /// The daemon's device as the API knows it.
    public func device() async throws -> SandboxFixture.Device {
        try await sandbox.device(daemon.status().accounts[0].deviceId)
    }
}

/// A test failed in a household: why, and what the daemon logged last.
public struct HouseholdFailure: Error, CustomStringConvertible {
    public let description: String
}
