import Config
package import CutieAPI
import EventLog
import FeedPolicy
import FoundationEssentials
import Identity
import Logging
package import OAuth
package import Reasons

/// Signs users in to and out of one account, with a code, in the browser, or as a machine (client
/// credentials). A new sign-in supersedes a sign-in in progress.
package final class SignInService {
    /// The error message if no user has signed in to the account.
    package static let notSignedIn = Reason(.notSignedIn)

    package let session: SignInSession
    let authorizer: any Authorizer
    private let revocations: Revocations
    private let work: UninterruptedWork
    /// The number of the current sign-in attempt. A result of an earlier attempt is ignored.
    var attempt = 0
    /// The result of the browser sign-in, for waiting callers; `nil` while there is no result.
    var ending: Result<Void, SignInFailure>?
    let endings = ChangeSignal()
    /// The code that the user must compare; `nil` if no device sign-in is pending.
    package internal(set) var offer: Offer? {
        didSet { session.changes.notify() }
    }
    /// The pending browser sign-in; `nil` if there is none, or if it was started in a previous run and is not
    /// loaded yet.
    var pending: PendingAuthorization?
    /// The `state` of the last accepted redirect, whose code is single-use; `nil` if none was accepted.
    var acceptedState: String?

    init(of account: Account, with dependencies: AccountDependencies) throws {
        session = try SignInSession(of: account, with: dependencies)
        let taskRegistry = dependencies.taskRegistry.tasks(of: account.id)
        work = taskRegistry.exchanges
        revocations = Revocations(of: session, ingest: dependencies.ingest, work: taskRegistry.revocations)
        authorizer = BearerAuthorizer(of: account, session: session, revocations: revocations)
        session.onRejection = { [weak revocations] in
            _ = try? await revocations?.add($0.rawValue, kind: .refresh)
        }
    }

    var account: Account { session.account }
    var runtime: RuntimeEnvironment { session.runtime }

    /// A code that the user compares with the code on the issuer's page. The page can be opened on any
    /// device.
    package struct Offer: Hashable {
        package let code: String
        package let page: String
        /// The address of the page. Contains the code if the issuer supports this.
        package let link: String

        init(_ authorization: DeviceAuthorization) {
            code = authorization.userCode
            page = authorization.verificationURI.description
            link = authorization.completeURI?.description ?? page
        }
    }

    /// The next step for the user.
    package enum Step {
        /// The user must compare the code with the code on the page, on any device, before the code expires.
        case code(DeviceAuthorization, until: Timestamp)
        /// Sign in on the page, in the browser of this desktop.
        case page(String)
    }

    /// Cancels an earlier attempt and signs a user in. Returns when the sign-in is complete.
    ///
    /// - Parameters:
    ///   - method: `nil` for the best method that the issuer offers.
    /// - isNewAccount: whether the user wants to create an account at the issuer first.
    ///   - onStep: called with each step for the user.
    package func signIn(
        by method: SignInMethod?, loginHint: String?, isNewAccount: Bool, onStep: (Step) async throws -> Void
    ) async throws {
        cancelAttempt()
        let attemptID = attempt
        // Load the current session, so that its tokens can be revoked after another user has signed in.
        try? await session.loadTokens()
        let server = try await session.issuer.fetchServer()
        guard let method = method ?? server.signInMethods.first, server.signInMethods.contains(method) else {
            throw SignInFailure.notOffered(refusalReason(for: method, offeredMethods: server.signInMethods))
        }
        let scope = requestedScope(at: server)
        switch method {
        case .device:
            try await signInWithDeviceCode(
                at: server, scope: scope, loginHint: loginHint, attemptID: attemptID, onStep: onStep)
        case .browser:
            try await signInWithBrowser(
                at: server, scope: scope, loginHint: loginHint, isNewAccount: isNewAccount,
                attemptID: attemptID,
                onStep: onStep)
        case .client:
            // Request only configured scopes: the issuer grants a machine the scopes of its registration, and
            // would refuse the default scopes, which are for users.
            let scope = Scope(account.configuration.signIn.scopes ?? [])
            try await runExchange { [self] in
                let (answer, date) = try await requestTokens(
                    with: server.clientCredentialsRequest(scope: scope))
                let request = Exchange(server: server, method: .client, scope: scope, attempt: attemptID)
                try await startSession(with: answer, at: date, for: request)
            }
        }
    }

    /// Runs the exchange of a code for tokens, and the work that depends on it. The exchange continues if the
    /// caller is cancelled: the code is single-use, and lost tokens would stay valid at the issuer.
    func runExchange<Value>(_ body: @escaping () async throws -> Value) async throws -> Value {
        try await work.run(body)
    }

    /// The sign-in to which an exchange of a code for tokens belongs.
    struct Exchange {
        let server: AuthorizationServer
        let method: SignInMethod
        let scope: Scope
        var nonce: String?
        let attempt: Int
    }

    /// Returns the reason why a sign-in is not possible by `method` or, if `method` is `nil`, by any method.
    func refusalReason(for method: SignInMethod?, offeredMethods: [SignInMethod]) -> Reason {
        guard let method, !offeredMethods.isEmpty else { return Reason(.noMethodOffered) }
        let others = offeredMethods.map(\.rawValue).joined(separator: ", ")
        return Reason(.methodNotOffered, ["method": method.rawValue, "methods": others])
    }

    func requestedScope(at server: AuthorizationServer) -> Scope {
        if let names = account.configuration.signIn.scopes { return Scope(names) }
        let isStaff = if case .staff = account.kind { true } else { false }
        return .makeDefault(isForSupportStaff: isStaff, offeredScopes: server.metadata.scopesSupported)
    }

    /// Signs in the user whom the response identifies, and revokes the previous refresh token. If the
    /// sign-in fails, revokes the received refresh token instead.
    func startSession(with response: TokenResponse, at date: Timestamp, for exchange: Exchange) async throws {
        let former = session.state.tokens
        do {
            let (claims, statedIssuer) =
                exchange.method == .client
                ? (Claims(subject: exchange.server.clientID), nil)
                : try await self.verifyClaims(in: response, at: date, for: exchange)
            guard exchange.attempt == attempt else { throw SignInFailure.superseded }
            try await session.beginSession(
                with: response, claims: claims, idTokenIssuer: statedIssuer, method: exchange.method,
                requestedScope: exchange.scope)
        } catch {
            if let refresh = response.refreshToken { try? await revokeToken(refresh) }
            throw error
        }
        if let refresh = former?.refresh, refresh != response.refreshToken { try await revokeToken(refresh) }
    }

    private func revokeToken(_ refreshToken: Token<RefreshToken>) async throws {
        _ = try await revocations.add(refreshToken.rawValue, kind: .refresh)
    }

    /// Verifies the ID token. Returns its claims, merged with those of the userinfo endpoint, and the issuer
    /// that the ID token names.
    private func verifyClaims(
        in response: TokenResponse, at date: Timestamp, for exchange: Exchange
    ) async throws -> (Claims, issuer: String?) {
        let server = exchange.server
        let token = try await session.issuer.verifyIDToken(
            in: response, at: date, from: server, nonce: exchange.nonce, verifiesSignature: true)
        var claims = token?.claims
        if claims == nil, (response.scope ?? exchange.scope).contains("openid") {
            throw IDToken.Problem.missing
        }
        if let endpoint = server.metadata.userinfoEndpoint,
            let more = try await session.issuer.fetchUserInfo(at: endpoint, accessToken: response.accessToken)
        {
            claims = try claims?.merging(more) ?? more
        }
        guard let claims else { throw SignInFailure.unknownUser }
        return (claims, token?.issuer)
    }

    func requestTokens(with form: FormRequest) async throws -> (TokenResponse, Timestamp) {
        switch try await session.issuer.requestTokens(with: form) {
        case .tokens(let answer, let date): return (answer, date)
        // Do not retry after `invalid_grant`, regardless of the HTTP status, because the code is consumed.
        case .refused(let refusal) where refusal.isTemporary && refusal.error.code != .invalidGrant:
            throw APIFailure.retry(
                Reason(.issuerAnswered, ["status": "\(refusal.error)"]), floor: refusal.floor,
                ambiguous: false)
        case .refused(let refusal): throw SignInFailure.refused(refusal.error)
        case .unusable(let reason, _):
            throw SignInFailure.failed(reason.replacingAdvice(with: Reason(.signInAgain)))
        case .unanswered(let reason, let floor):
            throw APIFailure.retry(reason, floor: floor, ambiguous: false)
        }
    }

    /// The result of requesting an assertion that identifies the user to a service.
    package enum AssertionResult {
        case assertion(UserAssertion)
        /// The issuer does not know the service, or does not support assertions.
        case refused(Reason)
    }

    /// The origin of the issuer; `nil` if the name of the issuer is not a URL.
    package var issuerOrigin: String? {
        (try? EndpointURL(session.issuer.directory.issuer.description))?.origin
    }

    /// Returns the value of the `Authorization` header with the user's access token. Throws if no user is
    /// signed in or the issuer does not respond.
    package func makeAuthorizationHeader() async throws(APIFailure) -> String {
        try await session.ensureToken()
        guard let token = session.state.tokens?.access else { throw .unauthorized(SignInService.notSignedIn) }
        return "Bearer " + token.rawValue
    }

    /// Requests an assertion (RFC 8693) from the issuer. The assertion identifies the user to the service whose
    /// token endpoint is `audience`. Throws if no user is signed in or the issuer does not respond.
    package func fetchAssertion(forAudience audience: EndpointURL) async throws(APIFailure) -> AssertionResult
    {
        try await session.ensureToken()
        guard let token = session.state.tokens?.access else { throw .unauthorized(SignInService.notSignedIn) }
        let server = try await session.issuer.fetchServer()
        switch try await session.issuer.send(
            server.tokenExchangeRequest(accessToken: token, audience: audience))
        {
        case .body(let body, _):
            do { return .assertion(try UserAssertion(json: body)) } catch {
                return .refused(Reason(.assertionUnreadable, reasons: ["message": Reason(describing: error)]))
            }
        case .refused(let refusal) where refusal.isTemporary:
            throw .retry(
                Reason(.issuerAnswered, ["status": "\(refusal.error)"]), floor: refusal.floor,
                ambiguous: false)
        case .refused(let refusal): return .refused(.text("\(refusal.error)"))
        case .unanswered(let reason, let floor): throw .retry(reason, floor: floor, ambiguous: false)
        }
    }

    /// Fetches the user's profile from the issuer and stores it. Does nothing if the issuer publishes no
    /// endpoint for profiles.
    package func refreshProfile() async throws {
        try await session.ensureToken()
        let metadata = try await session.issuer.fetchServer().metadata
        guard let endpoint = metadata.userinfoEndpoint, let token = session.state.tokens?.access,
            let claims = session.claims
        else { return }
        guard let more = try await session.issuer.fetchUserInfo(at: endpoint, accessToken: token) else {
            throw APIFailure.retry(Reason(.userinfoMissing), ambiguous: false)
        }
        try session.updateClaims(try claims.merging(more))
    }
}

// MARK: - Sign-out

extension SignInService {
    /// Cancels a revocation whose outbox item the user removed.
    package func cancelRevocation(forItem item: String) async throws {
        try await session.sessionSecrets.deleteTokenToRevoke(forItem: item)
    }

    /// The data that a sign-out removes, for `--dry-run`.
    package var signOutLosses: [Reason] {
        guard let claims = session.claims else { return [] }
        return [Reason(.lossOfSignIn, ["name": claims.email ?? claims.name ?? claims.subject])]
    }

    /// Signs out and deletes all tokens immediately. Returns whether the revocation at the issuer is still
    /// pending in the outbox.
    package func signOut(within limit: Duration) async throws -> Bool {
        cancelAttempt()
        do { try await session.loadTokens() } catch {
            // Continue if the keyring does not respond. The token in the keyring is not revoked, and stays
            // valid until it expires.
            if case .cancelled = error { throw error }
        }
        // Wait for a refresh in flight, because its tokens would otherwise never be revoked. Continue if the
        // caller is cancelled, because the session would otherwise keep tokens that are being revoked.
        let item = try await session.withExclusiveAccess { [self] () throws(APIFailure) in
            let item = try await enqueueRevocation(of: session.state.tokens)
            pending = nil
            try await session.sessionSecrets.savePendingAuthorization(nil)
            try await session.deleteSession()
            return item
        }
        guard let item else { return false }
        return try await revocations.isStillPending(item, afterWaitingAtMost: limit)
    }

    /// Enqueues the revocation of the tokens. Returns the ID of the outbox item; `nil` if there are no
    /// tokens.
    private func enqueueRevocation(of tokens: SessionTokens?) async throws(APIFailure) -> String? {
        if let refresh = tokens?.refresh {
            return try await revocations.add(refresh.rawValue, kind: .refresh)
        }
        guard let access = tokens?.access else { return nil }
        return try await revocations.add(access.rawValue, kind: .access)
    }

    /// Ends the previous sign-in attempt.
    private func cancelAttempt() {
        attempt += 1
        offer = nil
        endings.notify()
    }
}
