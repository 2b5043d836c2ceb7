public import Config
public import Reasons

/// The selection of the transport for replies. The daemon polls until a better transport has proved to work.
/// A better transport is tried in parallel with the transport in use, and replaces it only after success.
///
/// The selector is a pure state machine that returns steps. Times are offsets on the caller's monotonic
/// clock.
public struct TransportSelector: Sendable {
    /// The next step towards a better transport.
    public enum Step: Equatable, Sendable {
        /// Try this transport in parallel with the transport in use.
        case open(TransportKind)
        /// Retry this transport after a short delay.
        case retry(TransportKind)
        /// Try no transport before `nextTrialTime`.
        case wait
    }

    /// A failure of a transport although the API is reachable.
    public struct Fault: Hashable, Sendable {
        public var reason: Reason
        /// Whether a retry would certainly fail for the same reason.
        public var isFinal: Bool
        /// Whether a proxy probably buffers the stream: the stream is open, but no data arrived for a long
        /// time.
        public var isBufferedByProxy: Bool
        /// The minimum delay before the next attempt, as requested by the server; `nil` if the server
        /// requested none.
        public var floor: Duration?
        /// The duration over which clients should spread their reconnects after the server closed the stream
        /// normally; `nil` for other faults.
        public var spread: Duration?

        public init(
            _ reason: Reason, isFinal: Bool = false, isBufferedByProxy: Bool = false,
            floor: Duration? = nil,
            spread: Duration? = nil
        ) {
            (self.reason, self.isFinal) = (reason, isFinal)
            (self.isBufferedByProxy, self.floor, self.spread) = (isBufferedByProxy, floor, spread)
        }
    }

    /// The first delay before abandoned transports are tried again. The delay doubles with each failure, up
    /// to `maxRetry`.
    static let firstRetry: Duration = .seconds(300)
    static let maxRetry: Duration = .seconds(6 * 3600)
    /// The minimum age of a connection at which received data proves that the transport works. Earlier data
    /// is no proof, because a proxy may forward the first byte and buffer all later bytes, or the connection
    /// may end immediately.
    public static let provenAge: Duration = .seconds(5)
    /// The number of failures after which a transport is abandoned until the next trial.
    static let maxFailures = 2
    /// The maximum length in characters of a fault's text, which may contain a long error message from a
    /// server.
    static let maxFaultTextLength = 120

    /// The transport that is in use.
    public private(set) var working = TransportKind.poll
    /// The transport that is tried in parallel; `nil` if none is tried.
    public private(set) var trial: TransportKind?
    /// Whether a proxy buffers a transport: the connection is accepted, but no data arrives.
    public var isBufferedByProxy: Bool { !buffered.isEmpty }
    private var buffered: Set<TransportKind> = []
    /// The transports to try, best first.
    private let candidates: [TransportKind]
    /// The first transport to try on a new connection; `nil` if only polling is known to work.
    private var first: TransportKind?
    private var faults: [TransportKind: Reason] = [:]
    /// The number of consecutive failures of each transport.
    private var failureCounts: [TransportKind: Int] = [:]
    private var nextTrialAt: Duration?
    private var retry = TransportSelector.firstRetry

    /// Creates a selector.
    ///
    /// - Parameter only: the configured transport; `nil` for automatic selection.
    public init(only: TransportKind? = nil) {
        candidates = (only.map { [$0] } ?? TransportKind.allCases).filter { $0 < .poll }
        first = candidates.first
    }

    /// The reason why the best allowed transport is not in use; `nil` if it is in use.
    public var reason: Reason? {
        var missing = candidates.filter { $0 < working }.compactMap { kind in
            faults[kind].map { (name: kind.name, fault: $0) }
        }[...]
        guard let first = missing.popFirst() else {
            return trial.map { Reason(.transportTested, ["transport": $0.name]) }
        }
        // There are at most two faults, because only two transports are better than polling.
        guard let second = missing.popFirst() else {
            return Reason(.transportMissing, ["transport": first.name], because: first.fault)
        }
        let names = ["transport": first.name, "other": second.name]
        guard first.fault != second.fault else {
            return Reason(.bothTransportsMissing, names, because: first.fault)
        }
        return Reason(
            .eachTransportMissing, names, reasons: ["reason": first.fault, "second": second.fault])
    }

    /// The time at which better transports are tried again; `nil` during a trial, or if there is no better
    /// transport.
    public var nextTrialTime: Duration? {
        guard trial == nil, let best = candidates.first, best < working else { return nil }
        return nextTrialAt
    }

    /// Whether the first received data proves that the tried transport works. The value is `true` if the
    /// transport has not failed since it last worked.
    public var acceptsFirstData: Bool { trial.map { failureCounts[$0, default: 0] == 0 } ?? false }

    /// Starts a new connection; returns its first step.
    public mutating func startConnection(now: Duration) -> Step {
        working = .poll
        trial = nil
        if let nextTrialAt, now >= nextTrialAt { return startTrialOfBetterTransports() }
        return startTrial(of: first)
    }

    /// Allows abandoned transports to be tried again after a network change or a request from the user. For
    /// these transports, the first received data does not yet prove that the transport works.
    public mutating func allowRetries() {
        first = candidates.first
        nextTrialAt = nil
        capFailureCounts()
    }

    /// Starts another trial of the better transports; returns its first step.
    public mutating func startTrialOfBetterTransports() -> Step {
        allowRetries()
        return startTrial(of: first.flatMap { $0 < working ? $0 : nil })
    }

    /// Records received data.
    ///
    /// - Parameter age: the time since the transport was opened.
    /// - Returns: `true` if this transport is now in use.
    public mutating func recordDataArrival(on transport: TransportKind, connectionAge age: Duration) -> Bool {
        if age >= Self.provenAge, failureCounts[transport, default: 0] > 0 { failureCounts[transport] = 0 }
        guard transport < working, failureCounts[transport, default: 0] == 0 else { return false }
        (working, first, trial) = (transport, transport, nil)
        faults[transport] = nil
        if transport == candidates.first {
            (faults, buffered, nextTrialAt, retry) = ([:], [], nil, Self.firstRetry)
        }
        return true
    }

    /// Records that the tried transport failed while the transport in use continues to work. Returns the next
    /// step.
    public mutating func recordTrialFailure(of transport: TransportKind, fault: Fault, now: Duration) -> Step
    {
        guard countFailureAndCheckLimitReached(of: transport, fault: fault) else { return .retry(transport) }
        abandon(transport, because: fault, now: now)
        let next = candidates.first { $0 > transport && $0 < working }
        first = next ?? (working < .poll ? working : nil)
        return startTrial(of: next)
    }

    /// Records that the connection of the transport in use was lost. The loss is counted as a failure only if
    /// the connection was not stable or the fault is final. After the second failure (the first if the fault
    /// is final or a proxy buffers the stream), the transport is abandoned, and the next connection starts
    /// with the next best transport.
    ///
    /// - Parameter age: the time between opening the transport and the last received data.
    public mutating func recordConnectionLoss(
        of transport: TransportKind, lastDataAge age: Duration, fault: Fault, now: Duration
    ) {
        guard age < Self.provenAge || fault.isFinal,
            countFailureAndCheckLimitReached(of: transport, fault: fault)
        else { return }
        abandon(transport, because: fault, now: now)
        first = candidates.first { $0 > transport }
    }

    private mutating func startTrial(of transport: TransportKind?) -> Step {
        trial = transport
        return transport.map(Step.open) ?? .wait
    }

    private mutating func countFailureAndCheckLimitReached(of transport: TransportKind, fault: Fault) -> Bool
    {
        failureCounts[transport, default: 0] +=
            fault.isFinal || fault.isBufferedByProxy ? Self.maxFailures : 1
        return failureCounts[transport, default: 0] >= Self.maxFailures
    }

    private mutating func abandon(_ transport: TransportKind, because fault: Fault, now: Duration) {
        faults[transport] = fault.reason.mapTexts(Self.truncated)
        buffered.remove(transport)
        if fault.isBufferedByProxy { buffered.insert(transport) }
        if nextTrialAt == nil {
            nextTrialAt = now + retry
            retry = min(retry * 2, Self.maxRetry)
        }
        if let floor = fault.floor { nextTrialAt = max(nextTrialAt ?? now, now + floor) }
    }

    /// Reduces the failure counts of abandoned transports, so that each of these transports is tried again,
    /// and abandoned after one more failure.
    private mutating func capFailureCounts() {
        failureCounts = failureCounts.mapValues { min($0, Self.maxFailures - 1) }
    }

    private static func truncated(_ text: String) -> String {
        text.count > maxFaultTextLength ? text.prefix(maxFaultTextLength - 1) + "…" : text
    }
}
