extension HoldView.Reason {
    /// Whether notifications are still shown, but with less content.
    public var onlyHidesText: Bool { self == .privatePause || self == .presence }
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
