import Config
import FeedPolicy

/// A transport for events that is better than polling. `FeedConnection` runs one transport at a time, polls
/// until it has proved to work, and tries the next transport if it fails.
protocol Transport {
    init(on connection: FeedConnection)

    /// Receives events until the transport fails or a better one has taken over.
    ///
    /// Calls `FeedConnection.requestPoll()` once the server holds back no event any more, and
    /// `FeedConnection.receivedData(on:after:)` for all data that proves that the transport works.
    ///
    /// - Returns: the fault that ended the transport or prevented its start; `nil` if a better transport has
    ///   taken over.
    /// - Throws: `CancellationError`, and errors that end the connection, for example of the store.
    func run() async throws -> TransportSelector.Fault?
}

extension TransportKind {
    /// `nil` for polling, which is the fallback and part of `FeedConnection`.
    var implementation: (any Transport.Type)? {
        switch self {
        case .stream: StreamTransport.self
        case .longPoll: LongPollTransport.self
        case .poll: nil
        }
    }
}
