import Accounts
package import CutieAPI
import EventLog
import Store

/// A link that another device can confirm.
package struct LinkOffer {
    package let token: LinkToken
    /// The expiry time according to the local clock; `nil` if unknown.
    package let expiresAt: Timestamp?

    init(token: LinkToken, expiresAt: Timestamp?) {
        (self.token, self.expiresAt) = (token, expiresAt)
    }

    /// Converts the expiry to the local clock. Uses the remaining lifetime if the server reports it, because
    /// the server's clock may differ.
    init(_ offer: Linking.Offer, at now: Timestamp) {
        let remainingTime = offer.expiresIn.map { Duration.seconds(max(0, min($0, 86_400))) }
        self.init(token: offer.linkToken, expiresAt: remainingTime.map { now + $0 } ?? offer.expiresAt)
    }
}

/// Waits until a link is confirmed or expires. Polls the API at an interval, and also immediately after each
/// event about a linked device.
struct LinkConfirmationWaiter {
    private static let pollInterval: Duration = .seconds(3)
    /// The assumed lifetime of a token if the API does not report it.
    private static let maxDuration: Duration = .seconds(600)

    let offer: LinkOffer
    let unit: AccountUnit
    let ingest: Ingest
    let runtime: RuntimeEnvironment

    /// Waits until a device confirms the link, and returns the result; `expired` if no device confirms the
    /// link in time.
    ///
    /// - Parameter sequence: the sequence number of the newest log entry when the link was offered.
    /// - Throws: an error for the client.
    func waitForConfirmation(after sequence: Int64) async throws -> Linking.Progress {
        let deadline = runtime.uptime + remainingTime
        var seen = sequence
        while true {
            let isOver = runtime.uptime >= deadline
            if let progress = try await queryProgress(), progress.status != .pending { return progress }
            if isOver { return Linking.Progress(status: .expired) }
            let pause = min(Self.pollInterval, max(.zero, deadline - runtime.uptime))
            let known = seen
            seen =
                try await runtime.withTimeout(pause) { try await waitForLinkedDevice(after: known) }
                ?? seen
        }
    }

    private var remainingTime: Duration {
        offer.expiresAt.map(runtime.duration(until:)) ?? Self.maxDuration
    }

    /// Queries and returns the progress; `nil` if the query failed and should be repeated. Treats a token
    /// that the server does not know as expired.
    private func queryProgress() async throws -> Linking.Progress? {
        do {
            return try await unit.feed.client.send(.linkStatus(of: offer.token))
        } catch .retry {
            return nil
        } catch .absent {
            return Linking.Progress(status: .expired)
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw error.makeServiceError(forConversation: nil)
        }
    }

    /// Waits for the next log entry about a linked device. Returns its sequence number.
    private func waitForLinkedDevice(after sequence: Int64) async throws -> Int64 {
        var seen = sequence
        while true {
            try await ingest.head.waitUntilPast(seen)
            let entries = try ingest.store.read { try $0.log.fetchEntries(after: seen, limit: 100) }
            if let linked = entries.first(where: { $0.kind == .deviceLinked && $0.account == account }) {
                return linked.sequence
            }
            seen = entries.last?.sequence ?? ingest.head.value
        }
    }

    private var account: AccountID { unit.account.id }
}
