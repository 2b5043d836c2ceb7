import CutieAPI
import Inbox

extension Feed {
    /// What keeps a transport from beginning. What is the API's as a whole is found by the poll beside it.
    func setback(of failure: any Error) throws -> Setback {
        switch failure {
        case let silence as HeldBack: return Setback(Ladder.Fault(silence.sentence, isHeldBack: true))
        case APIFailure.cancelled: throw CancellationError()
        case APIFailure.retry(let reason, let floor, _): return Setback(Ladder.Fault(reason, floor: floor))
        case APIFailure.fatal(let reason, _):
            // The server may not understand where we were; a poll finds what happened since.
            try ingest.keep(cursor: nil, of: account.id)
            return Setback(Ladder.Fault(reason, isFinal: true))
        case let failure as APIFailure: return Setback(Ladder.Fault(failure.sentence, isFinal: true))
        default: throw failure
        }
    }

    /// Follows events until they end.
    func setback(of body: () async throws -> Ending) async throws -> Setback? {
        guard case .setback(let setback) = try await body() else { return nil }
        return setback
    }
}
