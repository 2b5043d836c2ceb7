import AccessAPI
import Runtime
import Varlink
import VarlinkSocket

/// An iterator over the log entries of the app's account, which reconnects after temporary connection
/// failures, such as a restart of the daemon.
struct WatchEntries {
    private let session: AppSession
    /// Whether the app shows the conversations that the user opens.
    private let handlesOpening: Bool
    /// The sequence number of the last entry; `nil` before the first entry.
    private var since: Int64?
    private var replies: ReplySequence<Watch>.Iterator?
    private var delays = ReconnectDelays()

    /// Follows the entries after `since`; `nil` starts at the entry at which the app was configured.
    init(_ session: AppSession, since: Int64? = nil, handlesOpening: Bool = false) {
        (self.session, self.since, self.handlesOpening) = (session, since, handlesOpening)
    }

    /// Waits for the next entry, and stores its unread count. Throws a `CutiEError` if no further entry can
    /// arrive, and `CancellationError` if the task is cancelled.
    mutating func next() async throws -> Watch.Reply {
        while true {
            do {
                let entry = try await nextEntry()
                delays.reset()
                if let badge = entry.badge { session.setUnread(badge) }
                // Ignore the number of a snapshot if a position is known: a snapshot contains the newest
                // sequence number, although older entries may follow.
                if entry.type != .snapshot || since == nil { since = entry.sequence }
                return entry
            } catch CutiEError.networkError(let problem as ConnectionProblem) where problem.isTemporary {
                replies = nil
                try await EventLoop.shared.sleep(for: delays.nextDelay())
            }
        }
    }

    private mutating func nextEntry() async throws -> Watch.Reply {
        try await session.configured {
            if replies == nil {
                since = since ?? session.start
                replies = try await session.client.stream(
                    Watch(since: since, handlesOpening: handlesOpening ? true : nil))
            }
            return try await session.client.mappingErrors {
                guard let entry = try await replies?.next() else { throw SocketFailure.peerDisconnected }
                return try entry.value
            }
        }
    }
}
