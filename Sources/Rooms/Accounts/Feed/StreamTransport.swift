import CutieAPI
import EventSource
import HTTP
import Inbox
import Log

/// The event stream. Once its headers are there, the server keeps what happens from now on; then the state by poll;
/// then the events. What happened between them comes twice and has no second effect.
struct StreamTransport {
    private let connection: Connection
    private let client: APIClient
    private let synchroniser: Synchroniser
    private let surroundings: Surroundings

    init(on connection: Connection) {
        self.connection = connection
        (client, synchroniser) = (connection.client, connection.synchroniser)
        surroundings = connection.surroundings
    }

    /// Returns what ended it, or kept it from beginning.
    func follow() async throws -> Ladder.Fault? {
        let http: HTTPStream
        do { http = try await open() } catch { return try synchroniser.fault(of: error) }
        connection.lineOpened()
        try await connection.pollAnew()
        let stream = OpenStream(http, since: surroundings.uptime)
        return try await withThrowingTaskGroup(of: Ladder.Fault.self) { group in
            group.addTask { try await read(stream) }
            group.addTask { try await watch(stream) }
            defer { group.cancelAll() }
            return try await group.next()
        }
    }

    /// Where there is nothing at our place, the place may be what the server does not have: from "now" on then.
    private func open() async throws -> HTTPStream {
        let place = try synchroniser.cursor()
        do {
            return try await client.openStream(after: place)
        } catch APIFailure.absent where place != nil {
            let stream = try await client.openStream(after: nil)
            try synchroniser.keep(cursor: nil)
            return stream
        }
    }

    /// Reads until the stream ends. The events of one chunk share a transaction.
    private func read(_ stream: OpenStream) async throws -> Ladder.Fault {
        do {
            for try await chunk in stream.body {
                stream.heard(at: surroundings.uptime)
                try connection.heard(on: .stream, after: stream.age)
                let (events, isBroken) = stream.events(
                    in: chunk, now: surroundings.uptime, noting: client.unreadable.parts)
                client.unreadable.report()
                try await synchroniser.accept(events, by: .stream)
                stream.accepted(at: surroundings.uptime)
                if isBroken { return try skipTooLarge() }
            }
        } catch let error as HTTPError {
            if error.code == .cancelled { throw CancellationError() }
            return Ladder.Fault(error.sentence)
        }
        return Ladder.Fault("the server ended the stream", spread: stream.retry)
    }

    /// The next stream starts at "now", after a poll that finds what was in the event: with the old cursor
    /// it would begin with the same event, for ever.
    private func skipTooLarge() throws -> Ladder.Fault {
        try synchroniser.keep(cursor: nil)
        return Ladder.Fault("the server sent an event that is too large")
    }

    /// Ends a stream that has been silent for too long: nobody else notices a dead one. Accepting what came on it
    /// may last, but not for ever: each request of a poll has its limit.
    private func watch(_ stream: OpenStream) async throws -> Ladder.Fault {
        while true {
            let seen = stream.limits.count
            let (silence, limit) = (stream.silence(at: surroundings.uptime), stream.silenceLimit)
            if silence >= limit {
                guard stream.hasSpoken else {
                    return Ladder.Fault(
                        "no byte came on it: something on the way holds it back", isHeldBack: true)
                }
                if connection.ladder.working == .stream { await client.dropConnections() }
                return Ladder.Fault("the stream was silent for \(silence.components.seconds) s")
            }
            try await surroundings.wait(for: stream.limits, past: seen, atMost: limit - silence)
        }
    }
}

/// One open stream: its bytes become events, and its silence is measured. Times are of `uptime`.
private final class OpenStream {
    private(set) var hasSpoken = false
    /// How long the server wants a client to wait after the end.
    private(set) var retry: Duration = .seconds(3)
    /// Moves when less silence is borne than before: who sleeps for the old limit sleeps too long.
    let limits = Signal()
    /// A server that wants us away for longer has mistaken the unit.
    private static let longestRetry: Duration = .seconds(300)
    private let stream: HTTPStream
    private let openedAt: Duration
    private var heardAt: Duration
    /// What came last is being accepted, and what comes after it waits unread: that is no silence.
    private var isBusy = false
    private var heartbeat = Heartbeat()
    private var parser = EventStreamParser()
    private var lastComment: Duration

    init(_ stream: HTTPStream, since now: Duration) {
        self.stream = stream
        (openedAt, heardAt, lastComment) = (now, now, now)
    }

    var body: HTTPBody { stream.body }
    var silenceLimit: Duration { heartbeat.silenceLimit }

    /// How old it was when it was heard last.
    var age: Duration { heardAt - openedAt }

    func silence(at now: Duration) -> Duration { isBusy ? .zero : now - heardAt }

    private func beat(at now: Duration) {
        let limit = heartbeat.silenceLimit
        heartbeat.comment(after: now - lastComment)
        lastComment = now
        if heartbeat.silenceLimit < limit { limits.notify() }
    }

    /// A chunk came; until `accepted(at:)` nobody listens.
    func heard(at now: Duration) {
        heardAt = now
        hasSpoken = true
        isBusy = true
    }

    func accepted(at now: Duration) {
        // The time in which nobody listened is no part of the gap between two comments.
        lastComment += now - heardAt
        heardAt = now
        isBusy = false
    }

    /// The events that are complete now, and whether one after them is too large: the stream is of no
    /// use after that.
    func events(
        in chunk: [UInt8], now: Duration, noting unreadable: UnreadableParts
    ) -> (events: [Event], isBroken: Bool) {
        var outputs: [EventStreamParser.Output] = []
        var isBroken = false
        do { try parser.consume(chunk, into: &outputs) } catch { isBroken = true }
        var events: [Event] = []
        for output in outputs {
            switch output {
            case .event(let event):
                let read = Event(
                    streamData: event.data.utf8, type: event.type, id: event.id, noting: unreadable)
                if let read { events.append(read) }
            case .comment: beat(at: now)
            case .retry(let milliseconds): retry = min(.milliseconds(milliseconds), Self.longestRetry)
            }
        }
        return (events, isBroken)
    }
}
