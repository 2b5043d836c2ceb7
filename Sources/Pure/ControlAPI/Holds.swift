/// A reason why new replies do not pop up now, or pop up without their text.
public struct HoldView: Codable, Hashable, Sendable {
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        /// The person or the configuration turned notifications off.
        case off
        case paused
        case quietHours
        /// No notification server answers.
        case noServer
        /// A pause that hides names and text.
        case privatePause
        /// Text is hidden until the person confirms that they are at this desktop.
        case presence

        /// Whether replies pop up nevertheless, with less in them.
        public var onlyHidesText: Bool { self == .privatePause || self == .presence }
    }

    public var reason: Reason
    /// Unix milliseconds; `nil` if no end is known.
    public var until: Int64?

    public init(reason: Reason, until: Int64? = nil) { (self.reason, self.until) = (reason, until) }
}

extension GetStatus.Reply {
    /// What holds notifications now, the most important reason first; an older daemon's is read from its other fields.
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
