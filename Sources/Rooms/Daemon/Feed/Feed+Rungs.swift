import Config
import ControlAPI
import CutieAPI
import Inbox
import Logging

/// One connection: the state by poll, and beside it the better transports, until one of them has proved itself.
extension Feed {
    /// What a part of it has to say.
    private enum Report: Sendable {
        /// The connection has ended.
        case over(Ending)
        /// A transport that was tried did not prove itself.
        case failed(Rung, Setback)
        /// Another one is better.
        case overtaken
        /// It is time to try the better ones again.
        case due
    }

    /// A server that takes longer with the headers of a stream does not keep the first poll waiting. One that is
    /// well has them by then: the poll after them is the only one.
    private static let grace: Duration = .seconds(1)
    /// So soon conversations are listed where a transport that broke is at fault itself.
    private static let evidenceLimit: Duration = .seconds(5)

    /// Runs until what brings replies breaks.
    func follow() async throws -> Ending {
        let first = ladder.begin(now: surroundings.uptime)
        polls = PollWishes()
        var backoff = Backoff()
        return try await withThrowingTaskGroup(of: Report.self) { group in
            defer { group.cancelAll() }
            group.addTask { .over(try await self.keepState()) }
            group.addTask { try await self.waitForClimb() }
            begin(first, in: &group, after: &backoff)
            while let report = try await group.next() {
                switch report {
                case .over(let ending): return ending
                case .overtaken: break
                case .failed(let rung, let setback):
                    let step = ladder.failed(rung, setback.fault, now: surroundings.uptime)
                    tell(of: setback, on: rung, step)
                    begin(step, in: &group, after: &backoff, setback)
                    // Who waits for its headers need not, and when to climb is another time.
                    polls.changes.advance()
                case .due:
                    begin(ladder.climb(), in: &group, after: &backoff)
                    group.addTask { try await self.waitForClimb() }
                }
            }
            return .restart
        }
    }

    private func begin(
        _ step: Ladder.Step, in group: inout ThrowingTaskGroup<Report, any Error>,
        after backoff: inout Backoff, _ setback: Setback? = nil
    ) {
        switch step {
        case .rest: break
        case .open(let rung):
            backoff.reset()
            group.addTask { try await self.attempt(rung) }
        case .again(let rung):
            var wait = backoff.next(random: surroundings.random(), floor: setback?.fault.floor)
            if let retry = setback?.retry { wait = max(wait, retry * surroundings.random()) }
            group.addTask { [wait] in
                try await self.surroundings.sleep(wait)
                return try await self.attempt(rung)
            }
        }
    }

    private func tell(of setback: Setback, on rung: Rung, _ step: Ladder.Step) {
        if case .again = step { return }
        logger.notice(
            "using a lesser transport",
            metadata: ["not": "\(rung.name)", "reason": "\(setback.fault.sentence)"])
        if status.state == .connected { tellTransport() }
    }

    /// Takes the state: at once, then as often as is configured while nothing better works, and whenever a
    /// transport has been opened: what happened before that is on no line.
    private func keepState() async throws -> Ending {
        if ladder.isTrusting {
            try await surroundings.wait(for: polls.changes, past: polls.changes.value, atMost: Self.grace)
        }
        var wished = try await poll()
        return try await fetchingTheRest {
            while true {
                try await self.waitForPoll(after: wished)
                wished = try await self.poll()
            }
        }
    }

    /// Returns the wish that it fulfilled.
    private func poll() async throws -> Int64 {
        let wished = polls.wished
        try await takeState()
        polls.taken.move(to: wished)
        try await letSpeak()
        try connected()
        return wished
    }

    /// Where the line is open its first byte is on the way: a status that says "poll" would be wrong in a moment.
    private func letSpeak() async throws {
        guard polls.isLineOpen, ladder.working == .poll, status.state != .connected else { return }
        try await surroundings.wait(for: polls.changes, past: polls.changes.value, atMost: Self.grace)
    }

    private func waitForPoll(after wished: Int64) async throws {
        while polls.wished == wished {
            let seen = polls.changes.value
            guard ladder.working == .poll else {
                try await polls.changes.passed(seen)
                continue
            }
            // A server that wants to be left alone is not polled the sooner.
            let rest = max(account.configuration.pollInterval, sync.unfetched.rest - surroundings.uptime)
            let isWoken: Void? = try await surroundings.within(rest) {
                while self.polls.wished == wished, self.ladder.working == .poll {
                    try await self.polls.changes.passed(self.polls.changes.value)
                }
            }
            if isWoken == nil { return }
        }
    }

    /// Returns when a poll that began after now is complete.
    func takeStateAnew() async throws {
        polls.wished += 1
        polls.changes.advance()
        try await polls.taken.passed(polls.wished - 1)
    }

    private func waitForClimb() async throws -> Report {
        while true {
            let seen = polls.changes.value
            let left = ladder.nextClimb.map { $0 - surroundings.uptime }
            if let left, left <= .zero { return .due }
            try await surroundings.wait(for: polls.changes, past: seen, atMost: left)
        }
    }

    /// Tries a transport, and stays with it where it proves itself.
    private func attempt(_ rung: Rung) async throws -> Report {
        polls.heardAfter[rung] = nil
        let setback: Setback?
        switch rung {
        case .stream: setback = try await followStream()
        case .longPoll: setback = try await followLongPoll()
        case .poll: setback = nil
        }
        polls.isLineOpen = false
        guard let setback else { return .overtaken }
        return ladder.working == rung
            ? try await lose(rung, setback) : try await judge(rung, setback)
    }

    /// A transport that was tried is at fault only where the state can be polled; where nothing works it is not
    /// the transport, and the poll says so.
    private func judge(_ rung: Rung, _ setback: Setback) async throws -> Report {
        try await takeStateAnew()
        var setback = setback
        // Nobody waits for so long to try again: what else is there is used meanwhile.
        if setback.fault.floor ?? .zero > account.configuration.pollInterval { setback.fault.isFinal = true }
        return .failed(rung, setback)
    }

    /// What worked broke. The person is told before the API is asked whether that works still.
    private func lose(_ rung: Rung, _ setback: Setback) async throws -> Report {
        let age = polls.heardAfter[rung] ?? .zero
        guard age < Ladder.life || setback.fault.isFinal else { return .over(.setback(setback)) }
        status.become(.offline, because: setback.fault.sentence)
        if try await areConversationsListed() {
            ladder.lost(rung, heardLastAfter: age, setback.fault, now: surroundings.uptime)
        }
        return .over(.setback(setback))
    }

    /// False where that is not known in time.
    private func areConversationsListed() async throws -> Bool {
        try await surroundings.within(Self.evidenceLimit) { [client] in
            do { _ = try await client.list(limit: 1, offset: 0, etag: nil) } catch APIFailure.absent(
                let reason)
            {
                throw APIFailure.retry(reason, ambiguous: false)
            }
        } != nil
    }

    /// Bytes or an answer came on a transport so long after it was opened.
    func heard(on rung: Rung, after age: Duration) throws {
        polls.heardAfter[rung] = age
        guard ladder.heard(on: rung, after: age) else { return }
        polls.changes.advance()
        try connected()
    }

    /// Follows a transport until a better one has taken over; nil then.
    func untilOvertaken<Value: Sendable>(
        _ rung: Rung, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        try await race(body) {
            while self.ladder.working >= rung {
                try await self.polls.changes.passed(self.polls.changes.value)
            }
        }
    }
}

/// What the parts of one connection tell one another.
struct PollWishes {
    /// Moves with a wish for a poll, and with what the ladder says.
    let changes = Head()
    /// Counts the wishes.
    var wished: Int64 = 0
    /// The wishes that a poll was complete for.
    let taken = Head(-1)
    /// A stream's headers have come, and no byte yet.
    var isLineOpen = false
    /// How long after its opening each transport was heard last.
    var heardAfter: [Rung: Duration] = [:]
}
