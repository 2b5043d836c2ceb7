import Desktop

/// The session bus and who shows notifications on it.
struct SessionFacts: Sendable {
    enum Bus: Hashable, Sendable {
        /// The environment names none.
        case unnamed
        /// At this address nobody answers; why.
        case silent(address: String, reason: String)
        case answers(address: String)
        /// An address of a kind that is not tried here, such as tcp.
        case untried(address: String)
    }

    enum Server: Hashable, Sendable {
        case answers(NotificationServer)
        case missing
        /// Did not answer within so many seconds.
        case hangs(seconds: Int)
        case notAsked
    }

    var bus: Bus
    var server: Server
}
