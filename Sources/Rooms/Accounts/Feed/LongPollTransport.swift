import CutieAPI
import Inbox
import Log

/// The long-poll transport: reads the current cursor, polls the state, then requests the events after the
/// cursor.
struct LongPollTransport {
    /// The maximum wait of the server, in seconds: together with the request's timeout, it limits the
    /// silence.
    private static let wait = 50
    /// The wait of the first request, in seconds: a short one shows soon whether the server answers at all.
    private static let firstWait = 2
    private let connection: Connection
    private let client: APIClient
    private let synchroniser: Synchroniser
    private let surroundings: Surroundings

    init(on connection: Connection) {
        self.connection = connection
        (client, synchroniser) = (connection.client, connection.synchroniser)
        surroundings = connection.surroundings
    }

    /// Returns the fault that ended the transport or prevented its start; `nil` if a better transport has
    /// taken over.
    func follow() async throws -> Ladder.Fault? {
        var place = try synchroniser.cursor()
        do {
            if place == nil { place = try await client.events(after: nil, wait: 0).cursor }
        } catch {
            return try fault(of: error)
        }
        try await connection.pollAnew()
        return try await connection.untilOvertaken(.longPoll) { [place] in try await ask(from: place) }
    }

    /// The server may no longer know the cursor.
    private func fault(of failure: any Error) throws -> Ladder.Fault {
        if case APIFailure.absent = failure { try synchroniser.keep(cursor: nil) }
        return try synchroniser.fault(of: failure)
    }

    /// Sends requests until one fails.
    private func ask(from start: Event.ID?) async throws -> Ladder.Fault {
        let (opened, isTrusted) = (surroundings.uptime, connection.ladder.isTrusting)
        var place = start
        var haste = Haste()
        while true {
            let asked = surroundings.uptime
            let isProbe = isTrusted && connection.ladder.working != .longPoll
            let page: EventPage
            do {
                page = try await client.events(after: place, wait: isProbe ? Self.firstWait : Self.wait)
            } catch {
                return try fault(of: error)
            }
            try await synchroniser.accept(page.events, by: .longPoll)
            let (known, last) = (place, page.events.last?.id)
            place = page.cursor ?? last ?? place
            if let place, place != known { try synchroniser.keep(cursor: place) }
            haste.note(last, after: surroundings.uptime - asked, isElsewhere: place != known)
            if haste.isTooMuch {
                return Ladder.Fault("the server answers long polls immediately", isFinal: true)
            }
            if haste.answers > 0 {
                try await surroundings.sleep(.seconds(haste.answers))
            } else {
                try connection.heard(on: .longPoll, after: surroundings.uptime - opened)
            }
        }
    }
}

/// A counter of consecutive immediate answers without new events. Without a pause, such a server would
/// receive a thousand requests per second.
private struct Haste {
    private(set) var answers = 0
    private var newest: Event.ID?

    var isTooMuch: Bool { answers >= 5 }

    /// Records an answer. `last`: its last event. `isElsewhere`: it moves the cursor. The log is not used to
    /// detect new events: the user's own actions return as events that the log already contains.
    mutating func note(_ last: Event.ID?, after time: Duration, isElsewhere: Bool) {
        let isNew = isElsewhere && last != nil && last != newest
        newest = last ?? newest
        answers = !isNew && time < .seconds(1) ? answers + 1 : 0
    }
}
