import Config
import CutieAPI
import EventLog
import FeedPolicy
import Reasons

/// The long-poll transport. Determines the current cursor, polls the state, then requests the events after
/// the cursor.
struct LongPollTransport: Transport {
    /// The maximum wait of the server, in seconds. Together with the request timeout, this wait limits how
    /// long a connection can be silent.
    private static let wait = 50
    /// The wait of the first request, in seconds. The wait is short, so that a server that does not respond
    /// is detected soon.
    private static let firstWait = 2
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
        var place = try synchronizer.readCursor()
        do {
            if place == nil { place = try await client.fetchEvents(after: nil, waitSeconds: 0).cursor }
        } catch {
            return try handleFailure(error)
        }
        try await connection.requestPoll()
        return try await connection.runUntilReplacement(of: .longPoll) { [place] in
            try await poll(after: place)
        }
    }

    /// Handles a failure and returns the fault. Discards the cursor if the server may have rejected it.
    private func handleFailure(_ failure: any Error) throws -> TransportSelector.Fault {
        if case APIFailure.absent = failure { try synchronizer.saveCursor(nil) }
        return try synchronizer.handleFailure(failure)
    }

    /// Requests events until a request fails. Returns the fault.
    private func poll(after start: Event.ID?) async throws -> TransportSelector.Fault {
        let (opened, isTrusted) = (runtime.uptime, connection.transportSelector.acceptsFirstData)
        var place = start
        var immediateAnswers = ImmediateResponseCounter()
        while true {
            let asked = runtime.uptime
            let isProbe = isTrusted && connection.transportSelector.working != .longPoll
            let page: EventPage
            do {
                page = try await client.fetchEvents(
                    after: place, waitSeconds: isProbe ? Self.firstWait : Self.wait)
            } catch {
                return try handleFailure(error)
            }
            try await synchronizer.handleEvents(page.events, receivedOver: .longPoll)
            let (known, last) = (place, page.events.last?.id)
            place = page.cursor ?? last ?? place
            if let place, place != known { try synchronizer.saveCursor(place) }
            immediateAnswers.recordPoll(
                lastEventID: last, duration: runtime.uptime - asked, movesCursor: place != known)
            if immediateAnswers.isOverLimit {
                return TransportSelector.Fault(Reason(.longPollsImmediate), isFinal: true)
            }
            if immediateAnswers.answers > 0 {
                try await runtime.sleep(for: .seconds(immediateAnswers.answers))
            } else {
                try connection.recordDataArrival(on: .longPoll, connectionAge: runtime.uptime - opened)
            }
        }
    }
}

/// Counts consecutive immediate responses without new events. The transport pauses after such responses,
/// because it would otherwise send a thousand requests per second.
private struct ImmediateResponseCounter {
    private(set) var answers = 0
    private var newest: Event.ID?

    var isOverLimit: Bool { answers >= 5 }

    /// Records a response. `lastEventID`: the last event in the response. `movesCursor`: whether the response
    /// advances the cursor. The cursor shows whether an event is new; the log does not, because the log
    /// already contains the user's own actions when they return as events.
    mutating func recordPoll(lastEventID: Event.ID?, duration: Duration, movesCursor: Bool) {
        let isNew = movesCursor && lastEventID != nil && lastEventID != newest
        newest = lastEventID ?? newest
        answers = !isNew && duration < .seconds(1) ? answers + 1 : 0
    }
}
