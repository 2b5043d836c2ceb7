public import Config
public import CutieAPI

/// What decides whether a message pops up, and how: the configuration and what the person said for now.
public struct Policy: Sendable {
    /// A pause: until when (nil: until `resume`), and whether it only lowers the preview.
    public struct Pause: Hashable, Sendable {
        public var until: Timestamp?
        public var isPrivate: Bool

        public init(until: Timestamp?, isPrivate: Bool) {
            self.until = until
            self.isPrivate = isPrivate
        }

        public func holds(at now: Timestamp) -> Bool { until.map { now < $0 } ?? true }
    }

    public var configuration: NotificationConfiguration
    /// The first that fits a message decides.
    public var rules: [Rule]
    /// The person's own switch, over the configuration's.
    public var enabled: Bool?
    public var pause: Pause?
    /// Where quiet hours are told by the clock.
    public var zone: LocalZone

    public init(
        _ configuration: NotificationConfiguration = .init(), rules: [Rule] = [], enabled: Bool? = nil,
        pause: Pause? = nil, zone: LocalZone = .current
    ) {
        (self.configuration, self.rules, self.enabled) = (configuration, rules, enabled)
        (self.pause, self.zone) = (pause, zone)
    }

    public var isEnabled: Bool { enabled ?? configuration.enabled }

    /// What becomes of a message now.
    public enum Verdict: Hashable, Sendable {
        case show
        /// Not now; `until` nil: until something changes.
        case hold(why: String, until: Timestamp?)
        /// Not now and not later.
        case never(why: String)
    }

    public func verdict(on subject: Subject, now: Timestamp) -> Verdict {
        guard isEnabled else { return .never(why: "notifications are off") }
        if isUnwanted(subject.message) { return .never(why: "system messages are off") }
        if let why = ruledOut(subject) { return .never(why: why) }
        let isUrgent = urgency(of: subject) == .critical
        if !isUrgent, let held = pauseHold(at: now) { return held }
        if isUrgent, configuration.urgentBreaksQuiet { return .show }
        return quietHold(at: now) ?? .show
    }

    /// Pop-ups that are not about a message of the API, such as one on what could not be sent.
    public func verdictOnNotice(now: Timestamp) -> Verdict {
        guard isEnabled else { return .never(why: "notifications are off") }
        return pauseHold(at: now) ?? quietHold(at: now) ?? .show
    }

    /// What the service itself writes is no reply, unless it is wanted as one.
    public func isUnwanted(_ message: Message) -> Bool {
        message.senderType == .system && !configuration.systemMessages
    }

    /// The preview in force: a private pause lowers it.
    public func preview(at now: Timestamp) -> NotificationConfiguration.Preview {
        isPrivate(at: now) ? .count : configuration.preview
    }

    public func isPrivate(at now: Timestamp) -> Bool {
        pause.map { $0.isPrivate && $0.holds(at: now) } ?? false
    }

    private func pauseHold(at now: Timestamp) -> Verdict? {
        guard let pause, pause.holds(at: now), !pause.isPrivate else { return nil }
        return .hold(why: "paused" + until(pause.until), until: pause.until)
    }

    private func quietHold(at now: Timestamp) -> Verdict? {
        guard let end = configuration.quietHours?.end(of: now, in: zone) else { return nil }
        return .hold(why: "quiet hours" + until(end), until: end)
    }

    private func until(_ time: Timestamp?) -> String {
        time.map { " until \(zone.clock($0))" } ?? ""
    }
}
