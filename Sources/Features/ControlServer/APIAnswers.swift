import Accounts
import ControlAPI
import CutieAPI
import EventLog
import OAuth

extension AccountUnit {
    /// Calls the API while the user waits, with a timeout. `absent`: returns the error if the API does not
    /// have the resource.
    func answer<Answer>(
        to endpoint: Endpoint<Answer>, in surroundings: RuntimeEnvironment,
        absent: (String) -> any ControlFault = { NotOffered(reason: $0) }
    ) async throws -> Answer {
        do {
            let answer = try await surroundings.withTimeout(Self.answerLimit) {
                [client = feed.client] in
                try await client.send(endpoint)
            }
            guard let answer else { throw Offline(reason: "it does not respond") }
            return answer
        } catch APIFailure.absent(let reason) {
            throw absent(reason)
        } catch let failure as APIFailure {
            throw failure.fault(about: nil)
        }
    }
}

extension APIFailure {
    /// Returns the error for the client. `peer`: the server that was called.
    func fault(about conversation: String?, from peer: ServerRole = .api) -> any ControlFault {
        switch self {
        case .retry(let reason, _, _): Offline(reason: reason, peer: peer.word)
        case .unauthorized(let reason), .forbidden(let reason): NotAuthorized(reason: reason)
        case .insufficientScope(_, let scope): InsufficientScope(scope: scope?.description, reason: sentence)
        case .absent(let reason):
            conversation.map { NotFound(what: "conversation", id: $0) } ?? NotOffered(reason: reason)
        case .fatal(let reason, let error?):
            Refused(status: error.status, code: error.code?.rawValue, reason: reason)
        case .fatal(let reason, nil): Failed(reason: reason)
        case .cancelled: Failed(reason: "the connection was closed during the request; try again")
        }
    }
}

extension ServerRole {
    /// The value of `Offline.peer`.
    nonisolated var word: String? { self == .api ? nil : rawValue }
}
