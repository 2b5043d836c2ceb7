import Config
import CutieAPI
import Domain
import EventLog
import FeedPolicy
import Logging
import Platform

/// A single connection to the API. Polls the state, and tries better transports in parallel until one works
/// reliably.
final class FeedConnection {
    let account: Account
    let client: APIClient
    let synchronizer: Synchronizer
    let runtime: RuntimeEnvironment
    var transportSelector: TransportSelector
    /// Notified when the account has become connected.
    let opened = ChangeSignal()
    private let status: AccountStatus
    private let logger: Logger
    private let onConnected: (_ again: Bool) throws -> Void
    private var openedAt: Duration?
    private(set) var pollRequests = PollRequests()

    /// The maximum wait for the headers of a stream before the first poll, and for the first byte of an
    /// open stream before the account is reported as connected. If the headers arrive before the first
    /// poll, a single poll is sufficient.
    private static let firstByteGrace: Duration = .seconds(1)
    /// The timeout for listing conversations after a transport failed. A response within this time shows that
    /// only the transport failed.
    private static let listingTimeout: Duration = .seconds(5)

    init(
        account: Account, client: APIClient, synchronizer: Synchronizer, status: AccountStatus,
        runtime: RuntimeEnvironment, logger: Logger,
        onConnected: @escaping (_ again: Bool) throws -> Void
    ) {
        (self.account, self.client, self.synchronizer) = (account, client, synchronizer)
        (self.status, self.runtime, self.logger) = (status, runtime, logger)
        self.onConnected = onConnected
        transportSelector = TransportSelector(only: account.configuration.transport)
    }

    /// A result that a task of the connection reports.
    private enum Report: Sendable {
        case ended(ReconnectPolicy.Cause)
        /// A transport failed before it worked reliably.
        case failed(TransportKind, TransportSelector.Fault)
        /// A better transport is in use.
        case replaced
        /// The better transports are due for another attempt.
        case trialDue
    }

    /// Runs until the transport in use fails. Returns the reason why the connection ended.
    func run() async throws -> ReconnectPolicy.Cause {
        let first = transportSelector.startConnection(now: runtime.uptime)
        pollRequests = PollRequests()
        var backoff = Backoff()
        return try await withThrowingTaskGroup(of: Report.self) { group in
            defer { group.cancelAll() }
            group.addTask { .ended(try await self.pollUntilConnectionEnds()) }
            group.addTask { try await self.waitUntilTransportTrialIsDue() }
            startTransport(for: first, in: &group, backoff: &backoff)
            while let report = try await group.next() {
                switch report {
                case .ended(let cause): return cause
                case .replaced: break
                case .failed(let transportKind, let fault):
                    let step = transportSelector.recordTrialFailure(
                        of: transportKind, fault: fault, now: runtime.uptime)
                    logFault(fault, of: transportKind, nextStep: step)
                    startTransport(for: step, in: &group, backoff: &backoff, fault: fault)
                    // Wake the polling task: this transport no longer delays the first poll, and the time of
                    // the next attempt to use a better transport has changed.
                    pollRequests.changes.notify()
                case .trialDue:
                    startTransport(
                        for: transportSelector.startTrialOfBetterTransports(), in: &group, backoff: &backoff)
                    group.addTask { try await self.waitUntilTransportTrialIsDue() }
                }
            }
            return .restart
        }
    }

    /// Returns the duration of the last connection; `nil` if it was never established. Resets the value, so
    /// that each connection is counted only once.
    func consumeConnectionAge() -> Duration? {
        defer { openedAt = nil }
        return openedAt.map { runtime.uptime - $0 }
    }

    private func startTransport(
        for step: TransportSelector.Step, in group: inout ThrowingTaskGroup<Report, any Error>,
        backoff: inout Backoff, fault: TransportSelector.Fault? = nil
    ) {
        switch step {
        case .wait: break
        case .open(let transportKind):
            backoff.reset()
            group.addTask { try await self.runTransport(transportKind) }
        case .retry(let transportKind):
            var wait = backoff.nextDelay(random: runtime.random(), minimumDelay: fault?.floor)
            if let spread = fault?.spread { wait = max(wait, spread * runtime.random()) }
            group.addTask { [wait] in
                try await self.runtime.sleep(for: wait)
                return try await self.runTransport(transportKind)
            }
        }
    }

    private func logFault(
        _ fault: TransportSelector.Fault, of transportKind: TransportKind, nextStep: TransportSelector.Step
    ) {
        if case .retry = nextStep { return }
        logger.notice(
            "falling back to another transport",
            metadata: ["not": "\(transportKind.name)", "reason": "\(fault.reason)"])
        if status.state == .connected { updateTransportStatus() }
    }

    /// Reports the connection as established, after the state was synchronized or data arrived.
    private func reportConnectionEstablished() throws {
        let again = status.state != .connected
        if again { openedAt = runtime.uptime }
        try onConnected(again)
        if again { opened.notify() }
        updateTransportStatus()
        // Free the memory that startup, the TLS handshake, the first sync or a large response used.
        if again { Memory.releaseMemory() }
    }

    /// Reports the transport in use, and the reason why no better transport is used.
    private func updateTransportStatus() {
        status.update(.connected, transport: transportSelector.working, reason: transportSelector.reason)
    }
}

// MARK: - Polling

extension FeedConnection {
    /// Polls the state at the start of the connection, whenever a poll is requested, and at the configured
    /// interval while no better transport works. Opening a transport requests a poll, because the transport
    /// does not deliver earlier events.
    private func pollUntilConnectionEnds() async throws -> ReconnectPolicy.Cause {
        if transportSelector.acceptsFirstData {
            try await runtime.wait(
                for: pollRequests.changes, past: pollRequests.changes.count, atMost: Self.firstByteGrace)
        }
        var requested = try await poll()
        try await race(
            {
                while true {
                    try await self.waitUntilPollIsDue(afterRequestCount: requested)
                    requested = try await self.poll()
                }
            }, { try await self.synchronizer.retryFailedFetches() })
        return .restart
    }

    /// Polls once, and reports the account as connected. Returns the number of requested polls that this poll
    /// covers.
    private func poll() async throws -> Int64 {
        let requested = pollRequests.requested
        try await synchronizer.synchronize()
        pollRequests.fulfilled.advance(to: requested)
        try await waitForFirstByte()
        try reportConnectionEstablished()
        return requested
    }

    /// Waits for the first byte of an open stream, for at most `firstByteGrace`, so that the status does
    /// not briefly show "poll".
    private func waitForFirstByte() async throws {
        guard pollRequests.isStreamOpen, transportSelector.working == .poll, status.state != .connected else {
            return
        }
        try await runtime.wait(
            for: pollRequests.changes, past: pollRequests.changes.count, atMost: Self.firstByteGrace)
    }

    private func waitUntilPollIsDue(afterRequestCount requestCount: Int64) async throws {
        while pollRequests.requested == requestCount {
            let seen = pollRequests.changes.count
            guard transportSelector.working == .poll else {
                try await pollRequests.changes.wait(past: seen)
                continue
            }
            // Do not poll before the end of the server's Retry-After.
            let rest = max(account.configuration.pollInterval, synchronizer.remainingBackoff)
            let isWoken: Void? = try await runtime.withTimeout(rest) {
                while self.pollRequests.requested == requestCount, self.transportSelector.working == .poll {
                    try await self.pollRequests.changes.wait(past: self.pollRequests.changes.count)
                }
            }
            if isWoken == nil { return }
        }
    }

    private func waitUntilTransportTrialIsDue() async throws -> Report {
        while true {
            let seen = pollRequests.changes.count
            let left = transportSelector.nextTrialTime.map { $0 - runtime.uptime }
            if let left, left <= .zero { return .trialDue }
            try await runtime.wait(for: pollRequests.changes, past: seen, atMost: left)
        }
    }
}

// MARK: - Better transports than polling

extension FeedConnection {
    /// Runs a transport until it fails or a better transport replaces it, and handles a failure. Returns the
    /// result for the connection.
    private func runTransport(_ transportKind: TransportKind) async throws -> Report {
        pollRequests.lastDataAge[transportKind] = nil
        let fault = try await transportKind.implementation?.init(on: self).run()
        pollRequests.isStreamOpen = false
        guard let fault else { return .replaced }
        return transportSelector.working == transportKind
            ? try await handleLoss(of: transportKind, fault: fault)
            : try await handleStartFailure(of: transportKind, fault: fault)
    }

    /// Reports the fault of a transport that failed before it was in use. First waits for a successful poll:
    /// if the poll fails too, the transport is not the cause, and the poll reports the error.
    private func handleStartFailure(of transportKind: TransportKind, fault: TransportSelector.Fault)
        async throws
        -> Report
    {
        try await requestPoll()
        var fault = fault
        // If the server's Retry-After is longer than the poll interval, do not retry this transport; use
        // another transport instead.
        if fault.floor ?? .zero > account.configuration.pollInterval { fault.isFinal = true }
        return .failed(transportKind, fault)
    }

    /// Handles the failure of the transport in use. Sets the status to offline first, because the request
    /// that tests the API takes time.
    private func handleLoss(of transportKind: TransportKind, fault: TransportSelector.Fault) async throws
        -> Report
    {
        let age = pollRequests.lastDataAge[transportKind] ?? .zero
        guard age < TransportSelector.provenAge || fault.isFinal else { return .ended(.fault(fault)) }
        status.update(.offline, reason: fault.reason)
        if try await isListingAvailable() {
            transportSelector.recordConnectionLoss(
                of: transportKind, lastDataAge: age, fault: fault, now: runtime.uptime)
        }
        return .ended(.fault(fault))
    }

    /// Returns whether the API lists conversations within `listingTimeout`. Throws if listing fails.
    private func isListingAvailable() async throws -> Bool {
        try await runtime.withTimeout(Self.listingTimeout) { [synchronizer] in
            try await synchronizer.checkListingWorks()
        } != nil
    }

    func recordStreamOpened() { pollRequests.isStreamOpen = true }

    /// Requests a poll and waits until the poll is complete. A poll that is already in progress is not
    /// sufficient.
    func requestPoll() async throws {
        pollRequests.requested += 1
        pollRequests.changes.notify()
        try await pollRequests.fulfilled.waitUntilPast(pollRequests.requested - 1)
    }

    /// Records that data arrived on a transport. `age`: the time since the transport was opened.
    func recordDataArrival(on transportKind: TransportKind, connectionAge age: Duration) throws {
        pollRequests.lastDataAge[transportKind] = age
        guard transportSelector.recordDataArrival(on: transportKind, connectionAge: age) else { return }
        pollRequests.changes.notify()
        try reportConnectionEstablished()
    }

    /// Runs `body` until a better transport is in use. Returns `nil` in that case.
    func runUntilReplacement<Value: Sendable>(
        of transportKind: TransportKind, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        try await race(body) {
            while self.transportSelector.working >= transportKind {
                try await self.pollRequests.changes.wait(past: self.pollRequests.changes.count)
            }
        }
    }
}

/// The poll requests and the transport progress that the tasks of one connection share.
struct PollRequests {
    /// Notified when a poll is requested, and when the state of the `TransportSelector` changes.
    let changes = ChangeSignal()
    /// The number of requests for a poll.
    var requested: Int64 = 0
    /// The number of fulfilled requests. A poll fulfills all requests that were made before the poll started.
    let fulfilled = SequenceHead(-1)
    /// Whether a stream is open: its headers have arrived.
    var isStreamOpen = false
    /// The time between the opening of each transport and its last data.
    var lastDataAge: [TransportKind: Duration] = [:]
}
