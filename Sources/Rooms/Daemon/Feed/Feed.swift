import Config
import ControlAPI
import CutieAPI
import EventSource
import Inbox
import Logging
import Platform
import Store

/// Brings what happens at the API to the ingest, for one account: chooses the transport, keeps the
/// cursor, and comes back after every failure that may heal.
final class Feed {
    let account: Account
    let client: APIClient
    let ingest: Ingest
    let surroundings: Surroundings
    let logger: Logger
    let status: AccountStatus
    /// Called when the first sync is complete: what it found unread may be announced.
    let onSynced: () -> Void
    /// Called whenever the API was reached, with whether that is new: what waits to be sent may go.
    let onConnected: (_ again: Bool) throws -> Void
    var ladder: Ladder
    var sync = SyncState()
    /// Moves when a conversation could not be fetched.
    let unfetched = Head()
    /// Of the connection that is there, or the last one.
    var polls = PollWishes()
    let authorizer: DeviceAuthorizer
    private var backoff = Backoff()
    /// The API is well where the store is not: what is to be taken is not put off for as long.
    private var untilStored = Backoff(cap: .seconds(5))
    private let restarts = Head()
    private var connectedAt: Duration?
    /// A refusal may be lifted without a word to anybody.
    private static let stopLimit: Duration = .seconds(3600)

    /// What makes a connection doubtful.
    enum Doubt {
        /// The machine slept, its network is another one, or its clock was set.
        case machine
        case person
        /// A call was refused: whether the account is will be seen.
        case refusal
    }

    init(
        account: Account, client: APIClient, authorizer: DeviceAuthorizer, ingest: Ingest,
        surroundings: Surroundings, logger: Logger, onSynced: @escaping () -> Void,
        onConnected: @escaping (_ again: Bool) throws -> Void
    ) {
        (self.account, self.client, self.authorizer) = (account, client, authorizer)
        (self.ingest, self.surroundings) = (ingest, surroundings)
        (self.onSynced, self.onConnected) = (onSynced, onConnected)
        var logger = logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
        status = AccountStatus(account: account.id, ingest: ingest, logger: logger)
        ladder = Ladder(only: Rung(account.configuration.transport))
    }

    /// The one entry of all that makes a connection doubtful: drops it and starts again at once.
    func revalidate(because doubt: Doubt = .machine) {
        if status.state == .stopped {
            guard doubt != .refusal else { return }
            if doubt == .person { status.become(.connecting) }
        }
        backoff.reset()
        if doubt != .refusal { ladder.doubt() }
        restarts.advance()
    }

    /// Returns only when it is cancelled.
    func run() async throws {
        while true {
            let seen = restarts.value
            if let ending = try await untilRestart(after: seen, { try await self.connect() }) {
                try await rest(after: ending, seen: seen)
            } else {
                await client.dropConnections()
            }
        }
    }

    /// Runs `body`; nil where a revalidation cut it short.
    private func untilRestart<Value: Sendable>(
        after seen: Int64, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        try await race(body) { [restarts] in try await restarts.passed(seen) }
    }

    /// One life of a connection, from registration to its end.
    private func connect() async throws -> Ending {
        guard account.address.isLoopback || NetworkChanges.hasRoute() else { return .noNetwork }
        do {
            try await loadToken()
            if authorizer.isToRegister { tellOfAttempt(.unregistered) }
            try await authorizer.register(by: client)
            tellOfAttempt(.connecting)
            return try await follow()
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            return .failure(failure)
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

    /// After a connection that lived, the next failure is the first one again. One that a server ends at
    /// once, again and again, has not lived.
    private func judge() {
        guard let since = connectedAt, surroundings.uptime - since >= Ladder.life else { return }
        backoff.reset()
        untilStored.reset()
    }

    /// What comes after a connection ended: the next rung, a wait, or a person.
    private func rest(after ending: Ending, seen: Int64) async throws {
        judge()
        connectedAt = nil
        switch ending {
        case .restart: break
        case .noNetwork:
            status.become(.offline, because: "there is no network")
            try await restarts.passed(seen)
        case .setback(let setback):
            let wait =
                if let retry = setback.retry {
                    backoff.next(afterEndWith: retry, random: surroundings.random)
                } else {
                    backoff.next(random: surroundings.random(), floor: setback.fault.floor)
                }
            try await self.wait(because: setback.fault.sentence, for: wait, seen: seen)
        case .failure(.retry(let reason, let floor, _)):
            try await wait(
                because: reason, for: backoff.next(random: surroundings.random(), floor: floor), seen: seen)
        case .failure(.absent(let reason)), .failure(.fatal(let reason, _)):
            try await wait(because: reason, seen: seen)
        case .notStored(let reason):
            try await wait(because: reason, for: untilStored.next(random: surroundings.random()), seen: seen)
        case .failure(let failure):
            logger.error("stopped", metadata: ["reason": "\(failure.sentence)"])
            status.become(.stopped, because: failure.sentence, nextTry: surroundings.uptime + Self.stopLimit)
            try await surroundings.wait(for: restarts, past: seen, atMost: Self.stopLimit)
        }
    }

    private func wait(because reason: String, for wait: Duration? = nil, seen: Int64) async throws {
        let wait = wait ?? backoff.next(random: surroundings.random())
        logger.info(
            "offline", metadata: ["reason": "\(reason)", "retry-in": "\(Int(wait / .milliseconds(1))) ms"])
        status.become(.offline, because: reason, nextTry: surroundings.uptime + wait)
        try await surroundings.wait(for: restarts, past: seen, atMost: wait)
    }

    /// State taken and line alive.
    func connected() throws {
        let again = status.state != .connected
        if again { connectedAt = surroundings.uptime }
        try onConnected(again)
        tellTransport()
        // The code of start, handshake and first sync is not needed for long, nor what a large answer took.
        if again { Memory.giveBack() }
    }

    /// What brings replies is another transport, or the reason why it is not a better one.
    func tellTransport() {
        status.become(.connected, by: ladder.working, because: ladder.reason)
    }
}
