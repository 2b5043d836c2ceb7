import Config
package import ControlAPI
import CutieAPI
import Inbox
import Log
import Logging
import Platform
import Store

/// Keeps the account connected to its API: begins, ends and begins anew, and comes back after every failure that
/// may heal.
package final class Feed {
    let account: Account
    package let client: APIClient
    let authorizer: any Authorizer
    let ingest: Ingest
    let surroundings: Surroundings
    package let status: AccountStatus
    package let synchroniser: Synchroniser
    let connection: Connection
    private let logger: Logger
    private var reconnection = Reconnection()
    private let restarts = Signal()

    /// What makes a connection doubtful.
    package enum Doubt {
        /// The machine slept, its network is another one, or its clock was set.
        case machine
        case person
        /// A call was refused: whether the account is will be seen.
        case refusal
    }

    /// `onSynced`: called when the first sync is complete, as what it found unread may be announced. `onConnected`:
    /// called whenever the API was reached, with whether that is new: what waits to be sent may go.
    init(
        account: Account, client: APIClient, authorizer: any Authorizer, ingest: Ingest,
        surroundings: Surroundings, logger: Logger, onSynced: @escaping () -> Void,
        onConnected: @escaping (_ again: Bool) throws -> Void
    ) {
        (self.account, self.client, self.authorizer) = (account, client, authorizer)
        (self.ingest, self.surroundings) = (ingest, surroundings)
        var logger = logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
        status = AccountStatus(account: account.id, ingest: ingest, logger: logger)
        synchroniser = Synchroniser(
            account: account, client: client, ingest: ingest, surroundings: surroundings, logger: logger,
            onSynced: onSynced)
        connection = Connection(
            account: account, client: client, synchroniser: synchroniser, status: status,
            surroundings: surroundings, logger: logger, onConnected: onConnected)
    }

    /// The API does not refuse the stream, but nothing comes on it.
    package var isHeldBack: Bool { connection.ladder.isHeldBack }

    /// The one entry of all that makes a connection doubtful: drops it and starts again at once.
    package func revalidate(because doubt: Doubt = .machine) {
        if status.state == .stopped {
            guard doubt != .refusal else { return }
            if doubt == .person { status.become(.connecting) }
        }
        reconnection.reset()
        if doubt != .refusal { connection.ladder.doubt() }
        restarts.notify()
    }

    /// Returns only when it is cancelled.
    func run() async throws {
        while true {
            let seen = restarts.count
            let cause = try await race({ try await self.connect() }) { [restarts] in
                try await restarts.wait(past: seen)
            }
            if let cause {
                try await pause(after: cause, seen: seen)
            } else {
                await client.dropConnections()
            }
        }
    }

    /// Finds out where the device shares another inbox than before, until it is cancelled.
    func followInbox() async throws {
        try await synchroniser.inbox.follow(connection.opened, status, surroundings) {
            try await self.synchroniser.synchroniseNewInbox()
        }
    }

    /// The device shares another inbox than before. A failure is made good when the connection is back. A person
    /// waits for the answer, and not for an inbox that takes longer than `limit`: that comes with a connection made
    /// anew.
    package func synchroniseNewInbox(within limit: Duration) async throws {
        do {
            let taken: Void? = try await surroundings.within(limit) {
                try await self.synchroniser.synchroniseNewInbox()
            }
            if taken == nil { revalidate(because: .person) }
        } catch let failure as APIFailure {
            logger.info("the new inbox comes later", metadata: ["reason": "\(failure.sentence)"])
        }
    }
}

extension Feed {
    /// One life of a connection, from registration to its end.
    private func connect() async throws -> Reconnection.Cause {
        guard account.address.isLoopback || NetworkChanges.hasRoute() else { return .noNetwork }
        do {
            try await loadToken()
            if !authorizer.isReady { tellOfAttempt(.unregistered) }
            try await authorizer.prepare(by: client)
            tellOfAttempt(.connecting)
            return try await connection.run()
        } catch let failure as APIFailure {
            return try failure.cause
        } catch let error as StoreError {
            return .notStored("the store cannot be written: \(error)")
        }
    }

    /// The hourly look of one that stopped is no news, before it finds something.
    private func tellOfAttempt(_ state: ConnectionState) {
        if status.state != .stopped { status.become(state) }
    }

    /// A keyring may have to be unlocked first: the status tells so after a second.
    private func loadToken() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { [authorizer, surroundings] group in
            group.addTask {
                try await authorizer.load()
                return true
            }
            group.addTask {
                try await surroundings.sleep(.seconds(1))
                return false
            }
            defer { group.cancelAll() }
            guard try await group.next() == false else { return }
            status.become(.starting, because: "waiting for the keyring, which may have to be unlocked")
            _ = try await group.next()
        }
    }

    /// What comes after a connection ended: a wait, or a person.
    private func pause(after cause: Reconnection.Cause, seen: Int64) async throws {
        let pause = reconnection.pause(
            after: cause, age: connection.closeAge(), random: surroundings.random)
        switch pause {
        case .none: break
        case .untilNetworkChange:
            status.become(.offline, because: "there is no network")
            try await restarts.wait(past: seen)
        case .retry(let wait, let reason):
            logger.info(
                "offline",
                metadata: ["reason": "\(reason)", "retry-in": "\(Int(wait / .milliseconds(1))) ms"])
            status.become(.offline, because: reason, nextTry: surroundings.uptime + wait)
            try await surroundings.wait(for: restarts, past: seen, atMost: wait)
        case .stop(let limit, let reason):
            logger.error("stopped", metadata: ["reason": "\(reason)"])
            status.become(.stopped, because: reason, nextTry: surroundings.uptime + limit)
            try await surroundings.wait(for: restarts, past: seen, atMost: limit)
        }
    }
}

extension APIFailure {
    /// What it is to a connection; throws where the connection was given up.
    fileprivate var cause: Reconnection.Cause {
        get throws(CancellationError) {
            switch self {
            case .cancelled: throw CancellationError()
            case .retry(let reason, let floor, _): .fault(Ladder.Fault(reason, floor: floor))
            case .absent(let reason), .fatal(let reason, _): .fault(Ladder.Fault(reason))
            case .unauthorized(let reason), .forbidden(let reason): .refusal(reason)
            case .insufficientScope: .refusal(sentence)
            }
        }
    }
}

/// How an account stands with its API. Each change is an entry of the log.
package final class AccountStatus {
    let account: AccountID
    package private(set) var state = ConnectionState.starting
    private(set) var rung: Rung?
    package private(set) var reason: String?
    /// The API refused the account, and has not taken it since.
    private(set) var isRefused = false
    /// Of `uptime`; nil where nothing is waited for, or nobody knows how long.
    package private(set) var nextTry: Duration?
    private let ingest: Ingest
    private let logger: Logger

    init(account: AccountID, ingest: Ingest, logger: Logger) {
        self.account = account
        self.ingest = ingest
        self.logger = logger
    }

    /// The word in `status`; `none` while nothing brings replies.
    package var transport: String { state == .connected ? rung?.name ?? "none" : "none" }

    /// It is so even where the store cannot be written: `status` must tell that, too.
    func become(
        _ state: ConnectionState, by rung: Rung? = nil, because reason: String? = nil,
        nextTry: Duration? = nil
    ) {
        self.nextTry = nextTry
        guard (state, rung, reason) != (self.state, self.rung, self.reason) else { return }
        (self.state, self.rung, self.reason) = (state, rung, reason)
        isRefused = state == .stopped || isRefused && state != .connected
        defer { ingest.states.notify() }
        do {
            let details = try JSON.encode(LogDetails(transport: transport, reason: reason))
            try ingest.change(account) { change in
                _ = try change.log(
                    .state, state: state.rawValue, data: String(decoding: details, as: UTF8.self))
            }
            try ingest.regroup()
        } catch is CancellationError {
            // The account was closed meanwhile.
        } catch {
            logger.error("a change of state is not in the log", metadata: ["reason": "\(error)"])
        }
    }
}
