extension HoldView.Reason {
    /// Whether notifications are still shown, but without the text of messages.
    public var onlyHidesText: Bool { self == .privatePause || self == .presence }
}

extension GetStatus.Reply {
    /// The current holds, most important first. If the daemon is too old to send `holds`, the holds are
    /// derived from other fields.
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
