package import CutieAPI
package import Domain
package import EventLog
import OAuth

extension AccountUnit {
    /// The time that a caller waits for the result of a queued item; after it, the item is reported as queued.
    package static let queuedLimit: Duration = .seconds(5)

    /// Calls the API while the user waits, with a timeout. `absent`: returns the error if the API does not
    /// have the resource.
    package func answer<Answer>(
        to endpoint: Endpoint<Answer>, in surroundings: RuntimeEnvironment,
        absent: (String) -> ServiceError = { ServiceError.notOffered(reason: $0) }
    ) async throws -> Answer {
        do {
            let answer = try await surroundings.withTimeout(Self.answerLimit) {
                [client = feed.client] in
                try await client.send(endpoint)
            }
            guard let answer else { throw ServiceError.offline(reason: "it does not respond") }
            return answer
        } catch APIFailure.absent(let reason) {
            throw absent(reason)
        } catch let failure as APIFailure {
            throw failure.error(about: nil)
        }
    }
}

extension APIFailure {
    /// Returns the error for the caller. `peer`: the server that was called.
    package func error(about conversation: String?, from peer: ServerRole = .api) -> ServiceError {
        switch self {
        case .retry(let reason, _, _): ServiceError.offline(reason: reason, peer: peer.word)
        case .unauthorized(let reason), .forbidden(let reason): ServiceError.notAuthorized(reason: reason)
        case .insufficientScope(_, let scope):
            ServiceError.insufficientScope(scope: scope?.description, reason: sentence)
        case .absent(let reason):
            conversation.map { ServiceError.notFound(what: "conversation", id: $0) }
                ?? ServiceError.notOffered(reason: reason)
        case .fatal(let reason, let error?):
            ServiceError.refused(status: error.status, code: error.code?.rawValue, reason: reason)
        case .fatal(let reason, nil): ServiceError.failed(reason: reason)
        case .cancelled:
            ServiceError.failed(reason: "the connection was closed during the request; try again")
        }
    }
}

extension ServerRole {
    /// The value of `Offline.peer`.
    package nonisolated var word: String? { self == .api ? nil : rawValue }
}
