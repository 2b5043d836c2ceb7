extension HoldView.Reason {
    /// Whether the hold reason only hides the text of messages; notifications still pop up.
    public var onlyHidesText: Bool { self == .privatePause || self == .presence }
}

extension GetStatus.Reply {
    /// The reasons why notifications are held now, most important first. Derived from other fields if the
    /// daemon is too old to send `holds`.
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
