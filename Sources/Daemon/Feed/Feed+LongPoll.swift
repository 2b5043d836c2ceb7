import CutieAPI
import Inbox

extension Feed {
    /// How long the server may hold an answer back: its silence then is bounded by the request's time.
    private static let wait = 50

    /// The long-poll: a place in the events first, then the state by poll, then what comes after the place.
    func followLongPoll() async throws -> Ending {
        var place = try cursor()
        do {
            if place == nil { place = try await client.send(.events(after: nil, wait: 0)).cursor }
            try await takeState()
            try connected()
            while true {
                let page = try await client.send(.events(after: place, wait: Self.wait))
                try await take(page.events, by: .longPoll)
                place = page.cursor ?? page.events.last?.id ?? place
                try keep(place, after: page)
                if let climb = ladder.nextClimb, climb <= surroundings.uptime { return .restart }
            }
        } catch APIFailure.absent(let reason) {
            return .stepDown("no long-poll: \(reason)")
        }
    }

    /// A page's cursor may be past its last event.
    private func keep(_ place: Event.ID?, after page: EventPage) throws {
        guard let place, place != page.events.last?.id else { return }
        try ingest.keep(cursor: place, of: account.id)
    }
}
