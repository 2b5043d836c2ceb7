import AccessAPI
import Threads
import Varlink
import VarlinkSocket

/// The answers to the person as they arrive, over restarts of the daemon: what ``CutiE/messages-property`` is.
public struct Messages: AsyncSequence, Sendable {
    let cutiE: CutiE

    /// Waits for one answer after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let cutiE: CutiE
        /// The last entry that was taken; nil before the first.
        private var since: Int64?
        private var replies: ReplySequence<Watch>.Iterator?
        private var delays = ReconnectDelays()

        init(_ cutiE: CutiE) { (self.cutiE, since) = (cutiE, cutiE.start) }

        /// The next answer. Throws a ``CutiEError`` where none can come any more, and `CancellationError`.
        public mutating func next() async throws -> Message? {
            while true {
                do {
                    let entry = try await nextEntry()
                    delays.reset()
                    if let badge = entry.badge { cutiE.setUnread(badge) }
                    // A snapshot tells the head, which lies behind entries that are still to come.
                    if entry.type != WatchEntry.snapshot.rawValue || since == nil { since = entry.sequence }
                    if let message = entry.message, !message.own { return Message(message) }
                } catch CutiEError.networkError(let problem as ConnectionProblem) where problem.mayHeal {
                    replies = nil
                    try await EventLoop.shared.sleep(for: delays.next())
                }
            }
        }

        private mutating func nextEntry() async throws -> Watch.Reply {
            try await cutiE.configured {
                if replies == nil { replies = try await cutiE.client.stream(Watch(since: since)) }
                return try await cutiE.client.typed {
                    guard let entry = try await replies?.next() else { throw SocketFailure.peerGone }
                    return try entry.value
                }
            }
        }
    }

    /// Begins where the app was configured.
    public func makeAsyncIterator() -> Iterator { Iterator(cutiE) }
}
