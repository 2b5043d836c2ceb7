public import Reasons

/// The policy that determines when to reconnect. A pure value: it has no clock and no task.
public struct ReconnectPolicy: Sendable {
    /// The reason why a connection ended.
    public enum Cause: Hashable, Sendable {
        /// A restart of the connection without a failure.
        case restart
        /// The network is unreachable; wait for a network change.
        case noNetwork
        /// A failure that may be temporary.
        case fault(TransportSelector.Fault)
        /// The API rejects the account.
        case refusal(Reason)
        /// The database could not store data that the API sent. The API itself works.
        case storeFailed(Reason)
    }

    /// The pause before the next attempt. A network change or a request from the user ends any pause early.
    public enum Delay: Hashable, Sendable {
        case none
        case untilNetworkChange
        case retry(after: Duration, because: Reason)
        /// The user must act. The daemon nevertheless retries after the duration.
        case stop(Duration, because: Reason)
    }

    /// The delay before the next attempt after a rejection. The daemon retries because the API does not
    /// notify the device when it accepts the account again.
    public static let stopDuration: Duration = .seconds(3600)

    private var backoff = Backoff.reconnecting
    /// The backoff for database errors. The maximum delay is short, because the API works and has sent data
    /// that must still be stored.
    private var storeBackoff = Backoff(cap: .seconds(5))

    public init() {}

    /// Returns the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - connectionAge: the lifetime of the connection; `nil` if no connection was established. Only a
    ///     connection of at least `TransportSelector.provenAge` resets the backoff, so that a server that
    ///     closes connections immediately does not reset the backoff.
    ///   - random: uniform in 0..<1.
    public mutating func nextDelay(
        after cause: Cause, connectionAge: Duration? = nil, random: () -> Double
    ) -> Delay {
        if let connectionAge, connectionAge >= TransportSelector.provenAge {
            backoff.reset()
            storeBackoff.reset()
        }
        switch cause {
        case .restart: return .none
        case .noNetwork: return .untilNetworkChange
        case .fault(let fault):
            return .retry(after: retryDelay(after: fault, random: random), because: fault.reason)
        case .refusal(let reason): return .stop(Self.stopDuration, because: reason)
        case .storeFailed(let reason):
            return .retry(after: storeBackoff.nextDelay(random: random()), because: reason)
        }
    }

    private mutating func retryDelay(after fault: TransportSelector.Fault, random: () -> Double) -> Duration {
        guard let spread = fault.spread else {
            return backoff.nextDelay(random: random(), minimumDelay: fault.floor)
        }
        return backoff.nextDelayAfterNormalStreamEnd(spreadingOver: spread, random: random)
    }

    /// Resets the backoff for connections, for example after a network change.
    public mutating func reset() { backoff.reset() }
}
