import CutieAPI
import Inbox

extension Feed {
    /// How long the server may hold an answer back: its silence then is bounded by the request's time.
    private static let wait = 50
    /// At first it is to show soon that it does answer.
    private static let firstWait = 2

    /// The long-poll: a place in the events first, then the state by poll, then what comes after the place. nil
    /// once a better transport has taken over.
    func followLongPoll() async throws -> Setback? {
        var place = try cursor()
        do {
            if place == nil { place = try await client.events(after: nil, wait: 0).cursor }
        } catch {
            return try setback(ofLongPoll: error)
        }
        try await takeStateAnew()
        return try await untilOvertaken(.longPoll) { [place] in
            try await self.setback { try await self.askOn(from: place) }
        } ?? nil
    }

    /// The place may be what the server does not have.
    private func setback(ofLongPoll failure: any Error) throws -> Setback {
        if case APIFailure.absent = failure { try ingest.keep(cursor: nil, of: account.id) }
        return try setback(of: failure)
    }

    private func askOn(from start: Event.ID?) async throws -> Ending {
        let (opened, isTrusted) = (surroundings.uptime, ladder.isTrusting)
        var place = start
        var newest: Event.ID?
        var hasty = 0
        while true {
            let asked = surroundings.uptime
            let isProbe = isTrusted && ladder.working != .longPoll
            let page: EventPage
            do {
                page = try await client.events(after: place, wait: isProbe ? Self.firstWait : Self.wait)
            } catch {
                return .setback(try setback(ofLongPoll: error))
            }
            try await take(page.events, by: .longPoll)
            let (known, last) = (place, page.events.last?.id)
            place = page.cursor ?? last ?? place
            if let place, place != known { try ingest.keep(cursor: place, of: account.id) }
            // Nothing new and at once: asked again at once, such a server would be asked a thousand times a
            // second. The log is no measure: what was done here comes back as an event that is new.
            let isNew = place != known && last != nil && last != newest
            newest = last ?? newest
            let isHasty = !isNew && surroundings.uptime - asked < .seconds(1)
            hasty = isHasty ? hasty + 1 : 0
            guard hasty < 5 else {
                return .setback(Setback(Ladder.Fault("the server does not wait", isFinal: true)))
            }
            if isHasty {
                try await surroundings.sleep(.seconds(hasty))
            } else {
                try heard(on: .longPoll, after: surroundings.uptime - opened)
            }
        }
    }
}
