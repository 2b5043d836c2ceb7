import Config
import CutieAPI
import EventLog
import EventSource
import FeedPolicy
import HTTP
import Reasons

/// The event stream. The server sends all events that occur after the headers of the response, so one poll
/// after the headers completes the state. Events that the poll already covers are applied again, which is
/// idempotent.
struct StreamTransport: Transport {
    private let connection: FeedConnection
    private let client: APIClient
    private let synchronizer: Synchronizer
    private let runtime: RuntimeEnvironment

    init(on connection: FeedConnection) {
        self.connection = connection
        (client, synchronizer) = (connection.client, connection.synchronizer)
        runtime = connection.runtime
    }

    func run() async throws -> TransportSelector.Fault? {
        let http: HTTPStream
        do { http = try await openStream() } catch { return try synchronizer.handleFailure(error) }
        connection.recordStreamOpened()
        try await connection.requestPoll()
        let stream = OpenStream(http, since: runtime.uptime)
        return try await withThrowingTaskGroup(of: TransportSelector.Fault.self) { group in
            group.addTask { try await applyEvents(from: stream) }
            group.addTask { try await waitForSilence(on: stream) }
            defer { group.cancelAll() }
            return try await group.next()
        }
    }

    /// Opens the stream. If the server rejects the cursor, discards the cursor and opens the stream without a
    /// cursor.
    private func openStream() async throws -> HTTPStream {
        let place = try synchronizer.readCursor()
        do {
            return try await client.openStream(after: place)
        } catch APIFailure.absent where place != nil {
            let stream = try await client.openStream(after: nil)
            try synchronizer.saveCursor(nil)
            return stream
        }
    }

    /// Applies events until the stream ends. Returns the fault. The events of one chunk share a transaction.
    private func applyEvents(from stream: OpenStream) async throws -> TransportSelector.Fault {
        do {
            for try await chunk in stream.body {
                stream.recordChunkArrival(at: runtime.uptime)
                try connection.recordDataArrival(on: .stream, connectionAge: stream.age)
                let (events, isBroken) = stream.parseEvents(
                    in: chunk, now: runtime.uptime, recordingUnreadablePartsIn: client.unreadable.parts)
                if !client.unreadable.parts.isEmpty { client.unreadable.reportUnreadableParts() }
                try await synchronizer.handleEvents(events, receivedOver: .stream)
                stream.markChunkProcessed(at: runtime.uptime)
                if isBroken { return try skipOversizedEvent() }
            }
        } catch let error as HTTPError {
            if error.code == .cancelled { throw CancellationError() }
            return TransportSelector.Fault(error.reason)
        }
        return TransportSelector.Fault(Reason(.streamEnded), spread: stream.retry)
    }

    /// Discards the cursor, so that the next stream does not start with the same event, which is too large. A
    /// poll fetches the changes of that event. Returns the fault.
    private func skipOversizedEvent() throws -> TransportSelector.Fault {
        try synchronizer.saveCursor(nil)
        return TransportSelector.Fault(Reason(.eventTooLarge))
    }

    /// Waits until the stream has been silent for too long, and returns a fault. Otherwise, a dead
    /// connection would not be detected. The time for applying events does not count as silence.
    private func waitForSilence(on stream: OpenStream) async throws -> TransportSelector.Fault {
        while true {
            let seen = stream.limits.count
            let (silence, limit) = (stream.silenceDuration(at: runtime.uptime), stream.silenceLimit)
            if silence >= limit {
                guard stream.hasReceivedData else {
                    return TransportSelector.Fault(
                        Reason(.streamBuffered), isBufferedByProxy: true)
                }
                if connection.transportSelector.working == .stream { await client.retireConnections() }
                return TransportSelector.Fault(
                    Reason(.streamSilent, ["seconds": String(silence.components.seconds)]))
            }
            try await runtime.wait(for: stream.limits, past: seen, atMost: limit - silence)
        }
    }
}

/// An open stream. Parses its bytes into events and measures its silence. All times are on the `uptime` clock.
private final class OpenStream {
    private(set) var hasReceivedData = false
    /// Notified when `silenceLimit` becomes shorter, so that the watching task does not sleep too long.
    let limits = ChangeSignal()
    /// The maximum delay that the server can request: a server that requests more has probably confused
    /// seconds and milliseconds.
    private static let maxRetry: Duration = .seconds(300)
    private let stream: HTTPStream
    private let openedAt: Duration
    private var receivedAt: Duration
    /// Whether a chunk is being applied. While a chunk is being applied, no data is read, so the time does
    /// not count as silence.
    private var isBusy = false
    private var heartbeat = Heartbeat()
    private var parser = EventStreamParser()
    private var lastComment: Duration

    init(_ stream: HTTPStream, since now: Duration) {
        self.stream = stream
        (openedAt, receivedAt, lastComment) = (now, now, now)
    }

    var body: HTTPBody { stream.body }
    /// The reconnection delay that the server requests.
    var retry: Duration { min(.milliseconds(parser.retry ?? 3000), Self.maxRetry) }
    var silenceLimit: Duration { heartbeat.silenceLimit }

    /// The time between the opening of the stream and its last data.
    var age: Duration { receivedAt - openedAt }

    func silenceDuration(at now: Duration) -> Duration { isBusy ? .zero : now - receivedAt }

    private func recordHeartbeat(at now: Duration) {
        let limit = heartbeat.silenceLimit
        heartbeat.recordComment(after: now - lastComment)
        lastComment = now
        if heartbeat.silenceLimit < limit { limits.notify() }
    }

    /// Records the arrival of a chunk. No further data is read until `markChunkProcessed(at:)` is called.
    func recordChunkArrival(at now: Duration) {
        receivedAt = now
        hasReceivedData = true
        isBusy = true
    }

    func markChunkProcessed(at now: Duration) {
        // Exclude the time without reading from the interval between two heartbeats.
        lastComment += now - receivedAt
        receivedAt = now
        isBusy = false
    }

    /// Returns the complete events in the chunk, and records heartbeats. `isBroken`: whether the next event
    /// is too large, so that the stream is unusable.
    func parseEvents(
        in chunk: [UInt8], now: Duration, recordingUnreadablePartsIn unreadable: UnreadableParts
    ) -> (events: [Event], isBroken: Bool) {
        var outputs: [EventStreamParser.Output] = []
        var isBroken = false
        do { try parser.consume(chunk, into: &outputs) } catch { isBroken = true }
        var events: [Event] = []
        for output in outputs {
            switch output {
            case .event(let event):
                let read = Event(
                    streamData: event.data.utf8, type: event.type, id: event.id,
                    recordingUnreadablePartsIn: unreadable)
                if let read { events.append(read) }
            case .comment: recordHeartbeat(at: now)
            case .retry: break
            }
        }
        return (events, isBroken)
    }
}
