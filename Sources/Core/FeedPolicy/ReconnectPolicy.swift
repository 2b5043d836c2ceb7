/// Determines when to reconnect. The type is pure: it has no clock and no task.
public struct ReconnectPolicy: Sendable {
    /// The reason why the connection ended.
    public enum Cause: Hashable, Sendable {
        /// Reconnect immediately.
        case restart
        /// The network is unreachable until it changes.
        case noNetwork
        /// A fault that may be temporary.
        case fault(TransportSelector.Fault)
        /// The API rejects the account, for the reason in this sentence.
        case refusal(String)
        /// The store could not save data of the API, for the reason in this sentence. The API works.
        case storeFailed(String)
    }

    /// The pause before the next attempt. A change of the network or a request by the user ends every pause.
    public enum Pause: Hashable, Sendable {
        case none
        case untilNetworkChange
        case retry(after: Duration, because: String)
        /// The user must act. One more attempt is made after the duration.
        case stop(Duration, because: String)
    }

    /// The delay before the next attempt after a rejection, which may be lifted without a notification.
    public static let stopDuration: Duration = .seconds(3600)

    private var backoff = Backoff.reconnecting
    /// The backoff for errors of the store. It has a low cap, because the API works and data is waiting.
    private var storeBackoff = Backoff(cap: .seconds(5))

    public init() {}

    /// Returns the pause before the next attempt.
    ///
    /// - Parameters:
    ///   - age: the lifetime of the connection; `nil` if none was established. The backoff is reset after a
    ///   stable connection, but not if the server closes connections immediately.
    ///   - random: uniform in 0..<1.
    public mutating func pause(
        after cause: Cause, age: Duration? = nil, random: () -> Double
    ) -> Pause {
        if let age, age >= TransportSelector.provenAge {
            backoff.reset()
            storeBackoff.reset()
        }
        switch cause {
        case .restart: return .none
        case .noNetwork: return .untilNetworkChange
        case .fault(let fault): return .retry(after: wait(after: fault, random), because: fault.sentence)
        case .refusal(let reason): return .stop(Self.stopDuration, because: reason)
        case .storeFailed(let reason):
            return .retry(after: storeBackoff.next(random: random()), because: reason)
        }
    }

    private mutating func wait(after fault: TransportSelector.Fault, _ random: () -> Double) -> Duration {
        guard let spread = fault.spread else { return backoff.next(random: random(), floor: fault.floor) }
        return backoff.next(afterRegularEnd: spread, random: random)
    }

    /// Resets the backoff when earlier failures may no longer apply.
    public mutating func reset() { backoff.reset() }
}
