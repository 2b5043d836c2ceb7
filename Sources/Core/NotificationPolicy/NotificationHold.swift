internal import Config
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

extension Policy {
    /// Returns the current holds, most important first; empty if notifications show the text of replies.
    public func currentHolds(at now: ClockReading, hasServer: Bool) -> [NotificationHold] {
        [
            isEnabled ? nil : NotificationHold(.off),
            pauseHold(at: now), quietHold(at: now),
            hasServer ? nil : NotificationHold(.noServer),
            privateHold(at: now), presenceHold(at: now),
        ].compactMap(\.self)
    }

    /// Returns the duration until a hold begins or ends without an event, for example at the end of a pause;
    /// `nil` if unknown.
    public func timeUntilHoldsChange(at now: ClockReading) -> Duration? {
        let pauseEnd = pause.flatMap { $0.isActive(at: now) ? $0.end.map { $0 - now.uptime } : nil }
        let quietChange = configuration.quietHours.map { $0.nextChange(after: now.time, in: zone) - now.time }
        return [pauseEnd, quietChange, timeUntilTextIsHidden(at: now)].compactMap(\.self).min()
    }

    func pauseHold(at now: ClockReading) -> NotificationHold? {
        guard let pause, pause.isActive(at: now), !pause.isPrivate else { return nil }
        return NotificationHold(.pause, until: pause.endTime(at: now))
    }

    func quietHold(at now: ClockReading) -> NotificationHold? {
        configuration.quietHours?.endTime(of: now.time, in: zone).map {
            NotificationHold(.quietHours, until: $0)
        }
    }

    private func privateHold(at now: ClockReading) -> NotificationHold? {
        isPrivate(at: now) ? NotificationHold(.privatePause, until: pause?.endTime(at: now)) : nil
    }

    private func presenceHold(at now: ClockReading) -> NotificationHold? {
        configuration.preview == .full && !texts.isTextVisible(at: now) ? NotificationHold(.presence) : nil
    }

    private func timeUntilTextIsHidden(at now: ClockReading) -> Duration? {
        guard case .until(let end) = texts, end > now.uptime else { return nil }
        return end - now.uptime
    }
}

extension [NotificationHold] {
    /// Returns whether both lists are equal except for a few milliseconds. The end of a pause is computed
    /// from two clocks, which are not read at exactly the same time, so the result varies slightly.
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
