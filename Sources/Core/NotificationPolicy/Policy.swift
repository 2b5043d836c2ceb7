public import Config
public import CutieAPI

/// The policy that decides whether a message causes a notification and what the notification shows. The
/// policy depends on the configuration and on the user's current settings.
public struct Policy: Sendable {
    /// A pause of notifications. A private pause does not hold notifications, but hides names and text.
    public struct Pause: Hashable, Sendable {
        /// The end as `ClockReading.uptime`; `nil` if the pause lasts until `resume`. The wall clock is not
        /// used, because setting it back would extend the pause.
        public var end: Duration?
        /// Whether notifications are shown without names and text, instead of being held.
        public var isPrivate: Bool

        public init(end: Duration?, isPrivate: Bool) {
            self.end = end
            self.isPrivate = isPrivate
        }

        /// Returns whether the pause has not ended yet.
        public func isActive(at now: ClockReading) -> Bool { end.map { now.uptime < $0 } ?? true }

        /// Returns the end as a wall-clock time.
        public func endTime(at now: ClockReading) -> Timestamp? { end.map(now.time(at:)) }
    }

    /// The visibility of message text in notifications on this desktop.
    public enum TextVisibility: Hashable, Sendable {
        case always
        /// Message text is visible until `ClockReading.uptime` reaches this value, because the user confirmed
        /// their presence.
        case until(Duration)

        /// Returns whether message text is visible now.
        public func isTextVisible(at now: ClockReading) -> Bool {
            switch self {
            case .always: true
            case .until(let end): now.uptime < end
            }
        }
    }

    public var configuration: NotificationConfiguration
    /// The rules, in order; the first matching rule applies.
    public var rules: [Rule]
    /// The user's setting in `cutied ctl notifications`, which overrides the configuration; `nil` if the user
    /// never changed it.
    public var enabled: Bool?
    public var pause: Pause?
    public var texts = TextVisibility.always
    /// Whether the screen was locked when last queried. If the state is unknown, the screen counts as
    /// unlocked, because many screen lockers do not report their state.
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

    /// Whether notifications are on: the user's setting or, if the user never changed it, the configuration.
    public var isEnabled: Bool { enabled ?? configuration.enabled }

    /// The decision about a message at a given time.
    public enum Verdict: Hashable, Sendable {
        case show
        /// The message is held. `until`: the time of its release; `nil` if only a change of settings releases
        /// it.
        case hold(reason: String, until: Timestamp?)
        /// The message is never shown.
        case suppress(reason: String)
    }

    /// Returns the decision about a message.
    public func verdict(on subject: NotificationSubject, now: ClockReading) -> Verdict {
        guard isEnabled else { return .suppress(reason: off) }
        if isSuppressed(subject.message) { return .suppress(reason: "system messages are off") }
        if let reason = suppressionReason(for: subject) { return .suppress(reason: reason) }
        let isUrgent = urgency(of: subject) == .critical
        if !isUrgent, let hold = pauseHold(at: now) { return verdict(hold) }
        if isUrgent, configuration.urgentBreaksQuiet { return .show }
        return quietHold(at: now).map(verdict) ?? .show
    }

    /// Returns the decision about a notification that is not about a reply, such as a failed message.
    public func verdictForNotice(now: ClockReading) -> Verdict {
        guard isEnabled else { return .suppress(reason: off) }
        return (pauseHold(at: now) ?? quietHold(at: now)).map(verdict) ?? .show
    }

    /// Returns whether the message is a system message that the configuration suppresses.
    public func isSuppressed(_ message: Message) -> Bool {
        message.senderType == .system && !configuration.systemMessages
    }

    /// Returns the content that a notification may show now. A private pause, a locked screen or unconfirmed
    /// presence reduces the configured content.
    public func preview(at now: ClockReading) -> NotificationConfiguration.Preview {
        isLocked
            ? min(previewWhenUnlocked(at: now), configuration.locked.limit) : previewWhenUnlocked(at: now)
    }

    /// Returns the content of notifications while the screen is unlocked.
    public func previewWhenUnlocked(at now: ClockReading) -> NotificationConfiguration.Preview {
        if isPrivate(at: now) { return .count }
        return configuration.preview == .full && !texts.isTextVisible(at: now)
            ? .sender : configuration.preview
    }

    /// Returns whether a private pause is active.
    public func isPrivate(at now: ClockReading) -> Bool {
        pause.map { $0.isPrivate && $0.isActive(at: now) } ?? false
    }

    private var off: String { NotificationHold(.off).description(in: zone) }

    private func verdict(_ hold: NotificationHold) -> Verdict {
        .hold(reason: hold.description(in: zone), until: hold.until)
    }
}
