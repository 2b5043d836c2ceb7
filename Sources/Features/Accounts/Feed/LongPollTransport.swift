import Config
import CutieAPI
import EventLog
import FeedPolicy

/// The long-poll transport: reads the current cursor, polls the state, then requests the events after the
/// cursor.
struct LongPollTransport: Transport {
    /// The maximum wait of the server, in seconds: together with the request's timeout, it limits the
    /// silence.
    private static let wait = 50
    /// The wait of the first request, in seconds: a short one shows soon whether the server answers at all.
    private static let firstWait = 2
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
        var place = try synchronizer.cursor()
        do {
            if place == nil { place = try await client.events(after: nil, wait: 0).cursor }
        } catch {
            return try fault(of: error)
        }
        try await connection.requestPoll()
        return try await connection.runUntilReplaced(.longPoll) { [place] in try await ask(from: place) }
    }

    /// The server may no longer know the cursor.
    private func fault(of failure: any Error) throws -> TransportSelector.Fault {
        if case APIFailure.absent = failure { try synchronizer.saveCursor(nil) }
        return try synchronizer.fault(of: failure)
    }

    /// Sends requests until one fails.
    private func ask(from start: Event.ID?) async throws -> TransportSelector.Fault {
        let (opened, isTrusted) = (surroundings.uptime, connection.transportSelector.acceptsFirstData)
        var place = start
        var immediateAnswers = ImmediateAnswerCounter()
        while true {
            let asked = surroundings.uptime
            let isProbe = isTrusted && connection.transportSelector.working != .longPoll
            let page: EventPage
            do {
                page = try await client.events(after: place, wait: isProbe ? Self.firstWait : Self.wait)
            } catch {
                return try fault(of: error)
            }
            try await synchronizer.accept(page.events, by: .longPoll)
            let (known, last) = (place, page.events.last?.id)
            place = page.cursor ?? last ?? place
            if let place, place != known { try synchronizer.saveCursor(place) }
            immediateAnswers.record(last, after: surroundings.uptime - asked, movesCursor: place != known)
            if immediateAnswers.isOverLimit {
                return TransportSelector.Fault("the server answers long polls immediately", isFinal: true)
            }
            if immediateAnswers.answers > 0 {
                try await surroundings.sleep(.seconds(immediateAnswers.answers))
            } else {
                try connection.receivedData(on: .longPoll, after: surroundings.uptime - opened)
            }
        }
    }
}

/// A counter of consecutive immediate answers without new events. Without a pause, such a server would
/// receive a thousand requests per second.
private struct ImmediateAnswerCounter {
    private(set) var answers = 0
    private var newest: Event.ID?

    var isOverLimit: Bool { answers >= 5 }

    /// Records an answer. `last`: the last event of the answer. `movesCursor`: whether the answer advances
    /// the cursor. The log is not used to detect new events: the user's own actions return as events that the
    /// log already contains.
    mutating func record(_ last: Event.ID?, after time: Duration, movesCursor: Bool) {
        let isNew = movesCursor && last != nil && last != newest
        newest = last ?? newest
        answers = !isNew && time < .seconds(1) ? answers + 1 : 0
    }
}
