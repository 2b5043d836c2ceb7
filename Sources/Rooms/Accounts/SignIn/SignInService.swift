import Config
package import CutieAPI
import FoundationEssentials
import Identity
import Inbox
import Log
import Logging
package import OAuth

/// Somebody signs in to one account, and out: in one of three ways, one sign-in at a time.
package final class SignInService {
    package let session: SignInSession
    let authorizer: any Authorizer
    private let revocations: Revocations
    private let work: UninterruptedWork
    /// The last that began; what belongs to an earlier one is over.
    var attempt = 0
    /// How the sign-in in the browser ended, for who waits.
    var ending: Result<Void, SignInFailure>?
    let endings = Signal()
    /// The code that is to be compared now.
    package internal(set) var offer: Offer? {
        didSet { session.changes.notify() }
    }
    /// nil: none is under way, or an earlier run's was not looked for.
    var pending: PendingAuthorization?
    /// The `state` of the redirect that was accepted last: its code counts once.
    var acceptedState: String?

    init(of account: Account, with dependencies: AccountDependencies) throws {
        session = try SignInSession(of: account, with: dependencies)
        let works = dependencies.works.work(of: account.id)
        work = works.exchanges
        revocations = Revocations(of: session, ingest: dependencies.ingest, work: works.revocations)
        authorizer = BearerAuthorizer(of: account, session: session, revocations: revocations)
    }

    var account: Account { session.account }
    var surroundings: Surroundings { session.surroundings }

    /// A code that is to be compared on that page, on any device.
    package struct Offer: Hashable {
        package let code: String
        package let page: String
        /// The page with the code in it, where the issuer has one.
        package let link: String

        init(_ authorization: DeviceAuthorization) {
            code = authorization.userCode
            page = authorization.verificationURI.description
            link = authorization.completeURI?.description ?? page
        }
    }

    /// What the person has to do.
    package enum Step {
        /// Compare the code on that page, on any device, until it expires.
        case code(DeviceAuthorization, until: Timestamp)
        /// Sign in on that page, in this desktop's browser.
        case page(String)
    }

    /// Returns once somebody is signed in. `tell`: gets what the person has to do. `method`: nil is the best that the
    /// issuer offers. `isNew`: the person wants an account there first.
    package func run(
        by method: SignInMethod?, hint: String?, isNew: Bool, tell: (Step) async throws -> Void
    ) async throws {
        supersede()
        let mine = attempt
        // Who is signed in already is signed out there, once somebody else is.
        try? await session.load()
        let server = try await session.issuer.server()
        guard let method = method ?? server.methods.first, server.methods.contains(method) else {
            throw SignInFailure.notOffered(sentence(on: method, server.methods))
        }
        let scope = scope(at: server)
        switch method {
        case .device: try await byDevice(server, scope, hint, mine, tell)
        case .browser: try await byBrowser(server, scope, hint, isNew, mine, tell)
        case .client:
            // What a machine may do is its client's: asked for a person's scopes, the issuer refuses it.
            let scope = Scope(account.configuration.signIn.scopes ?? [])
            try await exchanging { [self] in
                let (answer, date) = try await tokens(by: server.clientCredentials(scope))
                let request = Exchange(server: server, method: .client, scope: scope, attempt: mine)
                try await begin(answer, at: date, for: request)
            }
        }
    }

    /// Runs the exchange of a code for tokens, with all that follows. The exchange goes on when the caller is cancelled:
    /// the code counts once, and tokens that are lost would live on at the issuer.
    func exchanging<Value>(_ body: @escaping () async throws -> Value) async throws -> Value {
        try await work.run(body)
    }

    /// The request that tokens answer.
    struct Exchange {
        let server: AuthorizationServer
        let method: SignInMethod
        let scope: Scope
        var nonce: String?
        let attempt: Int
    }

    func sentence(on method: SignInMethod?, _ offered: [SignInMethod]) -> String {
        let others = offered.map(\.rawValue).joined(separator: ", ")
        let what =
            method.map { "the issuer does not offer the method \($0.rawValue)" } ?? "nobody can sign in there"
        return offered.isEmpty
            ? "\(what); with a client's secret in client_secret_file a machine could"
            : "\(what); it offers: \(others)"
    }

    func scope(at server: AuthorizationServer) -> Scope {
        if let names = account.configuration.signIn.scopes { return Scope(names) }
        let isStaff = if case .staff = account.kind { true } else { false }
        return .usual(forSupport: isStaff, offered: server.metadata.scopesSupported)
    }

    /// Signs the person in whom `answer` is about. Tokens that are not used are revoked.
    func begin(_ answer: TokenAnswer, at date: Timestamp, for exchange: Exchange) async throws {
        let former = session.state.tokens
        do {
            let claims =
                exchange.method == .client
                ? Claims(subject: exchange.server.clientID)
                : try await self.claims(answer, at: date, for: exchange)
            guard exchange.attempt == attempt else { throw SignInFailure.superseded }
            try await session.begin(answer, claims: claims, by: exchange.method, asked: exchange.scope)
        } catch {
            if let refresh = answer.refreshToken { try? await revoke(refresh) }
            throw error
        }
        if let refresh = former?.refresh, refresh != answer.refreshToken { try await revoke(refresh) }
    }

    private func revoke(_ refresh: Token<RefreshToken>) async throws {
        _ = try await revocations.add(refresh.rawValue, .refresh)
    }

    /// Returns the claims of the ID token and of the userinfo endpoint.
    private func claims(
        _ answer: TokenAnswer, at date: Timestamp, for exchange: Exchange
    ) async throws -> Claims {
        let server = exchange.server
        var claims = try await session.issuer.claims(
            of: answer, at: date, from: server, nonce: exchange.nonce, verifying: true)
        if claims == nil, (answer.scope ?? exchange.scope).contains("openid") {
            throw IDToken.Problem.missing
        }
        if let endpoint = server.metadata.userinfoEndpoint,
            let more = try await session.issuer.userinfo(at: endpoint, answer.accessToken)
        {
            claims = try claims?.adding(more) ?? more
        }
        guard let claims else { throw SignInFailure.unknownPerson }
        return claims
    }

    func tokens(by form: FormRequest) async throws -> (TokenAnswer, Timestamp) {
        switch try await session.issuer.tokens(by: form) {
        case .tokens(let answer, let date): return (answer, date)
        // An `invalid_grant` says that the code is used up, whatever the status.
        case .refused(let refusal) where refusal.isTemporary && refusal.error.code != .invalidGrant:
            throw APIFailure.retry(
                "the issuer answered \(refusal.error)", floor: refusal.floor, ambiguous: false)
        case .refused(let refusal): throw SignInFailure.refused(refusal.error)
        case .unusable(let reason, _): throw SignInFailure.failed("\(reason); sign in again")
        case .unanswered(let reason, let floor):
            throw APIFailure.retry(reason, floor: floor, ambiguous: false)
        }
    }

    /// What the issuer says to a service about the person.
    package enum Introduction {
        case assertion(PersonAssertion)
        /// It does not know the service, or does not do that.
        case refused(String)
    }

    /// Has the issuer tell the service at that token endpoint who the person is: RFC 8693. Throws where nobody is
    /// signed in or the issuer does not answer.
    package func introduction(to audience: EndpointURL) async throws(APIFailure) -> Introduction {
        try await session.prepare()
        guard let token = session.state.tokens?.access else { throw .unauthorized(SessionState.nobody) }
        let server = try await session.issuer.server()
        switch try await session.issuer.send(server.exchanging(token, for: audience)) {
        case .body(let body, _):
            do { return .assertion(try PersonAssertion(json: body)) } catch {
                return .refused("the issuer's assertion is unreadable: \(error)")
            }
        case .refused(let refusal) where refusal.isTemporary:
            throw .retry("the issuer answered \(refusal.error)", floor: refusal.floor, ambiguous: false)
        case .refused(let refusal): return .refused("\(refusal.error)")
        case .unanswered(let reason, let floor): throw .retry(reason, floor: floor, ambiguous: false)
        }
    }

    /// Asks the issuer again who the person is.
    package func refreshProfile() async throws {
        try await session.prepare()
        let metadata = try await session.issuer.server().metadata
        guard let endpoint = metadata.userinfoEndpoint, let token = session.state.tokens?.access,
            let claims = session.claims
        else { return }
        guard let more = try await session.issuer.userinfo(at: endpoint, token) else {
            throw APIFailure.retry("the issuer does not say who signed in", ambiguous: false)
        }
        try session.describe(try claims.adding(more))
    }
}

/// Signing out.
extension SignInService {
    /// The issuer is not to hear of it any more: the person took the item out of the outbox.
    package func forgetRevocation(_ item: String) async throws {
        try await session.vault.forget(revoking: item)
    }

    /// What a sign-out takes back, for `--dry-run`.
    package var belongings: [String] {
        guard let claims = session.claims else { return [] }
        return ["the sign-in of \(claims.email ?? claims.name ?? claims.subject)"]
    }

    /// Everything is forgotten at once. True where the issuer still has to hear of it; that is in the outbox.
    package func signOut(within limit: Duration) async throws -> Bool {
        supersede()
        do { try await session.load() } catch {
            // A keyring that does not answer keeps a token: it ends by itself.
            if case .cancelled = error { throw error }
        }
        // A refresh in flight would bring tokens that are never revoked; stopped half-way, the session would go on with
        // tokens that are being revoked.
        let item = try await session.exclusively { [self] () throws(APIFailure) in
            let item = try await giveBack(session.state.tokens)
            pending = nil
            try await session.vault.keep(pending: nil)
            try await session.forget()
            return item
        }
        guard let item else { return false }
        return try await revocations.waits(item, within: limit)
    }

    /// Has the issuer take back what it gave; the item of the outbox that says so.
    private func giveBack(_ tokens: SessionTokens?) async throws(APIFailure) -> String? {
        if let refresh = tokens?.refresh { return try await revocations.add(refresh.rawValue, .refresh) }
        guard let access = tokens?.access else { return nil }
        return try await revocations.add(access.rawValue, .access)
    }

    /// Ends what was begun before.
    private func supersede() {
        attempt += 1
        offer = nil
        endings.notify()
    }
}
