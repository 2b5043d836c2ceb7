import CutieAPI
import EventSource
import HTTP
import Inbox

/// One open stream: its bytes become events, and its silence is measured.
final class Line {
    let stream: HTTPStream
    private(set) var heartbeat = Heartbeat()
    private(set) var heardAt: Duration
    private(set) var hasSpoken = false
    /// What came last is being taken, and what comes after it waits unread: that is no silence.
    private(set) var isBusy = false
    /// How long the server wants a client to wait after the end.
    private(set) var retry: Duration = .seconds(3)
    /// Moves when less silence is borne than before: who sleeps for the old limit sleeps too long.
    let impatience = Head()
    /// A server that wants us away for longer has mistaken the unit.
    private static let longestRetry: Duration = .seconds(300)
    private let openedAt: Duration
    private var parser = EventStreamParser()
    private var lastComment: Duration

    init(stream: HTTPStream, since now: Duration) {
        self.stream = stream
        openedAt = now
        heardAt = now
        lastComment = now
    }

    /// How old it was when it was heard last.
    var age: Duration { heardAt - openedAt }

    private func beat(at now: Duration) {
        let limit = heartbeat.silenceLimit
        heartbeat.comment(after: now - lastComment)
        lastComment = now
        if heartbeat.silenceLimit < limit { impatience.advance() }
    }

    /// A chunk came; until `taken(at:)` nobody listens.
    func heard(at now: Duration) {
        heardAt = now
        hasSpoken = true
        isBusy = true
    }

    func taken(at now: Duration) {
        // The time in which nobody listened is no part of the gap between two comments.
        lastComment += now - heardAt
        heardAt = now
        isBusy = false
    }

    /// The events that are complete now, and whether one after them is too large: the stream is of no
    /// use after that.
    func events(in chunk: [UInt8], now: Duration) -> (events: [Event], isBroken: Bool) {
        var outputs: [EventStreamParser.Output] = []
        var isBroken = false
        do { try parser.consume(chunk, into: &outputs) } catch { isBroken = true }
        var events: [Event] = []
        for output in outputs {
            switch output {
            case .event(let event):
                if let event = Event(streamData: event.data.utf8, type: event.type, id: event.id) {
                    events.append(event)
                }
            case .comment: beat(at: now)
            case .retry(let milliseconds): retry = min(.milliseconds(milliseconds), Self.longestRetry)
            }
        }
        return (events, isBroken)
    }
}
