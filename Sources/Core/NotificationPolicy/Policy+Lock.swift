internal import Config

/// The effect of a locked screen on notifications.
extension Policy {
    /// Whether the lock state affects notifications. If not, the lock state is not queried.
    public var dependsOnLock: Bool {
        configuration.locked == .hold || configuration.locked.limit < configuration.preview
    }

    /// Whether all notifications, even urgent ones, are held because the screen is locked.
    public var isHeldByLock: Bool { isLocked && configuration.locked == .hold }

    /// The reason for a hold because of the locked screen, for the ledger and for `explain`.
    public static let lockReason = "the screen is locked"

    /// Returns a description of the content that was hidden because of the locked screen, for the ledger and
    /// for `explain`; `nil` if nothing was hidden.
    public func lockScreenNote(at now: ClockReading) -> String? {
        let preview = preview(at: now)
        guard preview < previewWhenUnlocked(at: now) else { return nil }
        return (preview == .sender ? "without text: " : "without names and text: ") + Self.lockReason
    }
}

extension NotificationConfiguration.Locked {
    /// The maximum content while the screen is locked; `count` for `hold`, with which no notification is
    /// shown.
    var limit: NotificationConfiguration.Preview {
        switch self {
        case .full: .full
        case .sender: .sender
        case .count, .hold: .count
        }
    }
}
