import Foundation
import Synchronization

/// A notification server that records all calls and displays nothing.
public final class RecordingNotificationServer: Sendable {
    private let bus: PrivateBus
    private let process: AttachedProcess
    private let orders = Atomic(0)

    /// The properties and the behavior of a recording notification server.
    public struct Appearance: Sendable, Encodable {
        public var name = "recorder"
        public var specVersion = "1.2"
        public var capabilities = ["actions", "body", "body-markup", "persistence"]
        public var firstID: UInt32 = 1
        /// The names of the D-Bus methods that return an error.
        public var failing: [String] = []

        public init() {}
    }

    public init(on bus: PrivateBus, as appearance: Appearance = Appearance()) async throws {
        self.bus = bus
        let options = try String(decoding: JSONEncoder().encode(appearance), as: UTF8.self)
        process = try await AttachedProcess(
            ["/usr/bin/python3", "-c", Self.script, options], environment: bus.environment, listens: true)
        try await eventually("the name of the notification server") { [process] in
            process.lines.first == "ready"
        }
    }

    /// A call of Notify. The values of hints are converted to strings, such as `true` and `1`.
    public struct Notification: Sendable, Decodable {
        public let id: UInt32
        public let replaces: UInt32
        public let application: String
        public let icon: String
        public let summary: String
        public let body: String
        /// The action IDs and labels, alternating.
        public let actions: [String]
        public let hints: [String: String]
        public let timeout: Int
        /// The time of the call, in nanoseconds of CLOCK_MONOTONIC.
        public let at: Int64

        fileprivate var isQuestion: Bool {
            hints["x-dunst-stack-tag"]?.hasPrefix("cutied-question-") ?? false
        }
    }

    /// All notifications except questions, oldest first.
    public var notifications: [Notification] { records.compactMap(\.notify).filter { !$0.isQuestion } }

    /// The questions, oldest first.
    public var questions: [Notification] { records.compactMap(\.notify).filter(\.isQuestion) }

    /// The notification IDs in calls of CloseNotification, oldest first.
    public var closeRequests: [UInt32] { records.compactMap(\.close) }

    /// The number of calls of GetServerInformation.
    public var descriptionRequests: Int { records.count { $0.described == true } }

    /// Waits for at least `count` calls of Notify. Returns all calls.
    public func waitForNotifications(atLeast count: Int) async throws -> [Notification] {
        try await eventually("\(count) notifications") { notifications.count >= count }
        return notifications
    }

    /// Emits the signal that the user chose an action.
    public func invoke(_ action: String, on id: UInt32, token: String? = nil) async throws {
        try await sendCommand(
            (["action", String(id), action] + (token.map { [$0] } ?? [])).joined(separator: " "))
    }

    /// Emits the signal that the user typed `text` into a notification.
    public func reply(_ text: String, to id: UInt32) async throws {
        try await sendCommand("reply \(id) " + String(decoding: JSONEncoder().encode(text), as: UTF8.self))
    }

    /// Emits a forged signal, which another connection to the bus sends instead of the notification server.
    public func emitForgedSignal(_ signal: String, _ id: UInt32, _ text: String) async throws {
        let argument = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        try await sendCommand("forge \(signal) \(id) \(argument)")
    }

    /// Emits the signal that a notification was closed. `reason` 2 means that the user dismissed it.
    public func close(_ id: UInt32, reason: Int = 2) async throws {
        try await sendCommand("close \(id) \(reason)")
    }

    /// Changes the capabilities of the server.
    public func setCapabilities(_ capabilities: [String]) async throws {
        try await sendCommand("caps " + capabilities.joined(separator: ","))
    }

    /// Delays all later replies to Notify by `seconds`.
    public func setDelay(seconds: Double) async throws { try await sendCommand("slow \(seconds)") }

    /// Makes the next call of Notify fail with an error that contains `text`.
    public func refuse(with text: String) async throws { try await sendCommand("refuse \(text)") }

    /// Makes the server close the next notification that is replaced before it replies to the call. The close
    /// signal and the reply then race.
    public func closeNextReplaced() async throws { try await sendCommand("race") }

    /// Suspends the server until `resume()`: calls are queued but get no reply.
    public func suspend() async throws { try await Spawn.suspend(process.pid) }
    public func resume() { kill(process.pid, SIGCONT) }

    /// Kills the server to simulate a crash.
    public func killProcess() async throws {
        try await process.killProcess()
        try await bus.waitForNotificationServer(isThere: false)
    }

    /// Sends a command to the script and waits until it has been executed.
    private func sendCommand(_ line: String) async throws {
        let number = orders.add(1, ordering: .relaxed).newValue
        try process.send("\(number) " + line)
        try await eventually("\(line) obeyed") { records.contains { $0.obeyed == number } }
    }

    private var records: [Record] {
        process.lines.dropFirst().compactMap { try? JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    }

    private struct Record: Decodable {
        let notify: Notification?
        let close: UInt32?
        let described: Bool?
        let obeyed: Int?
    }
}
