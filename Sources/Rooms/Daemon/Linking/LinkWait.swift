import CutieAPI
import Store

/// Waits until an offered link is confirmed or over: asks now and then, and at once where an event tells
/// that a device was linked.
struct LinkWait {
    private static let pace: Duration = .seconds(3)
    /// Where the service does not tell how long the token is good for.
    private static let longest: Duration = .seconds(600)

    let offer: LinkOffer
    let unit: AccountUnit
    let ingest: Ingest
    let surroundings: Surroundings

    /// `sequence`: the head of the log when the link was offered. Throws what a person has to be told.
    func end(after sequence: Int64) async throws -> Linking.Progress {
        let deadline = surroundings.uptime + left
        var seen = sequence
        while true {
            let isOver = surroundings.uptime >= deadline
            if let progress = try await ask(), progress.status != .pending { return progress }
            if isOver { return Linking.Progress(status: .expired) }
            let pause = min(Self.pace, max(.zero, deadline - surroundings.uptime))
            let known = seen
            seen = try await surroundings.within(pause) { try await deviceLinked(after: known) } ?? seen
        }
    }

    private var left: Duration {
        offer.expiresAt.map(surroundings.wait(until:)) ?? Self.longest
    }

    /// nil: no answer this time. A token that the server does not know any more is over.
    private func ask() async throws -> Linking.Progress? {
        do {
            return try await unit.feed.client.send(.linkStatus(offer.token))
        } catch .retry {
            return nil
        } catch .absent {
            return Linking.Progress(status: .expired)
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw error.fault(about: nil)
        }
    }

    /// Returns the sequence of the next entry that tells of a linked device.
    private func deviceLinked(after sequence: Int64) async throws -> Int64 {
        var seen = sequence
        while true {
            try await ingest.head.passed(seen)
            let entries = try ingest.store.read { try $0.log(after: seen, limit: 100) }
            if let linked = entries.first(where: { $0.type == "device.linked" && $0.account == account }) {
                return linked.sequence
            }
            seen = entries.last?.sequence ?? ingest.head.value
        }
    }

    private var account: AccountID { unit.account.id }
}
