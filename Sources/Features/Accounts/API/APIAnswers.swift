package import CutieAPI
package import Domain
package import EventLog
import OAuth
package import Reasons

extension AccountUnit {
    /// The maximum time that a caller waits for an outbox item to be sent. After that, the item is reported
    /// as queued.
    package static let queuedLimit: Duration = .seconds(5)

    /// Sends a request for a waiting user and returns the decoded response. `absent`: creates the error if
    /// the API does not have the resource.
    /// - Throws: `ServiceError.offline` if no response arrives within `responseTimeout`;
    ///   `ServiceError.invalidResponse` if the response cannot be decoded.
    package func fetchDecodedResponse<Answer>(
        from endpoint: Endpoint<Answer>, in runtime: RuntimeEnvironment,
        ifAbsent absent: (Reason) -> ServiceError = { ServiceError.notOffered(reason: $0) }
    ) async throws -> Answer {
        do {
            let answer = try await runtime.withTimeout(Self.responseTimeout) {
                [client = feed.client] in
                try await client.send(endpoint)
            }
            guard let answer else { throw ServiceError.offline(reason: Reason(.apiSilent)) }
            return answer
        } catch APIFailure.absent(let reason) {
            throw absent(reason)
        } catch let failure as APIFailure {
            throw failure.makeServiceError(forConversation: nil)
        }
    }
}

extension APIFailure {
    /// Returns the error for the caller. `conversation`: the conversation to name in a `notFound` error.
    /// `peer`: the server that was called.
    package func makeServiceError(forConversation conversation: String?, from peer: ServerRole = .api)
        -> ServiceError
    {
        switch self {
        case .retry(.coded(.apiResponseInvalid, let arguments), _, _):
            ServiceError.invalidResponse(
                reason: arguments["message"] ?? self.reason, peer: peer.peerValue)
        case .retry(let reason, _, _): ServiceError.offline(reason: reason, peer: peer.peerValue)
        case .unauthorized(let reason), .forbidden(let reason): ServiceError.notAuthorized(reason: reason)
        case .insufficientScope(_, let scope):
            ServiceError.insufficientScope(scope: scope?.description, reason: self.reason)
        case .absent(let reason):
            conversation.map { ServiceError.notFound(what: "conversation", id: $0) }
                ?? ServiceError.notOffered(reason: reason)
        case .fatal(let reason, let error?):
            ServiceError.refused(status: error.status, code: error.code?.rawValue, reason: reason)
        case .fatal(let reason, nil): ServiceError.failed(reason: reason)
        case .cancelled:
            ServiceError.failed(reason: Reason(.connectionClosed))
        }
    }
}

extension ServerRole {
    /// The value of `Offline.peer`: `nil` for the API.
    package nonisolated var peerValue: String? { self == .api ? nil : rawValue }
}
