import Config
import FeedPolicy

/// A better transport for events than polling. `FeedConnection` runs one transport at a time, polls until the
/// transport works reliably, and tries the next transport if it fails.
protocol Transport {
    init(on connection: FeedConnection)

    /// Receives events until the transport fails or a better transport is in use.
    ///
    /// Calls `FeedConnection.requestPoll()` when the server starts to deliver all new events, and
    /// `FeedConnection.recordDataArrival(on:connectionAge:)` for all data that proves that the transport
    /// works.
    ///
    /// - Returns: the fault that ended or prevented the transport; `nil` if a better transport is in use.
    /// - Throws: `CancellationError`, and errors that end the connection, for example of the store.
    func run() async throws -> TransportSelector.Fault?
}

extension TransportKind {
    /// `nil` for polling, the fallback, which `FeedConnection` implements.
    var implementation: (any Transport.Type)? {
        switch self {
        case .stream: StreamTransport.self
        case .longPoll: LongPollTransport.self
        case .poll: nil
        }
    }
}
