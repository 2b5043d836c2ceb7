import CutieAPI
import EventSource
import HTTP
import Inbox
import Logging
import Store

extension Feed {
    /// The stream: once its headers are there, the server keeps what happens from now on; then the state by poll;
    /// then the events. What happened between them comes twice and has no second effect.
    func followStream() async throws -> Setback? {
        let stream: HTTPStream
        do {
            stream = try await openStream()
        } catch let failure {
            return try setback(of: failure)
        }
        polls.isLineOpen = true
        try await takeStateAnew()
        let line = Line(stream: stream, since: surroundings.uptime)
        return try await setback { try await self.follow(line) }
    }

    /// Where there is nothing at our place, the place may be what the server does not have: from "now" on then.
    private func openStream() async throws -> HTTPStream {
        let place = try cursor()
        do {
            return try await client.openStream(after: place)
        } catch APIFailure.absent where place != nil {
            let stream = try await client.openStream(after: nil)
            try ingest.keep(cursor: nil, of: account.id)
            return stream
        }
    }

    private func follow(_ line: Line) async throws -> Ending {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            group.addTask { try await self.read(line) }
            group.addTask { try await self.watch(line) }
            defer { group.cancelAll() }
            return try await group.next() ?? .restart
        }
    }

    func cursor() throws -> Event.ID? {
        try ingest.store.read { try $0.account(account.id)?.cursor }
    }

    /// Reads until the stream ends. The events of one chunk share a transaction.
    private func read(_ line: Line) async throws -> Ending {
        do {
            for try await chunk in line.stream.body {
                line.heard(at: surroundings.uptime)
                try heard(on: .stream, after: line.age)
                let (events, isBroken) = line.events(in: chunk, now: surroundings.uptime)
                try await take(events, by: .stream)
                line.taken(at: surroundings.uptime)
                if isBroken { return try skipTooLarge() }
            }
        } catch let error as HTTPError {
            if error.code == .cancelled { throw CancellationError() }
            return .setback(Setback(error.sentence))
        }
        return .setback(Setback("the server ended the stream", retry: line.retry))
    }

    /// The next stream starts at "now", after a poll that finds what was in the event: with the old cursor
    /// it would begin with the same event, for ever.
    private func skipTooLarge() throws -> Ending {
        try ingest.keep(cursor: nil, of: account.id)
        return .setback(Setback("the server sent an event that is too large"))
    }

    /// Takes events in order. After a `reset`, and where a message could not be read, the state is polled.
    func take(_ events: [Event], by rung: Rung) async throws {
        guard !events.isEmpty else { return }
        let rest = try await startOver(with: events, by: rung)
        let taken = try ingest.accept(Array(rest), from: account.id, by: rung)
        try await ask(about: taken.doubtful)
        if rest.contains(where: { $0.payload.changesTheGroup }) {
            sync.isOfAnotherInbox = true
            try await takeState()
        }
        // A message that could not be read, or a total that is not the sum of what is here.
        if !taken.isExplained || events.contains(where: { $0.payload == .unknown(type: "message.created") }) {
            try await takeState()
        }
    }

    /// Polls everything where there is a `reset`, and returns the events from the last one on. Of those before
    /// it only whose inbox this is matters: no poll tells that.
    private func startOver(with events: [Event], by rung: Rung) async throws -> ArraySlice<Event> {
        guard let reset = events.lastIndex(where: { $0.payload == .reset }) else { return events[...] }
        logger.notice("the server has forgotten our place; taking everything again")
        let regrouping = events[..<reset].filter { $0.payload.changesTheGroup }
        if !regrouping.isEmpty { try ingest.accept(regrouping, from: account.id, by: rung) }
        try await takeState(everything: true)
        return events[reset...]
    }

    /// Ends a line that has been silent for too long: nobody else notices a dead one. Taking what came on it
    /// may last, but not for ever: each request of a poll has its limit.
    private func watch(_ line: Line) async throws -> Ending {
        while true {
            let seen = line.impatience.value
            let silent = line.isBusy ? .zero : surroundings.uptime - line.heardAt
            let limit = line.heartbeat.silenceLimit
            if silent >= limit {
                guard line.hasSpoken else {
                    return .setback(
                        Setback(
                            Ladder.Fault(
                                "no byte came on it: something on the way holds it back", isHeldBack: true)))
                }
                if ladder.working == .stream { await client.dropConnections() }
                return .setback(Setback("the stream was silent for \(silent.components.seconds) s"))
            }
            try await surroundings.wait(for: line.impatience, past: seen, atMost: limit - silent)
        }
    }
}
