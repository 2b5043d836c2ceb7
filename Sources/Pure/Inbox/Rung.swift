/// A way to learn of replies, best first.
public enum Rung: Int, CaseIterable, Sendable, Comparable {
    case stream, longPoll, poll

    /// The word in `status` and in the configuration.
    public var name: String {
        switch self {
        case .stream: "stream"
        case .longPoll: "long-poll"
        case .poll: "poll"
        }
    }

    public static func < (left: Rung, right: Rung) -> Bool { left.rawValue < right.rawValue }
}
