import CutieAPI
import Inbox

extension Feed {
    /// How long the server may hold an answer back: its silence then is bounded by the request's time.
    private static let wait = 50

    /// The long-poll: a place in the events first, then the state by poll, then what comes after the place.
    func followLongPoll() async throws -> Ending {
        var place = try cursor()
        do {
            if place == nil { place = try await client.events(after: nil, wait: 0).cursor }
            try await takeState()
            try connected()
            return try await fetchingTheRest { [place] in try await self.askOn(from: place) }
        } catch let refusal as TransportRefusal {
            return try await ending(of: refusal, of: "long-poll")
        } catch APIFailure.absent(let reason) {
            // The place may be what the server does not have.
            return try giveUpPlace(because: "no long-poll: \(reason)")
        } catch APIFailure.fatal(let reason, _) {
            return try giveUpPlace(because: "no long-poll: \(reason)")
        }
    }

    private func askOn(from start: Event.ID?) async throws -> Ending {
        var place = start
        var newest: Event.ID?
        var hasty = 0
        while true {
            let asked = surroundings.uptime
            let page = try await client.events(after: place, wait: Self.wait)
            refusals = 0
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
            guard hasty < 5 else { return .stepDown("no long-poll: the server does not wait") }
            if hasty > 0 { try await surroundings.sleep(.seconds(hasty)) }
            if let climb = ladder.nextClimb, climb <= surroundings.uptime { return .restart }
        }
    }
}
