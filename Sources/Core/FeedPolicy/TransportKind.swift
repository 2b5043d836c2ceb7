/// The transports for replies, best first.
public enum TransportKind: Int, CaseIterable, Sendable, Comparable {
    case stream, longPoll, poll

    /// The name in `status` and in the configuration.
    public var name: String {
        switch self {
        case .stream: "stream"
        case .longPoll: "long-poll"
        case .poll: "poll"
        }
    }

    public static func < (left: TransportKind, right: TransportKind) -> Bool {
        left.rawValue < right.rawValue
    }
}
