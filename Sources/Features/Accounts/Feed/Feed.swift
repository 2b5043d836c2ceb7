import Config
import CutieAPI
package import Domain
import EventLog
import FeedPolicy
import Logging
import Platform
package import Reasons
import Store

/// Keeps an account connected to its API: connects, and reconnects after temporary failures.
package final class Feed {
    let account: Account
    package let client: APIClient
    let authorizer: any Authorizer
    let ingest: Ingest
    let runtime: RuntimeEnvironment
    package let status: AccountStatus
    package let synchronizer: Synchronizer
    let connection: FeedConnection
    private let logger: Logger
    private var reconnection = ReconnectPolicy()
    private let restarts = ChangeSignal()

    /// The reason to reconnect.
    package enum ReconnectReason {
        /// The machine was suspended, its network changed, or its clock was set.
        case machine
        case user
        /// A request was refused. The new connection shows whether the API refuses the whole account.
        case refusal
    }

    /// Creates the feed of an account. `onSynced`: called when the first sync is complete and unread
    /// messages may be announced. `onConnected`: called each time the account is reported as connected.
    /// `again`: whether the account was not connected before, so that pending messages must be sent now.
    init(
        account: Account, client: APIClient, authorizer: any Authorizer, ingest: Ingest,
        runtime: RuntimeEnvironment, logger: Logger, onSynced: @escaping () -> Void,
        onConnected: @escaping (_ again: Bool) throws -> Void
    ) {
        (self.account, self.client, self.authorizer) = (account, client, authorizer)
        (self.ingest, self.runtime) = (ingest, runtime)
        var logger = logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
        status = AccountStatus(account: account.id, ingest: ingest, logger: logger)
        synchronizer = Synchronizer(
            account: account, client: client, ingest: ingest, runtime: runtime, logger: logger,
            onSynced: onSynced)
        connection = FeedConnection(
            account: account, client: client, synchronizer: synchronizer, status: status,
            runtime: runtime, logger: logger, onConnected: onConnected)
    }

    /// Whether a proxy seems to buffer the event stream: the API is reachable, but the headers or the data
    /// of the stream do not arrive.
    package var isBufferedByProxy: Bool { connection.transportSelector.isBufferedByProxy }

    /// Closes the connection and reconnects immediately. Called after each event that may have broken the
    /// connection. A stopped account stays stopped if the reason is a refusal.
    package func reconnect(because reason: ReconnectReason = .machine) {
        if status.state == .stopped {
            guard reason != .refusal else { return }
            if reason == .user { status.update(.connecting) }
        }
        reconnection.reset()
        if reason != .refusal { connection.transportSelector.allowRetries() }
        restarts.notify()
    }

    /// Keeps the account connected until cancelled.
    func run() async throws {
        while true {
            let seen = restarts.count
            let cause = try await race({ try await self.runConnection() }) { [restarts] in
                try await restarts.wait(past: seen)
            }
            if let cause {
                try await waitBeforeReconnect(after: cause, seenRestartCount: seen)
            } else {
                await client.retireConnections()
            }
        }
    }

    /// Detects when the device joins another shared inbox, until cancelled.
    func monitorInboxMembership() async throws {
        try await synchronizer.inbox.monitorInbox(
            afterEachSignalOf: connection.opened, status: status, runtime: runtime
        ) {
            try await self.synchronizer.synchronizeNewInbox()
        }
    }

    /// Synchronizes the new shared inbox of the device, and returns after `limit` at the latest. If the
    /// synchronization takes longer, the feed reconnects to synchronize. A failure is retried after the next
    /// connection.
    package func synchronizeNewInbox(within limit: Duration) async throws {
        do {
            let taken: Void? = try await runtime.withTimeout(limit) {
                try await self.synchronizer.synchronizeNewInbox()
            }
            if taken == nil { reconnect(because: .user) }
        } catch let failure as APIFailure {
            logger.info("the new inbox will be fetched later", metadata: ["reason": "\(failure.sentence)"])
        }
    }
}

extension Feed {
    /// Obtains credentials and runs one connection. Returns the reason why the connection ended.
    private func runConnection() async throws -> ReconnectPolicy.Cause {
        guard account.address.isLoopback || NetworkChanges.hasUsableInterface() else { return .noNetwork }
        do {
            try await loadToken()
            if !authorizer.isReady { updateStateUnlessStopped(.unregistered) }
            try await authorizer.ensureCredentials(using: client)
            updateStateUnlessStopped(.connecting)
            return try await connection.run()
        } catch let failure as APIFailure {
            return try failure.cause
        } catch let error as StoreError {
            return .storeFailed(Reason(.storeUnwritable, reasons: ["message": error.reason]))
        }
    }

    /// Updates the state unless the account is stopped. A stopped account makes an attempt every hour; a
    /// failed attempt must not change its state.
    private func updateStateUnlessStopped(_ state: AccountState, reason: Reason? = nil) {
        if status.state != .stopped { status.update(state, reason: reason) }
    }

    /// Loads the token. If loading takes more than a second, the status reports that the keyring may be
    /// locked, unless the account is stopped.
    private func loadToken() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { [authorizer, runtime] group in
            group.addTask {
                try await authorizer.loadCredentials()
                return true
            }
            group.addTask {
                try await runtime.sleep(for: .seconds(1))
                return false
            }
            defer { group.cancelAll() }
            guard try await group.next() == false else { return }
            updateStateUnlessStopped(.starting, reason: Reason(.keyringLocked))
            _ = try await group.next()
        }
    }

    /// Waits before the next connection: until the backoff has passed, a network is available, or a
    /// reconnection is requested.
    private func waitBeforeReconnect(after cause: ReconnectPolicy.Cause, seenRestartCount: Int64) async throws
    {
        let pause = reconnection.nextDelay(
            after: cause, connectionAge: connection.consumeConnectionAge(), random: runtime.random)
        switch pause {
        case .none: break
        case .untilNetworkChange:
            status.update(.offline, reason: Reason(.noNetwork))
            try await restarts.wait(past: seenRestartCount)
        case .retry(let wait, let reason):
            logger.info(
                "offline",
                metadata: ["reason": "\(reason)", "retry-in": "\(Int(wait / .milliseconds(1))) ms"])
            status.update(.offline, reason: reason, nextAttempt: runtime.uptime + wait)
            try await runtime.wait(for: restarts, past: seenRestartCount, atMost: wait)
        case .stop(let limit, let reason):
            logger.error("stopped", metadata: ["reason": "\(reason)"])
            status.update(.stopped, reason: reason, nextAttempt: runtime.uptime + limit)
            try await runtime.wait(for: restarts, past: seenRestartCount, atMost: limit)
        }
    }
}

extension APIFailure {
    /// The reason why the connection ended. Throws if the failure is a cancellation.
    fileprivate var cause: ReconnectPolicy.Cause {
        get throws(CancellationError) {
            switch self {
            case .cancelled: throw CancellationError()
            case .retry(let reason, let floor, _): .fault(TransportSelector.Fault(reason, floor: floor))
            case .absent(let reason), .fatal(let reason, _): .fault(TransportSelector.Fault(reason))
            case .unauthorized(let reason), .forbidden(let reason): .refusal(reason)
            case .insufficientScope: .refusal(reason)
            }
        }
    }
}

/// The connection state of an account. Each change adds an entry to the log.
package final class AccountStatus {
    let account: AccountID
    package private(set) var state = AccountState.starting
    private(set) var transportKind: TransportKind?
    package private(set) var reason: Reason?
    /// Whether the API has refused the account since the last successful connection.
    private(set) var isRefused = false
    /// The time of the next attempt on the `uptime` clock; `nil` if unknown or if none is scheduled.
    package private(set) var nextAttempt: Duration?
    private let ingest: Ingest
    private let logger: Logger

    init(account: AccountID, ingest: Ingest, logger: Logger) {
        self.account = account
        self.ingest = ingest
        self.logger = logger
    }

    /// The name of the transport for the status; `none` if the account is not connected.
    package var transport: String { state == .connected ? transportKind?.name ?? "none" : "none" }

    /// Changes the state, even if the log cannot be written, because `status` must also report that failure.
    func update(
        _ state: AccountState, transport transportKind: TransportKind? = nil, reason: Reason? = nil,
        nextAttempt: Duration? = nil
    ) {
        self.nextAttempt = nextAttempt
        guard (state, transportKind, reason) != (self.state, self.transportKind, self.reason) else { return }
        (self.state, self.transportKind, self.reason) = (state, transportKind, reason)
        isRefused = state == .stopped || isRefused && state != .connected
        defer { ingest.stateSignal.notify() }
        do {
            let details = try JSON.encode(StateDetails(transport: transport, reason: reason))
            try ingest.performChange(on: account) { change in
                _ = try change.log(
                    .state, state: state.rawValue, data: String(decoding: details, as: UTF8.self))
            }
            try ingest.updateSharedInboxes()
        } catch is CancellationError {
            // A reload of the configuration has removed the account.
        } catch {
            logger.error("a state change could not be written to the log", metadata: ["reason": "\(error)"])
        }
    }
}
