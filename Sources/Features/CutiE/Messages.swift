import AccessAPI
import Runtime
import Varlink
import VarlinkSocket

/// The replies to the user as they arrive, across restarts of the daemon. See ``CutiE/messages-property``.
public struct Messages: AsyncSequence, Sendable {
    let cutiE: CutiE

    /// Waits for the next reply.
    public struct Iterator: AsyncIteratorProtocol {
        private let cutiE: CutiE
        /// The sequence of the last entry; `nil` before the first.
        private var since: Int64?
        private var replies: ReplySequence<Watch>.Iterator?
        private var delays = ReconnectDelays()

        init(_ cutiE: CutiE) { (self.cutiE, since) = (cutiE, cutiE.start) }

        /// Returns the next reply. Throws a ``CutiEError`` if no more can arrive, and `CancellationError`.
        public mutating func next() async throws -> Message? {
            while true {
                do {
                    let entry = try await nextEntry()
                    delays.reset()
                    if let badge = entry.badge { cutiE.setUnread(badge) }
                    // A snapshot contains the newest sequence, although older entries may follow.
                    if entry.type != .snapshot || since == nil { since = entry.sequence }
                    if let message = entry.message, !message.own { return Message(message) }
                } catch CutiEError.networkError(let problem as ConnectionProblem) where problem.isTemporary {
                    replies = nil
                    try await EventLoop.shared.sleep(for: delays.next())
                }
            }
        }

        private mutating func nextEntry() async throws -> Watch.Reply {
            try await cutiE.configured {
                if replies == nil { replies = try await cutiE.client.stream(Watch(since: since)) }
                return try await cutiE.client.mappingErrors {
                    guard let entry = try await replies?.next() else { throw SocketFailure.peerDisconnected }
                    return try entry.value
                }
            }
        }
    }

    /// Starts at the position at which the app was configured.
    public func makeAsyncIterator() -> Iterator { Iterator(cutiE) }
}
