internal import Config

/// The effect of a locked screen on notifications.
extension Policy {
    /// Whether a locked screen changes the content of notifications. If not, the daemon does not query
    /// whether the screen is locked.
    public var dependsOnLock: Bool {
        configuration.locked == .hold || configuration.locked.limit < configuration.preview
    }

    /// Whether all notifications, even urgent ones, are held because the screen is locked.
    public var isHeldByLock: Bool { isLocked && configuration.locked == .hold }

    /// The reason for holding a notification while the screen is locked, for the ledger and for `explain`.
    public static let lockReason = "the screen is locked"

    /// Returns a description of the content that is hidden because the screen is locked, for the ledger and
    /// for `explain`; `nil` if nothing is hidden.
    public func lockScreenDescription(at now: ClockReading) -> String? {
        let preview = preview(at: now)
        guard preview < previewWhenUnlocked(at: now) else { return nil }
        return (preview == .sender ? "without text: " : "without names and text: ") + Self.lockReason
    }
}

extension NotificationConfiguration.LockScreenPreview {
    /// The maximum content of notifications while the screen is locked. The value for `hold` is not used,
    /// because no notification is shown.
    var limit: NotificationConfiguration.Preview {
        switch self {
        case .full: .full
        case .sender: .sender
        case .count, .hold: .count
        }
    }
}
