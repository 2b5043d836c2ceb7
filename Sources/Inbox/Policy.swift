public import Config
public import CutieAPI

/// What decides whether a message pops up: the configuration and what the person said for now.
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
    /// The person's own switch, over the configuration's.
    public var enabled: Bool?
    public var pause: Pause?

    public init(
        _ configuration: NotificationConfiguration = .init(), enabled: Bool? = nil, pause: Pause? = nil
    ) {
        self.configuration = configuration
        self.enabled = enabled
        self.pause = pause
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

    public func verdict(on message: Message, priority: Priority?, now: Timestamp) -> Verdict {
        guard isEnabled else { return .never(why: "notifications are off") }
        if message.senderType == .system, !configuration.systemMessages {
            return .never(why: "system messages are off")
        }
        if let pause, pause.holds(at: now), !pause.isPrivate, priority != .urgent {
            return .hold(why: "paused" + Self.until(pause.until), until: pause.until)
        }
        if let quietHours = configuration.quietHours, quietHours.contains(now),
            !(priority == .urgent && configuration.urgentBreaksQuiet)
        {
            let end = quietHours.end(after: now)
            return .hold(why: "quiet hours" + Self.until(end), until: end)
        }
        return .show
    }

    /// The preview in force: a private pause lowers it.
    public func preview(at now: Timestamp) -> NotificationConfiguration.Preview {
        pause.map { $0.isPrivate && $0.holds(at: now) } == true ? .count : configuration.preview
    }

    private static func until(_ time: Timestamp?) -> String {
        time.map { " until \(LocalTime($0).clock)" } ?? ""
    }
}
