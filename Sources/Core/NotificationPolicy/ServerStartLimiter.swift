import FeedPolicy

/// Limits how often the session bus starts a notification server that exits at once. Each call to such a
/// server would start the server again.
public struct ServerStartLimiter: Sendable {
    private var backoff = Backoff(base: .seconds(1), cap: .seconds(30))
    private var failure: (cause: String, retryTime: ContinuousClock.Instant)?

    public init() {}

    /// The error of the last started server; `nil` if the last query succeeded.
    public var cause: String? { failure?.cause }

    /// Returns the last error while the server must not be started again; `nil` if a query is allowed.
    public func blockingError(at now: ContinuousClock.Instant) -> NotifierError? {
        guard let failure, now < failure.retryTime else { return nil }
        return .serverExited(failure.cause)
    }

    /// Records the result of a query. `error`: `nil` if the query succeeded.
    public mutating func recordQueryResult(error: NotifierError?, at now: ContinuousClock.Instant) {
        guard case .serverExited(let cause) = error else {
            failure = nil
            return backoff.reset()
        }
        failure = (cause, now + backoff.nextDelay(random: 1))
    }
}
