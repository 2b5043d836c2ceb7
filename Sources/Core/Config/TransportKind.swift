/// The transports for replies, best first. A new transport also needs an entry in
/// `TransportKind.implementation`.
public enum TransportKind: String, CaseIterable, Sendable, Comparable {
    case stream
    case longPoll = "long-poll"
    case poll

    /// The name in the configuration and in the output of `status`.
    public var name: String { rawValue }

    public static func < (left: TransportKind, right: TransportKind) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
