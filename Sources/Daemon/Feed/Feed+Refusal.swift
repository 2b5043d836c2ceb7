import Config
import Inbox

extension Feed {
    /// A transport that is refused while conversations are listed is at fault itself, and a lesser one is
    /// better than none; where nothing works it is not the transport. Once may be a passing thing, unless the
    /// server wants to be left alone for longer than a poll would take.
    func ending(of refusal: TransportRefusal, of transport: String) async throws -> Ending {
        refusals += 1
        let failure = APIFailure.retry(refusal.sentence, floor: refusal.floor, ambiguous: false)
        let isLong = refusal.floor ?? .zero > account.configuration.pollInterval
        guard !ladder.isLast, refusals > 1 || isLong else { return .failure(failure) }
        do throws(APIFailure) { _ = try await client.list(limit: 1, offset: 0, etag: nil) } catch {
            guard case .retry = error else { throw error }
            refusals = 0
            return .failure(failure)
        }
        return .stepDown("no \(transport): \(refusal.sentence)", floor: refusal.floor)
    }
}
