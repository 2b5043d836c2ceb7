import Config
import ControlAPI
import CutieAPI
import Inbox
import Log
import Logging
import Platform

/// A single connection to the API: polls the state, and in parallel tries the better transports until one of
/// them works reliably.
final class Connection {
    let account: Account
    let client: APIClient
    let synchroniser: Synchroniser
    let surroundings: Surroundings
    var ladder: Ladder
    /// Notified when the API is reachable again.
    let opened = Signal()
    private let status: AccountStatus
    private let logger: Logger
    private let onConnected: (_ again: Bool) throws -> Void
    private var openedAt: Duration?
    private(set) var wishes = PollWishes()

    /// The delay of the first poll while a stream's headers are pending. A healthy server sends them within
    /// this time, so that one poll after them suffices; a slow one does not delay the first poll for longer.
    private static let grace: Duration = .seconds(1)
    /// The time limit for listing conversations after a transport broke. If the list succeeds in time, the
    /// transport itself is at fault.
    private static let evidenceLimit: Duration = .seconds(5)

    init(
        account: Account, client: APIClient, synchroniser: Synchroniser, status: AccountStatus,
        surroundings: Surroundings, logger: Logger, onConnected: @escaping (_ again: Bool) throws -> Void
    ) {
        (self.account, self.client, self.synchroniser) = (account, client, synchroniser)
        (self.status, self.surroundings, self.logger) = (status, surroundings, logger)
        self.onConnected = onConnected
        ladder = Ladder(only: Rung(account.configuration.transport))
    }

    /// A result of one of the connection's tasks.
    private enum Report: Sendable {
        /// The connection has ended.
        case over(Reconnection.Cause)
        /// A transport failed before it worked reliably.
        case failed(Rung, Ladder.Fault)
        /// A better transport has taken over.
        case overtaken
        /// It is time to try the better transports again.
        case due
    }

    /// Runs until the transport in use breaks.
    func run() async throws -> Reconnection.Cause {
        let first = ladder.begin(now: surroundings.uptime)
        wishes = PollWishes()
        var backoff = Backoff()
        return try await withThrowingTaskGroup(of: Report.self) { group in
            defer { group.cancelAll() }
            group.addTask { .over(try await self.keepPolling()) }
            group.addTask { try await self.waitForClimb() }
            begin(first, in: &group, after: &backoff)
            while let report = try await group.next() {
                switch report {
                case .over(let cause): return cause
                case .overtaken: break
                case .failed(let rung, let fault):
                    let step = ladder.failed(rung, fault, now: surroundings.uptime)
                    tell(of: fault, on: rung, step)
                    begin(step, in: &group, after: &backoff, fault)
                    // The first poll need not wait for the headers of this transport, and the time of the
                    // next attempt has changed.
                    wishes.changes.notify()
                case .due:
                    begin(ladder.climb(), in: &group, after: &backoff)
                    group.addTask { try await self.waitForClimb() }
                }
            }
            return .restart
        }
    }

    /// Returns how long the last connection was open; `nil` if it was not. Resets the value, so that it is
    /// counted once.
    func closeAge() -> Duration? {
        defer { openedAt = nil }
        return openedAt.map { surroundings.uptime - $0 }
    }

    private func begin(
        _ step: Ladder.Step, in group: inout ThrowingTaskGroup<Report, any Error>,
        after backoff: inout Backoff, _ fault: Ladder.Fault? = nil
    ) {
        switch step {
        case .rest: break
        case .open(let rung):
            backoff.reset()
            group.addTask { try await self.attempt(rung) }
        case .again(let rung):
            var wait = backoff.next(random: surroundings.random(), floor: fault?.floor)
            if let spread = fault?.spread { wait = max(wait, spread * surroundings.random()) }
            group.addTask { [wait] in
                try await self.surroundings.sleep(wait)
                return try await self.attempt(rung)
            }
        }
    }

    private func tell(of fault: Ladder.Fault, on rung: Rung, _ step: Ladder.Step) {
        if case .again = step { return }
        logger.notice(
            "falling back to another transport",
            metadata: ["not": "\(rung.name)", "reason": "\(fault.sentence)"])
        if status.state == .connected { tellTransport() }
    }

    /// Reports the connection as established: the state is synchronized and the transport is open.
    private func connected() throws {
        let again = status.state != .connected
        if again { openedAt = surroundings.uptime }
        try onConnected(again)
        if again { opened.notify() }
        tellTransport()
        // The memory used by the start, the handshake, the initial sync, or a large response is no longer
        // needed.
        if again { Memory.giveBack() }
    }

    /// Reports the transport in use, and the reason why no better one is used.
    private func tellTransport() {
        status.become(.connected, by: ladder.working, because: ladder.reason)
    }
}

/// Polls.
extension Connection {
    /// Polls the state: immediately, then at the configured interval while no better transport works, and
    /// whenever a transport was opened: events before that are not sent on it.
    private func keepPolling() async throws -> Reconnection.Cause {
        if ladder.isTrusting {
            try await surroundings.wait(for: wishes.changes, past: wishes.changes.count, atMost: Self.grace)
        }
        var wished = try await poll()
        try await race(
            {
                while true {
                    try await self.waitForPoll(after: wished)
                    wished = try await self.poll()
                }
            }, { try await self.synchroniser.fetchMissing() })
        return .restart
    }

    /// Polls once. Returns the number of the request that this poll fulfills.
    private func poll() async throws -> Int64 {
        let wished = wishes.wished
        try await synchroniser.synchronise()
        wishes.fulfilled.move(to: wished)
        try await waitForFirstByte()
        try connected()
        return wished
    }

    /// Waits briefly for the first byte of an open stream, so that the status does not report "poll" for a
    /// moment.
    private func waitForFirstByte() async throws {
        guard wishes.isLineOpen, ladder.working == .poll, status.state != .connected else { return }
        try await surroundings.wait(for: wishes.changes, past: wishes.changes.count, atMost: Self.grace)
    }

    private func waitForPoll(after wished: Int64) async throws {
        while wishes.wished == wished {
            let seen = wishes.changes.count
            guard ladder.working == .poll else {
                try await wishes.changes.wait(past: seen)
                continue
            }
            // A Retry-After of the server also delays polls.
            let rest = max(account.configuration.pollInterval, synchroniser.rest)
            let isWoken: Void? = try await surroundings.within(rest) {
                while self.wishes.wished == wished, self.ladder.working == .poll {
                    try await self.wishes.changes.wait(past: self.wishes.changes.count)
                }
            }
            if isWoken == nil { return }
        }
    }

    private func waitForClimb() async throws -> Report {
        while true {
            let seen = wishes.changes.count
            let left = ladder.nextClimb.map { $0 - surroundings.uptime }
            if let left, left <= .zero { return .due }
            try await surroundings.wait(for: wishes.changes, past: seen, atMost: left)
        }
    }
}

/// Better transports than polling.
extension Connection {
    /// Tries a transport, and uses it if it works reliably.
    private func attempt(_ rung: Rung) async throws -> Report {
        wishes.heardAfter[rung] = nil
        let fault: Ladder.Fault?
        switch rung {
        case .stream: fault = try await StreamTransport(on: self).follow()
        case .longPoll: fault = try await LongPollTransport(on: self).follow()
        case .poll: fault = nil
        }
        wishes.isLineOpen = false
        guard let fault else { return .overtaken }
        return ladder.working == rung ? try await lose(rung, fault) : try await judge(rung, fault)
    }

    /// Reports the fault of a transport that failed before it was in use. A poll must succeed first: if polls
    /// fail too, the transport is not at fault, and the poll reports the error.
    private func judge(_ rung: Rung, _ fault: Ladder.Fault) async throws -> Report {
        try await pollAnew()
        var fault = fault
        // A longer wait than the poll interval is not worth it: another transport is used instead.
        if fault.floor ?? .zero > account.configuration.pollInterval { fault.isFinal = true }
        return .failed(rung, fault)
    }

    /// Handles the failure of the transport in use. The status becomes offline before the API is asked
    /// whether it still works.
    private func lose(_ rung: Rung, _ fault: Ladder.Fault) async throws -> Report {
        let age = wishes.heardAfter[rung] ?? .zero
        guard age < Ladder.life || fault.isFinal else { return .over(.fault(fault)) }
        status.become(.offline, because: fault.sentence)
        if try await areConversationsListed() {
            ladder.lost(rung, heardLastAfter: age, fault, now: surroundings.uptime)
        }
        return .over(.fault(fault))
    }

    /// Returns `false` if there is no answer in time.
    private func areConversationsListed() async throws -> Bool {
        try await surroundings.within(Self.evidenceLimit) { [synchroniser] in
            try await synchroniser.checkListing()
        } != nil
    }

    /// Records that the headers of a stream have arrived, but no byte of its body.
    func lineOpened() { wishes.isLineOpen = true }

    /// Requests a poll and returns when it is complete. A poll that has already started does not count.
    func pollAnew() async throws {
        wishes.wished += 1
        wishes.changes.notify()
        try await wishes.fulfilled.passed(wishes.wished - 1)
    }

    /// Records that data arrived on a transport. `age`: the time since the transport was opened.
    func heard(on rung: Rung, after age: Duration) throws {
        wishes.heardAfter[rung] = age
        guard ladder.heard(on: rung, after: age) else { return }
        wishes.changes.notify()
        try connected()
    }

    /// Runs `body` until a better transport has taken over; then returns `nil`.
    func untilOvertaken<Value: Sendable>(
        _ rung: Rung, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        try await race(body) {
            while self.ladder.working >= rung {
                try await self.wishes.changes.wait(past: self.wishes.changes.count)
            }
        }
    }
}

/// The state shared by the tasks of one connection.
struct PollWishes {
    /// Notified when a poll is requested, and when the state of the ladder changes.
    let changes = Signal()
    /// The number of requested polls.
    var wished: Int64 = 0
    /// The number of the last request that a complete poll has fulfilled.
    let fulfilled = Head(-1)
    /// Whether the headers of a stream have arrived, but no byte of its body.
    var isLineOpen = false
    /// The time from the opening of each transport to its last data.
    var heardAfter: [Rung: Duration] = [:]
}

extension Rung {
    /// The only transport that the configuration allows; `nil` for `auto`.
    fileprivate init?(_ transport: AccountConfiguration.Transport) {
        switch transport {
        case .auto: return nil
        case .stream: self = .stream
        case .longPoll: self = .longPoll
        case .poll: self = .poll
        }
    }
}
