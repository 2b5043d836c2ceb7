internal import Config

/// The effect of a locked screen.
extension Policy {
    /// Whether the state of the screen lock can change what is shown. Otherwise the state is not queried.
    public var dependsOnLock: Bool {
        configuration.locked == .hold || configuration.locked.limit < configuration.preview
    }

    /// Whether all notifications are held because the screen is locked, including urgent ones.
    public var isHeldByLock: Bool { isLocked && configuration.locked == .hold }

    /// The reason of such a hold for the ledger and for `explain`.
    public static let lockReason = "the screen is locked"

    /// Returns what a locked screen removed from a notification, for the ledger and for `explain`; `nil` if the
    /// notification is the same as on an unlocked screen.
    public func lockNote(at now: ClockReading) -> String? {
        let preview = preview(at: now)
        guard preview < previewWhenUnlocked(at: now) else { return nil }
        return (preview == .sender ? "without text: " : "without names and text: ") + Self.lockReason
    }
}

extension NotificationConfiguration.Locked {
    /// The most that a notification may show. A notification that is held shows nothing.
    var limit: NotificationConfiguration.Preview {
        switch self {
        case .full: .full
        case .sender: .sender
        case .count, .hold: .count
        }
    }
}
