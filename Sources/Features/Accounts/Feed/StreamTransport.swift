import Config
import CutieAPI
import EventLog
import EventSource
import FeedPolicy
import HTTP

/// The event stream. After its headers have arrived, the server sends all further events; the state is then
/// polled, and the events are read. Events that the poll already covers are applied twice, which is
/// idempotent.
struct StreamTransport: Transport {
    private let connection: FeedConnection
    private let client: APIClient
    private let synchronizer: Synchronizer
    private let surroundings: RuntimeEnvironment

    init(on connection: FeedConnection) {
        self.connection = connection
        (client, synchronizer) = (connection.client, connection.synchronizer)
        surroundings = connection.surroundings
    }

    func run() async throws -> TransportSelector.Fault? {
        let http: HTTPStream
        do { http = try await open() } catch { return try synchronizer.fault(of: error) }
        connection.streamOpened()
        try await connection.requestPoll()
        let stream = OpenStream(http, since: surroundings.uptime)
        return try await withThrowingTaskGroup(of: TransportSelector.Fault.self) { group in
            group.addTask { try await read(stream) }
            group.addTask { try await watch(stream) }
            defer { group.cancelAll() }
            return try await group.next()
        }
    }

    /// Opens the stream. If the server does not know the cursor, starts at the present.
    private func open() async throws -> HTTPStream {
        let place = try synchronizer.cursor()
        do {
            return try await client.openStream(after: place)
        } catch APIFailure.absent where place != nil {
            let stream = try await client.openStream(after: nil)
            try synchronizer.saveCursor(nil)
            return stream
        }
    }

    /// Reads until the stream ends. The events of one chunk share a transaction.
    private func read(_ stream: OpenStream) async throws -> TransportSelector.Fault {
        do {
            for try await chunk in stream.body {
                stream.recordData(at: surroundings.uptime)
                try connection.receivedData(on: .stream, after: stream.age)
                let (events, isBroken) = stream.events(
                    in: chunk, now: surroundings.uptime, noting: client.unreadable.parts)
                client.unreadable.report()
                try await synchronizer.accept(events, by: .stream)
                stream.accepted(at: surroundings.uptime)
                if isBroken { return try skipTooLarge() }
            }
        } catch let error as HTTPError {
            if error.code == .cancelled { throw CancellationError() }
            return TransportSelector.Fault(error.sentence)
        }
        return TransportSelector.Fault("the server ended the stream", spread: stream.retry)
    }

    /// Discards the cursor: the next stream starts at the present, after a poll that covers the skipped
    /// event. With the old cursor, it would start with the same event again, endlessly.
    private func skipTooLarge() throws -> TransportSelector.Fault {
        try synchronizer.saveCursor(nil)
        return TransportSelector.Fault("the server sent an event that is too large")
    }

    /// Ends a stream that has been silent for too long; otherwise, a dead connection would not be noticed.
    /// The time for applying events does not count as silence, and is limited by the timeouts of a poll's
    /// requests.
    private func watch(_ stream: OpenStream) async throws -> TransportSelector.Fault {
        while true {
            let seen = stream.limits.count
            let (silence, limit) = (stream.silence(at: surroundings.uptime), stream.silenceLimit)
            if silence >= limit {
                guard stream.hasReceivedData else {
                    return TransportSelector.Fault(
                        "no data arrived: a proxy may be buffering it", isBufferedByProxy: true)
                }
                if connection.transportSelector.working == .stream { await client.dropConnections() }
                return TransportSelector.Fault("the stream was silent for \(silence.components.seconds) s")
            }
            try await surroundings.wait(for: stream.limits, past: seen, atMost: limit - silence)
        }
    }
}

/// An open stream: parses its bytes into events and measures its silence. All times are in `uptime`.
private final class OpenStream {
    private(set) var hasReceivedData = false
    /// The delay before reconnecting that the server requests.
    private(set) var retry: Duration = .seconds(3)
    /// Notified when the permitted silence becomes shorter, so that the watching task does not sleep too
    /// long.
    let limits = ChangeSignal()
    /// The maximum delay: a server that requests more has probably mistaken the unit.
    private static let maxRetry: Duration = .seconds(300)
    private let stream: HTTPStream
    private let openedAt: Duration
    private var receivedAt: Duration
    /// Whether a chunk is being applied. Further data waits unread, which does not count as silence.
    private var isBusy = false
    private var heartbeat = Heartbeat()
    private var parser = EventStreamParser()
    private var lastComment: Duration

    init(_ stream: HTTPStream, since now: Duration) {
        self.stream = stream
        (openedAt, receivedAt, lastComment) = (now, now, now)
    }

    var body: HTTPBody { stream.body }
    var silenceLimit: Duration { heartbeat.silenceLimit }

    /// The time from the opening of the stream to its last data.
    var age: Duration { receivedAt - openedAt }

    func silence(at now: Duration) -> Duration { isBusy ? .zero : now - receivedAt }

    private func recordHeartbeat(at now: Duration) {
        let limit = heartbeat.silenceLimit
        heartbeat.recordComment(after: now - lastComment)
        lastComment = now
        if heartbeat.silenceLimit < limit { limits.notify() }
    }

    /// Records a chunk. No data is read until `accepted(at:)`.
    func recordData(at now: Duration) {
        receivedAt = now
        hasReceivedData = true
        isBusy = true
    }

    func accepted(at now: Duration) {
        // The time without reading is not part of the interval between two comments.
        lastComment += now - receivedAt
        receivedAt = now
        isBusy = false
    }

    /// Returns the events that are complete, and whether the next one is too large: the stream cannot be used
    /// after that.
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
            case .comment: recordHeartbeat(at: now)
            case .retry(let milliseconds): retry = min(.milliseconds(milliseconds), Self.maxRetry)
            }
        }
        return (events, isBroken)
    }
}
