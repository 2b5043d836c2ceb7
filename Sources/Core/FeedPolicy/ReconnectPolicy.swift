public import Reasons

/// The policy that determines when to reconnect. Pure: it has no clock and no task.
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
        /// The store could not save data of the API. The API works.
        case storeFailed(Reason)
    }

    /// The pause before the next attempt. A network change or a request by the user ends every pause.
    public enum Pause: Hashable, Sendable {
        case none
        case untilNetworkChange
        case retry(after: Duration, because: Reason)
        /// The user must act. The connection is nevertheless retried after the duration.
        case stop(Duration, because: Reason)
    }

    /// The delay before the next attempt after a rejection. The API may accept the account again without
    /// notifying the device.
    public static let stopDuration: Duration = .seconds(3600)

    private var backoff = Backoff.reconnecting
    /// The backoff for errors of the store. Its cap is low, because the API works and data is pending.
    private var storeBackoff = Backoff(cap: .seconds(5))

    public init() {}

    /// Returns the pause before the next attempt.
    ///
    /// - Parameters:
    ///   - age: the lifetime of the connection; `nil` if none was established. The backoff is reset after a
    ///     stable connection, but not if the server closes connections immediately.
    ///   - random: uniform in 0..<1.
    public mutating func nextPause(
        after cause: Cause, age: Duration? = nil, random: () -> Double
    ) -> Pause {
        if let age, age >= TransportSelector.provenAge {
            backoff.reset()
            storeBackoff.reset()
        }
        switch cause {
        case .restart: return .none
        case .noNetwork: return .untilNetworkChange
        case .fault(let fault): return .retry(after: nextDelay(after: fault, random), because: fault.reason)
        case .refusal(let reason): return .stop(Self.stopDuration, because: reason)
        case .storeFailed(let reason):
            return .retry(after: storeBackoff.nextDelay(random: random()), because: reason)
        }
    }

    private mutating func nextDelay(after fault: TransportSelector.Fault, _ random: () -> Double) -> Duration
    {
        guard let spread = fault.spread else {
            return backoff.nextDelay(random: random(), floor: fault.floor)
        }
        return backoff.nextDelay(afterRegularEnd: spread, random: random)
    }

    /// Resets the backoff, for example after a network change.
    public mutating func reset() { backoff.reset() }
}
