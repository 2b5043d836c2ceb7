/// A reason why notifications of new replies are held back, or shown without their text.
public struct HoldView: Codable, Hashable, Sendable {
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        /// Notifications are turned off by the user or by the configuration.
        case off
        case paused
        case quietHours
        /// No notification server is available.
        case noServer
        /// A pause that hides names and text.
        case privatePause
        /// The text is hidden until the user confirms their presence at this desktop.
        case presence

        /// Whether notifications are still shown, but with less content.
        public var onlyHidesText: Bool { self == .privatePause || self == .presence }
    }

    public var reason: Reason
    /// Unix milliseconds; `nil` if no end is known.
    public var until: Int64?

    public init(reason: Reason, until: Int64? = nil) { (self.reason, self.until) = (reason, until) }
}

extension GetStatus.Reply {
    /// The reasons that hold back notifications now, most important first. For an older daemon they are
    /// derived from its other fields.
    public var currentHolds: [HoldView] {
        if let holds { return holds }
        let pause = HoldView(reason: `private` ? .privatePause : .paused, until: pausedUntil)
        return [
            notifications ? nil : HoldView(reason: .off),
            paused && !`private` ? pause : nil,
            notifier.available ? nil : HoldView(reason: .noServer),
            paused && `private` ? pause : nil,
        ].compactMap(\.self)
    }
}
