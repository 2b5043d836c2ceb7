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

        /// Returns whether the pause is still in effect.
        public func isActive(at now: ClockReading) -> Bool { end.map { now.uptime < $0 } ?? true }

        /// Returns the end as a wall-clock time.
        public func wallClockEndTime(using now: ClockReading) -> Timestamp? { end.map(now.time(atUptime:)) }
    }

    /// The visibility of message text in notifications on this desktop.
    public enum TextVisibility: Hashable, Sendable {
        case always
        /// Message text is visible until `ClockReading.uptime` reaches this value, because the user confirmed
        /// their presence.
        case until(Duration)

        public func isTextVisible(at now: ClockReading) -> Bool {
            switch self {
            case .always: true
            case .until(let end): now.uptime < end
            }
        }
    }

    public var configuration: NotificationConfiguration
    /// The rules for messages, in order; the first matching rule applies.
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
        if isSuppressedSystemMessage(subject.message) { return .suppress(reason: "system messages are off") }
        if let reason = suppressionReason(for: subject) { return .suppress(reason: reason) }
        let isUrgent = urgency(of: subject) == .critical
        if !isUrgent, let hold = pauseHold(at: now) { return verdict(for: hold) }
        if isUrgent, configuration.urgentBreaksQuiet { return .show }
        return quietHoursHold(at: now).map(verdict) ?? .show
    }

    /// Returns the decision about a notification that is not about a reply, but for example about a message
    /// that could not be sent.
    public func verdictForNotice(now: ClockReading) -> Verdict {
        guard isEnabled else { return .suppress(reason: off) }
        return (pauseHold(at: now) ?? quietHoursHold(at: now)).map(verdict) ?? .show
    }

    /// Returns whether the message is a system message that the configuration suppresses.
    public func isSuppressedSystemMessage(_ message: Message) -> Bool {
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
        if isPrivatePauseActive(at: now) { return .count }
        return configuration.preview == .full && !texts.isTextVisible(at: now)
            ? .sender : configuration.preview
    }

    /// Returns whether a private pause is active.
    public func isPrivatePauseActive(at now: ClockReading) -> Bool {
        pause.map { $0.isPrivate && $0.isActive(at: now) } ?? false
    }

    private var off: String { NotificationHold(.off).description(in: zone) }

    private func verdict(for hold: NotificationHold) -> Verdict {
        .hold(reason: hold.description(in: zone), until: hold.until)
    }
}

/// The current holds.
extension Policy {
    /// Returns the current holds, most important first; empty if there are none.
    public func currentHolds(at now: ClockReading, hasServer: Bool) -> [NotificationHold] {
        [
            isEnabled ? nil : NotificationHold(.off),
            pauseHold(at: now), quietHoursHold(at: now),
            hasServer ? nil : NotificationHold(.noServer),
            privatePauseHold(at: now), unconfirmedPresenceHold(at: now),
        ].compactMap(\.self)
    }

    /// Returns the duration until a hold next begins or ends at a known time, such as the end of a pause;
    /// `nil` if no such time is known.
    public func timeUntilNextHoldChange(at now: ClockReading) -> Duration? {
        let pauseEnd = pause.flatMap { $0.isActive(at: now) ? $0.end.map { $0 - now.uptime } : nil }
        let quietChange = configuration.quietHours.map { $0.nextChange(after: now.time, in: zone) - now.time }
        return [pauseEnd, quietChange, timeUntilTextIsHidden(at: now)].compactMap(\.self).min()
    }

    func pauseHold(at now: ClockReading) -> NotificationHold? {
        guard let pause, pause.isActive(at: now), !pause.isPrivate else { return nil }
        return NotificationHold(.pause, until: pause.wallClockEndTime(using: now))
    }

    func quietHoursHold(at now: ClockReading) -> NotificationHold? {
        configuration.quietHours?.endTime(at: now.time, in: zone).map {
            NotificationHold(.quietHours, until: $0)
        }
    }

    private func privatePauseHold(at now: ClockReading) -> NotificationHold? {
        isPrivatePauseActive(at: now)
            ? NotificationHold(.privatePause, until: pause?.wallClockEndTime(using: now)) : nil
    }

    private func unconfirmedPresenceHold(at now: ClockReading) -> NotificationHold? {
        configuration.preview == .full && !texts.isTextVisible(at: now) ? NotificationHold(.presence) : nil
    }

    private func timeUntilTextIsHidden(at now: ClockReading) -> Duration? {
        guard case .until(let end) = texts, end > now.uptime else { return nil }
        return end - now.uptime
    }
}

/// The rules of the configuration.
extension Policy {
    public var hasRules: Bool { !rules.isEmpty }

    /// Returns whether a rule ignores a message. An ignored message is stored, but it is not counted in the
    /// badge and starts no hook.
    public func ignores(_ subject: NotificationSubject) -> Bool { rule(for: subject)?.then.show == .ignore }

    /// Returns the urgency of the matching rule; if no rule matches, the urgency for the priority of the
    /// conversation.
    public func urgency(of subject: NotificationSubject) -> Rule.Urgency {
        if let urgency = rule(for: subject)?.then.urgency { return urgency }
        return switch subject.conversation?.priority {
        case .low: .low
        case .urgent: .critical
        default: .normal
        }
    }

    /// Returns the sound of the matching rule; if no rule matches, the configured sound.
    public func sound(of subject: NotificationSubject) -> NotificationConfiguration.Sound {
        rule(for: subject)?.then.sound ?? configuration.sound
    }

    /// Returns a description of the rule that suppresses the notification; `nil` if no rule suppresses it.
    func suppressionReason(for subject: NotificationSubject) -> String? {
        guard let index = rules.firstIndex(where: { $0.match.matches(subject) }) else { return nil }
        let name = "rule \(index + 1) of the configuration (\(rules[index].match))"
        return switch rules[index].then.show {
        case .silent: name
        case .ignore: name + ", which ignores it"
        case .notify, nil: nil
        }
    }

    private func rule(for subject: NotificationSubject) -> Rule? {
        rules.first { $0.match.matches(subject) }
    }
}

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
    public func hiddenContentDescription(at now: ClockReading) -> String? {
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
