public import Config
public import CutieAPI

/// Decides whether and how a message pops up, from the configuration and the person's current settings.
public struct Policy: Sendable {
    /// A pause. A private pause only hides names and text.
    public struct Pause: Hashable, Sendable {
        /// The end by `ClockReading.uptime`; `nil` for a pause that lasts until `resume`. Uptime is used,
        /// because a wall clock that is set back would extend a short pause.
        public var end: Duration?
        /// Whether notifications are shown without names and text, instead of being held.
        public var isPrivate: Bool

        public init(end: Duration?, isPrivate: Bool) {
            self.end = end
            self.isPrivate = isPrivate
        }

        /// Returns whether the pause is still in force.
        public func holds(at now: ClockReading) -> Bool { end.map { now.uptime < $0 } ?? true }

        /// Returns the end as a wall-clock time.
        public func until(at now: ClockReading) -> Timestamp? { end.map(now.time(at:)) }
    }

    /// Whether message texts may be shown on this desktop.
    public enum TextVisibility: Hashable, Sendable {
        case always
        /// Texts are shown until this `ClockReading.uptime`, because the user has confirmed to be present.
        case until(Duration)

        /// Returns whether texts may be shown now.
        public func areVisible(at now: ClockReading) -> Bool {
            switch self {
            case .always: true
            case .until(let end): now.uptime < end
            }
        }
    }

    public var configuration: NotificationConfiguration
    /// The rules, in order. The first rule that fits a message applies.
    public var rules: [Rule]
    /// The person's own switch, which overrides the configuration; `nil` if it was never used.
    public var enabled: Bool?
    public var pause: Pause?
    public var texts = TextVisibility.always
    /// Whether the screen was locked at the last query. An unknown state counts as unlocked, because many
    /// screen lockers do not report it.
    public var isLocked = false
    /// The time zone of the quiet hours.
    public var zone: LocalZone

    public init(
        _ configuration: NotificationConfiguration = .init(), rules: [Rule] = [], enabled: Bool? = nil,
        pause: Pause? = nil, zone: LocalZone = .current
    ) {
        (self.configuration, self.rules, self.enabled) = (configuration, rules, enabled)
        (self.pause, self.zone) = (pause, zone)
    }

    /// Whether notifications are on.
    public var isEnabled: Bool { enabled ?? configuration.enabled }

    /// The decision about a message at a given time.
    public enum Verdict: Hashable, Sendable {
        case show
        /// The message is held; `until` is `nil` if only a change of settings releases it.
        case hold(reason: String, until: Timestamp?)
        /// The message is never shown.
        case suppress(reason: String)
    }

    /// Returns the verdict on a message.
    public func verdict(on subject: NotificationSubject, now: ClockReading) -> Verdict {
        guard isEnabled else { return .suppress(reason: off) }
        if isSuppressed(subject.message) { return .suppress(reason: "system messages are off") }
        if let reason = suppressionReason(subject) { return .suppress(reason: reason) }
        let isUrgent = urgency(of: subject) == .critical
        if !isUrgent, let hold = pauseHold(at: now) { return verdict(hold) }
        if isUrgent, configuration.urgentBreaksQuiet { return .show }
        return quietHold(at: now).map(verdict) ?? .show
    }

    /// Returns the verdict on a notification that is not about a message of the API, such as a failed send.
    public func verdictOnNotice(now: ClockReading) -> Verdict {
        guard isEnabled else { return .suppress(reason: off) }
        return (pauseHold(at: now) ?? quietHold(at: now)).map(verdict) ?? .show
    }

    /// Returns whether a message is a system message that the configuration excludes.
    public func isSuppressed(_ message: Message) -> Bool {
        message.senderType == .system && !configuration.systemMessages
    }

    /// Returns the current preview. A private pause lowers it, and so do a locked screen and an unconfirmed
    /// presence of the person.
    public func preview(at now: ClockReading) -> NotificationConfiguration.Preview {
        isLocked
            ? min(previewWhenUnlocked(at: now), configuration.locked.limit) : previewWhenUnlocked(at: now)
    }

    /// Returns the preview on an unlocked screen.
    public func previewWhenUnlocked(at now: ClockReading) -> NotificationConfiguration.Preview {
        if isPrivate(at: now) { return .count }
        return configuration.preview == .full && !texts.areVisible(at: now) ? .sender : configuration.preview
    }

    /// Returns whether a private pause is in force.
    public func isPrivate(at now: ClockReading) -> Bool {
        pause.map { $0.isPrivate && $0.holds(at: now) } ?? false
    }

    private var off: String { NotificationHold(.off).description(in: zone) }

    private func verdict(_ hold: NotificationHold) -> Verdict {
        .hold(reason: hold.description(in: zone), until: hold.until)
    }
}
