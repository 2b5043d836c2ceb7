package import CutieAPI
package import Domain
import EventLog
import OAuth
import Reasons

/// The authorizer of a signed-in user. Each request contains the access token (RFC 6750).
package final class BearerAuthorizer: Authorizer {
    private let account: Account
    private let session: SignInSession
    private let revocations: Revocations
    /// The generation of the token that was issued after a 403 response; `nil` if no 403 has caused a
    /// renewal.
    private var renewedAfter403: Int?

    init(of account: Account, session: SignInSession, revocations: Revocations) {
        (self.account, self.session, self.revocations) = (account, session, revocations)
    }

    package var generation: Int { session.state.generation }
    package var isReady: Bool { session.need == .nothing }
    package var authentication: AuthenticationState { session.authentication }
    /// The issuer may be a different server from the API. A successful renewal then does not prove that the
    /// next response comes from the API and not from a proxy.
    package let isRenewedByAPI = false

    package func loadCredentials() async throws(APIFailure) { try await session.loadTokens() }

    package func ensureCredentials(using client: APIClient) async throws(APIFailure) {
        guard !isReady else { return }
        try await session.ensureToken()
    }

    package func headers(for request: APIRequest) -> [APIRequest.Header] {
        guard let token = session.state.tokens?.access else { return account.headers }
        return account.headers
            + [.init(name: HeaderName.authorization, value: "Bearer " + token.rawValue)]
    }

    package func recoverFromUnauthorized(
        credentialGeneration generation: Int, isFromAPI: Bool, using client: APIClient
    ) async throws(APIFailure) -> Bool {
        try await session.renewToken(ofGeneration: generation)
        return true
    }

    package func recoverFromForbidden(credentialGeneration generation: Int) async throws(APIFailure) -> Bool {
        // Renew only a token that the API accepted before, because only such a token can have expired. Do not
        // renew a token that was itself issued after a 403.
        guard session.state.acceptedGeneration == generation, generation != renewedAfter403 else {
            return false
        }
        try await session.renewToken(ofGeneration: generation)
        renewedAfter403 = session.state.generation
        return true
    }

    package func recordCredentialResult(_ result: CredentialResult, ofGeneration generation: Int) {
        switch result {
        case .accepted: session.recordAcceptance(ofGeneration: generation)
        case .refusedAfterRetry: session.recordRefusal(Reason(.signInRefusedByAPI))
        }
    }

    /// Revokes the tokens of past sign-ins when the issuer is reachable.
    package func runPeriodicWork(using client: APIClient) async throws { try await revocations.run() }
}
