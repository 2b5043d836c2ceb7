import Accounts
import CutieAPI
import EventLog
import HTTP
import Identity
import OAuth
import RSD2
import Reasons
import Store

/// The reason why an app currently cannot get a token for a service.
enum AccessFailure: Error, CustomStringConvertible {
    /// The service or the issuer refuses permanently, so the service is removed from the grant.
    case refused(String)
    /// A temporary failure.
    case unanswered(String)
    /// The daemon's token for the service is no longer valid.
    case tokenExpired
    case notSealed

    /// Whether a retry would fail in the same way.
    var isRefusal: Bool {
        switch self {
        case .refused, .tokenExpired: true
        case .unanswered, .notSealed: false
        }
    }

    var description: String {
        switch self {
        case .refused(let reason): "refused: \(reason)"
        case .unanswered(let reason): reason
        case .tokenExpired: "the service's token is no longer valid"
        case .notSealed: "OpenSSL cannot encrypt; check openssl.cnf"
        }
    }
}

/// Obtains the daemon's own tokens for services, and the dependent tokens of apps.
final class ServiceAuthorizer {
    private let tokens: TokenTree
    private let secrets: SecretStore
    private let httpClient: HTTPClient
    private let runtime: RuntimeEnvironment
    /// Serializes token requests, so that two apps do not request the token of the same service concurrently.
    /// A request continues if its app disconnects, so that the issued token is stored.
    private let work = UninterruptedWork()

    init(tokens: TokenTree, secrets: SecretStore, httpClient: HTTPClient, runtime: RuntimeEnvironment) {
        (self.tokens, self.secrets, self.httpClient) = (tokens, secrets, httpClient)
        self.runtime = runtime
    }

    /// The data that identifies an app to a service.
    struct App {
        let id: String
        let clientID: String
        /// The app's identity according to the system.
        let identity: String
    }

    /// Returns a token for `app` that covers all `protocols`. Repeats the attempt once if a token has
    /// expired. `isRenewal`: whether the app's current token is no longer sufficient.
    func fetchToken(
        for app: App, at service: ServiceDirectory.Entry, protocols: [String], isRenewal: Bool
    ) async throws -> TokenTree.DecryptedToken {
        try await work.run { [self] in
            do {
                return try await fetchAppToken(
                    for: app, at: service, protocols: protocols, isRenewal: isRenewal)
            } catch AccessFailure.tokenExpired {
                // The service no longer accepts the daemon's token. Retry once with a new token.
                return try await fetchAppToken(
                    for: app, at: service, protocols: protocols, isRenewal: isRenewal)
            }
        }
    }

    private func fetchAppToken(
        for app: App, at service: ServiceDirectory.Entry, protocols: [String], isRenewal: Bool
    ) async throws -> TokenTree.DecryptedToken {
        guard let server = service.makeAuthorizationServer() else {
            throw AccessFailure.refused("it issues no tokens")
        }
        let account = service.person.account
        let owner = AppTokenOwner(
            client: app.clientID, identity: app.identity, service: service.link,
            person: service.person.subject)
        let place = TokenTree.TokenKey(kind: .app, subject: owner.subject, target: server.token)
        let known = try await tokens.findOrDiscardToken(for: place, of: account)
        let had = known.map { Scope(text: $0.record.scope) } ?? Scope([])
        let wanted = service.description.scope(requiredFor: protocols)
        if let known, wanted.names.allSatisfy(had.contains) {
            if !isRenewal, known.isValid(at: runtime.now()) { return known }
            if let renewed = try await renewToken(known, key: place, from: server, account: account) {
                return renewed
            }
        }
        return try await requestAppToken(
            for: app, at: service, from: server, scope: Scope(had.names + wanted.names), savingAs: place,
            replacing: known)
    }

    private func requestAppToken(
        for app: App, at service: ServiceDirectory.Entry, from server: ServiceAuthorizationServer,
        scope: Scope,
        savingAs key: TokenTree.TokenKey, replacing former: TokenTree.DecryptedToken?
    ) async throws -> TokenTree.DecryptedToken {
        let parent = try await fetchServiceToken(for: service, from: server)
        let signature = try await AssertionSigner(for: service.person, secrets: secrets)
        let claims = AppAssertion(
            client: service.person.clientID, person: service.person.subject, app: app.id,
            tokenEndpoint: server.token, service: service.description.engineLink, key: signature.key,
            id: AssertionSigner.makeID(), issuedAt: runtime.now())
        let form = server.appTokenRequest(
            assertion: try await signature.sign(Assertion(claims)), scope: scope, serviceToken: parent.token)
        let account = service.person.account
        switch try await sendForm(form, for: account) {
        case .tokens(let answer):
            var key = key
            key.parent = parent.record.id
            return try await tokens.save(
                answer, as: key, of: account, scope: answer.scope ?? scope, at: runtime.now(),
                replacing: former)
        case .refused(let error) where error.code == .invalidToken:
            // Revoke the token and its dependent tokens, because `invalid_token` does not prove that the
            // service has revoked them.
            try tokens.revoke(parent, at: runtime.now())
            throw AccessFailure.tokenExpired
        case .refused(let error): throw AccessFailure.refused("\(error)")
        }
    }
}

// MARK: - The daemon's token for a service

extension ServiceAuthorizer {
    private func fetchServiceToken(
        for service: ServiceDirectory.Entry, from server: ServiceAuthorizationServer
    ) async throws -> TokenTree.DecryptedToken {
        let person = service.person
        let place = TokenTree.TokenKey(kind: .service, subject: person.subject, target: server.token)
        let known = try await tokens.findOrDiscardToken(for: place, of: person.account)
        if let known {
            if known.isValid(at: runtime.now()) { return known }
            if let renewed = try await renewToken(known, key: place, from: server, account: person.account) {
                return renewed
            }
        }
        let assertion: UserAssertion
        switch try await requestAssertion(identifying: person, forAudience: server.token) {
        case .assertion(let authorized): assertion = authorized
        case .refused(let reason): throw AccessFailure.refused("the issuer: \(reason)")
        }
        let signature = try await AssertionSigner(for: person, secrets: secrets)
        let proof = KeyProof(
            client: person.clientID, tokenEndpoint: server.token, key: signature.key,
            id: AssertionSigner.makeID(), issuedAt: runtime.now())
        let form = server.serviceTokenRequest(
            assertion: assertion.text, keyProof: try await signature.sign(Assertion(proof)))
        switch try await sendForm(form, for: person.account) {
        case .tokens(let answer):
            // Replace the expired token in its row. Without the row, the dependent tokens of apps, which are
            // still valid, could not be revoked.
            return try await tokens.save(
                answer, as: place, of: person.account, scope: answer.scope ?? Scope([]),
                at: runtime.now(), renewing: known)
        case .refused(let error): throw AccessFailure.refused("\(error)")
        }
    }

    private func requestAssertion(
        identifying person: ServiceUser, forAudience audience: EndpointURL
    ) async throws -> SignInService.AssertionResult {
        do { return try await person.signIn.fetchAssertion(forAudience: audience) } catch {
            if case .cancelled = error { throw CancellationError() }
            throw AccessFailure.unanswered(error.sentence)
        }
    }

    /// Refreshes a token. Returns `nil` if there is no refresh token, or if the service refuses the refresh
    /// token.
    private func renewToken(
        _ token: TokenTree.DecryptedToken, key: TokenTree.TokenKey, from server: ServiceAuthorizationServer,
        account: Account
    ) async throws -> TokenTree.DecryptedToken? {
        guard let refresh = try await tokens.decryptRefreshToken(of: token, account: account) else {
            return nil
        }
        switch try await sendForm(server.refreshRequest(refreshToken: refresh), for: account) {
        case .tokens(let answer):
            return try await tokens.save(
                answer, as: key, of: account, scope: answer.scope ?? Scope(text: token.record.scope),
                at: runtime.now(), renewing: token)
        case .refused(let error):
            if error.code == .invalidGrant { try tokens.deleteRefreshToken(of: token) }
            return nil
        }
    }

    private enum TokenReply {
        case tokens(TokenResponse)
        case refused(OAuthError)
    }

    private func sendForm(_ form: FormRequest, for account: Account) async throws -> TokenReply {
        let caller = FormClient(to: .service, httpClient: httpClient, runtime: runtime) {
            account.tlsPolicy(forServiceAt: $0.origin)
        }
        do {
            switch try await caller.send(form) {
            case .body(let body, _):
                do { return .tokens(try TokenResponse(json: body)) } catch {
                    throw AccessFailure.refused("it sent an invalid response: \(error)")
                }
            case .refused(let refusal) where refusal.isTemporary:
                throw AccessFailure.unanswered("\(refusal.error)")
            case .refused(let refusal): return .refused(refusal.error)
            case .moved(let reason), .withoutErrorCode(let reason):
                throw AccessFailure.refused(reason.english)
            case .unanswered(let reason, _): throw AccessFailure.unanswered(reason.english)
            }
        } catch is APIFailure {
            throw CancellationError()
        }
    }
}
