import Config
import ControlAPI
import CutieAPI
import Inbox
import Log
import Logging
import Platform

/// One connection at a time: the state by poll, and beside it the better transports, until one of them has proved
/// itself.
final class Connection {
    let account: Account
    let client: APIClient
    let synchroniser: Synchroniser
    let surroundings: Surroundings
    var ladder: Ladder
    /// Moves when the API is reached again.
    let opened = Signal()
    private let status: AccountStatus
    private let logger: Logger
    private let onConnected: (_ again: Bool) throws -> Void
    private var openedAt: Duration?
    private(set) var wishes = PollWishes()

    /// A server that takes longer with the headers of a stream does not keep the first poll waiting. One that is
    /// well has them by then: the poll after them is the only one.
    private static let grace: Duration = .seconds(1)
    /// So soon conversations are listed where a transport that broke is at fault itself.
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

    /// What a part of it has to say.
    private enum Report: Sendable {
        /// The connection has ended.
        case over(Reconnection.Cause)
        /// A transport that was tried did not prove itself.
        case failed(Rung, Ladder.Fault)
        /// Another one is better.
        case overtaken
        /// It is time to try the better ones again.
        case due
    }

    /// Runs until what brings replies breaks.
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
                    // Who waits for its headers need not, and when to climb is another time.
                    wishes.changes.notify()
                case .due:
                    begin(ladder.climb(), in: &group, after: &backoff)
                    group.addTask { try await self.waitForClimb() }
                }
            }
            return .restart
        }
    }

    /// For how long the last one was open; nil: it was not. It counts once.
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
            "using a lesser transport", metadata: ["not": "\(rung.name)", "reason": "\(fault.sentence)"])
        if status.state == .connected { tellTransport() }
    }

    /// State taken and line alive.
    private func connected() throws {
        let again = status.state != .connected
        if again { openedAt = surroundings.uptime }
        try onConnected(again)
        if again { opened.notify() }
        tellTransport()
        // The code of start, handshake and first sync is not needed for long, nor what a large answer took.
        if again { Memory.giveBack() }
    }

    /// What brings replies is another transport, or the reason why it is not a better one.
    private func tellTransport() {
        status.become(.connected, by: ladder.working, because: ladder.reason)
    }
}

/// The polls.
extension Connection {
    /// Takes the state: at once, then as often as is configured while nothing better works, and whenever a
    /// transport has been opened: what happened before that is on no line.
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

    /// Returns the wish that it fulfilled.
    private func poll() async throws -> Int64 {
        let wished = wishes.wished
        try await synchroniser.synchronise()
        wishes.fulfilled.move(to: wished)
        try await waitForFirstByte()
        try connected()
        return wished
    }

    /// Where the line is open its first byte is on the way: a status that says "poll" would be wrong in a moment.
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
            // A server that wants to be left alone is not polled the sooner.
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

/// The better transports.
extension Connection {
    /// Tries a transport, and stays with it where it proves itself.
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

    /// A transport that was tried is at fault only where the state can be polled; where nothing works it is not
    /// the transport, and the poll says so.
    private func judge(_ rung: Rung, _ fault: Ladder.Fault) async throws -> Report {
        try await pollAnew()
        var fault = fault
        // Nobody waits for so long to try again: what else is there is used meanwhile.
        if fault.floor ?? .zero > account.configuration.pollInterval { fault.isFinal = true }
        return .failed(rung, fault)
    }

    /// What worked broke. The person is told before the API is asked whether that works still.
    private func lose(_ rung: Rung, _ fault: Ladder.Fault) async throws -> Report {
        let age = wishes.heardAfter[rung] ?? .zero
        guard age < Ladder.life || fault.isFinal else { return .over(.fault(fault)) }
        status.become(.offline, because: fault.sentence)
        if try await areConversationsListed() {
            ladder.lost(rung, heardLastAfter: age, fault, now: surroundings.uptime)
        }
        return .over(.fault(fault))
    }

    /// False where that is not known in time.
    private func areConversationsListed() async throws -> Bool {
        try await surroundings.within(Self.evidenceLimit) { [synchroniser] in
            try await synchroniser.checkListing()
        } != nil
    }

    /// A stream's headers have come, and no byte yet.
    func lineOpened() { wishes.isLineOpen = true }

    /// Returns when a poll that began after now is complete.
    func pollAnew() async throws {
        wishes.wished += 1
        wishes.changes.notify()
        try await wishes.fulfilled.passed(wishes.wished - 1)
    }

    /// Bytes or an answer came on a transport so long after it was opened.
    func heard(on rung: Rung, after age: Duration) throws {
        wishes.heardAfter[rung] = age
        guard ladder.heard(on: rung, after: age) else { return }
        wishes.changes.notify()
        try connected()
    }

    /// Follows a transport until a better one has taken over; nil then.
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

/// What the parts of one connection tell one another.
struct PollWishes {
    /// Moves with a wish for a poll, and with what the ladder says.
    let changes = Signal()
    /// Counts the wishes.
    var wished: Int64 = 0
    /// The wishes that a poll was complete for.
    let fulfilled = Head(-1)
    /// A stream's headers have come, and no byte yet.
    var isLineOpen = false
    /// How long after its opening each transport was heard last.
    var heardAfter: [Rung: Duration] = [:]
}

extension Rung {
    /// The only transport that the configuration allows; nil for `auto`.
    fileprivate init?(_ transport: AccountConfiguration.Transport) {
        switch transport {
        case .auto: return nil
        case .stream: self = .stream
        case .longPoll: self = .longPoll
        case .poll: self = .poll
        }
    }
}
