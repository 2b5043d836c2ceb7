public import Config
public import CutieAPI

/// What decides whether a message pops up, and how: the configuration and what the person said for now.
public struct Policy: Sendable {
    /// A pause: when it ends (nil: with `resume`), and whether it only lowers the preview.
    public struct Pause: Hashable, Sendable {
        /// By `Moment.uptime`: with a clock that is put back, a pause of seconds would last a day.
        public var end: Duration?
        public var isPrivate: Bool

        public init(end: Duration?, isPrivate: Bool) {
            self.end = end
            self.isPrivate = isPrivate
        }

        public func holds(at now: Moment) -> Bool { end.map { now.uptime < $0 } ?? true }

        /// When it ends by the clock as it is set now.
        public func until(at now: Moment) -> Timestamp? { end.map(now.time(at:)) }
    }

    /// Whether texts may be shown to whoever is at the desktop.
    public enum Texts: Hashable, Sendable {
        case free
        /// Only while the person is known to be there: until then, by `Moment.uptime`.
        case until(Duration)

        public func areShown(at now: Moment) -> Bool {
            switch self {
            case .free: true
            case .until(let end): now.uptime < end
            }
        }
    }

    public var configuration: NotificationConfiguration
    /// The first that fits a message decides.
    public var rules: [Rule]
    /// The person's own switch, over the configuration's.
    public var enabled: Bool?
    public var pause: Pause?
    public var texts = Texts.free
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

    public func verdict(on subject: Subject, now: Moment) -> Verdict {
        guard isEnabled else { return .never(why: off) }
        if isUnwanted(subject.message) { return .never(why: "system messages are off") }
        if let why = ruledOut(subject) { return .never(why: why) }
        let isUrgent = urgency(of: subject) == .critical
        if !isUrgent, let hold = pauseHold(at: now) { return verdict(hold) }
        if isUrgent, configuration.urgentBreaksQuiet { return .show }
        return quietHold(at: now).map(verdict) ?? .show
    }

    /// Pop-ups that are not about a message of the API, such as one on what could not be sent.
    public func verdictOnNotice(now: Moment) -> Verdict {
        guard isEnabled else { return .never(why: off) }
        return (pauseHold(at: now) ?? quietHold(at: now)).map(verdict) ?? .show
    }

    /// What the service itself writes is no reply, unless it is wanted as one.
    public func isUnwanted(_ message: Message) -> Bool {
        message.senderType == .system && !configuration.systemMessages
    }

    /// The preview in force: a private pause lowers it, and so does that nobody knows who is there.
    public func preview(at now: Moment) -> NotificationConfiguration.Preview {
        if isPrivate(at: now) { return .count }
        return configuration.preview == .full && !texts.areShown(at: now) ? .sender : configuration.preview
    }

    public func isPrivate(at now: Moment) -> Bool {
        pause.map { $0.isPrivate && $0.holds(at: now) } ?? false
    }

    private var off: String { NotificationHold(.off).words(in: zone) }

    private func verdict(_ hold: NotificationHold) -> Verdict {
        .hold(why: hold.words(in: zone), until: hold.until)
    }
}
