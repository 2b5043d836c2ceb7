import CutieAPI
import Inbox
import Log

/// The long-poll: a place in the events first, then the state by poll, then what comes after the place.
struct LongPollTransport {
    /// How long the server may hold an answer back: its silence then is bounded by the request's time.
    private static let wait = 50
    /// At first it is to show soon that it does answer.
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

    /// Returns what ended it, or kept it from beginning; nil once a better transport has taken over.
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

    /// The place may be what the server does not have.
    private func fault(of failure: any Error) throws -> Ladder.Fault {
        if case APIFailure.absent = failure { try synchroniser.keep(cursor: nil) }
        return try synchroniser.fault(of: failure)
    }

    /// Asks again and again until that fails.
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
            if haste.isTooMuch { return Ladder.Fault("the server does not wait", isFinal: true) }
            if haste.answers > 0 {
                try await surroundings.sleep(.seconds(haste.answers))
            } else {
                try connection.heard(on: .longPoll, after: surroundings.uptime - opened)
            }
        }
    }
}

/// How often in a row a server answered at once with nothing new: asked again at once, it would be asked a thousand
/// times a second.
private struct Haste {
    private(set) var answers = 0
    private var newest: Event.ID?

    var isTooMuch: Bool { answers >= 5 }

    /// `last`: the last event of an answer. `isElsewhere`: our place is another one by it. The log is no measure:
    /// what was done here comes back as an event that is new.
    mutating func note(_ last: Event.ID?, after time: Duration, isElsewhere: Bool) {
        let isNew = isElsewhere && last != nil && last != newest
        newest = last ?? newest
        answers = !isNew && time < .seconds(1) ? answers + 1 : 0
    }
}
