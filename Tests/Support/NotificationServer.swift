import Foundation
import Synchronization

/// A notification server that shows nothing and writes down everything.
public final class RecordingNotificationServer: Sendable {
    private let bus: PrivateBus
    private let process: AttachedProcess
    private let orders = Atomic(0)

    /// What it tells of itself, and the id it gives first.
    public struct Appearance: Sendable, Encodable {
        public var name = "recorder"
        public var specVersion = "1.2"
        public var capabilities = ["actions", "body", "body-markup", "persistence"]
        public var firstID: UInt32 = 1
        /// Methods that it answers with an error.
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

    /// One call of Notify. Hints and their values are text: `true`, `1`.
    public struct Notification: Sendable, Decodable {
        public let id: UInt32
        public let replaces: UInt32
        public let application: String
        public let icon: String
        public let summary: String
        public let body: String
        /// Ids and labels by turns.
        public let actions: [String]
        public let hints: [String: String]
        public let timeout: Int
        /// Arrival, CLOCK_MONOTONIC in nanoseconds.
        public let at: Int64

        fileprivate var isQuestion: Bool {
            hints["x-dunst-stack-tag"]?.hasPrefix("cutied-question-") ?? false
        }
    }

    /// All that was shown but questions, oldest first.
    public var notifications: [Notification] { records.compactMap(\.notify).filter { !$0.isQuestion } }

    /// What was asked, oldest first.
    public var questions: [Notification] { records.compactMap(\.notify).filter(\.isQuestion) }

    /// The ids it was asked to close, oldest first.
    public var closeRequests: [UInt32] { records.compactMap(\.close) }

    /// Waits until `count` calls of Notify came and returns them all.
    public func notifications(atLeast count: Int) async throws -> [Notification] {
        try await eventually("\(count) notifications") { notifications.count >= count }
        return notifications
    }

    /// Tells everybody on the bus that the person chose an action.
    public func invoke(_ action: String, on id: UInt32, token: String? = nil) async throws {
        try await order((["action", String(id), action] + (token.map { [$0] } ?? [])).joined(separator: " "))
    }

    /// Tells everybody on the bus that the person typed `text` into a notification.
    public func reply(_ text: String, to id: UInt32) async throws {
        try await order("reply \(id) " + String(decoding: JSONEncoder().encode(text), as: UTF8.self))
    }

    /// Another program on the bus, which has not shown the notification, sends a signal of the server.
    public func forge(_ signal: String, _ id: UInt32, _ text: String) async throws {
        let argument = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        try await order("forge \(signal) \(id) \(argument)")
    }

    /// Tells everybody on the bus that a notification has gone.
    public func close(_ id: UInt32, reason: Int = 2) async throws { try await order("close \(id) \(reason)") }

    /// What it can do from now on.
    public func can(_ capabilities: [String]) async throws {
        try await order("caps " + capabilities.joined(separator: ","))
    }

    /// From now on it answers Notify only after `seconds`.
    public func isSlow(seconds: Double) async throws { try await order("slow \(seconds)") }

    /// The next notification is refused with this text.
    public func refuses(saying text: String) async throws { try await order("refuse \(text)") }

    /// The person closes the notification that is replaced next, at the same moment.
    public func closesWhatIsReplacedNext() async throws { try await order("race") }

    /// Stops it where it is: it takes calls and answers none, until `resume`.
    public func hang() { kill(process.pid, SIGSTOP) }
    public func resume() { kill(process.pid, SIGCONT) }

    /// It crashes.
    public func die() async throws {
        try await process.die()
        try await bus.notificationServer(isThere: false)
    }

    /// Returns when the order was obeyed.
    private func order(_ line: String) async throws {
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
        let obeyed: Int?
    }
}
