public import CutieAPI

/// A reason why new replies cause no notification, or a notification without their text.
public struct NotificationHold: Hashable, Sendable {
    /// The kinds of holds, most important first.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// The user or the configuration turned notifications off.
        case off
        case pause
        case quietHours
        /// No notification server is running.
        case noServer
        /// A pause during which notifications hide names and text.
        case privatePause
        /// Message text is hidden until the user confirms their presence at this desktop.
        case presence
    }

    public var reason: Reason
    /// The time at which the hold ends; `nil` if unknown.
    public var until: Timestamp?

    public init(_ reason: Reason, until: Timestamp? = nil) { (self.reason, self.until) = (reason, until) }

    /// Returns a description for the ledger and for `explain`, such as "paused until 14:05".
    public func description(in zone: LocalZone) -> String {
        let end = until.map { " until \(zone.clockText(for: $0))" } ?? ""
        return switch reason {
        case .off: "notifications are off"
        case .pause: "paused" + end
        case .quietHours: "quiet hours" + end
        case .noServer: "no notification server"
        case .privatePause: "private" + end
        case .presence: "text is hidden until you confirm that you are here"
        }
    }
}

extension [NotificationHold] {
    /// Returns whether both lists contain the same holds, with end times less than 2 s apart.
    /// The end of a pause is computed from two clocks, which are not read at exactly the same time, so the
    /// end varies slightly.
    public func isEquivalent(to others: [NotificationHold]) -> Bool {
        count == others.count && zip(self, others).allSatisfy { $0.isEquivalent(to: $1) }
    }
}

extension NotificationHold {
    private static let tolerance: Int64 = 2000

    fileprivate func isEquivalent(to other: NotificationHold) -> Bool {
        guard reason == other.reason else { return false }
        guard let until, let end = other.until else { return until == other.until }
        return abs(until.milliseconds - end.milliseconds) < Self.tolerance
    }
}
