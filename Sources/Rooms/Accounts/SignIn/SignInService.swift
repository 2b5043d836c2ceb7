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
    /// The last that began; what belongs to an earlier one is over.
    var attempt = 0
    /// How the sign-in in the browser ended, for who waits.
    var ending: Result<Void, SignInFailure>?
    let endings = Signal()
    /// The code that is to be compared now.
    package private(set) var offer: Offer? {
        didSet { session.changes.notify() }
    }
    /// nil: none is under way, or an earlier run's was not looked for.
    var pending: PendingAuthorization?

    init(of account: Account, with dependencies: AccountDependencies) throws {
        session = try SignInSession(of: account, with: dependencies)
        revocations = Revocations(of: session, ingest: dependencies.ingest)
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
            let answer = try await tokens(by: server.clientCredentials(scope))
            try await begin(answer.0, at: answer.1, from: server, by: .client, scope, nonce: nil)
        }
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

    func begin(
        _ answer: TokenAnswer, at date: Timestamp, from server: AuthorizationServer, by method: SignInMethod,
        _ scope: Scope, nonce: String?
    ) async throws {
        let claims: Claims
        if method == .client {
            claims = Claims(subject: server.clientID)
        } else {
            claims = try await self.claims(answer, at: date, from: server, nonce: nonce)
        }
        let former = session.state.tokens
        try await session.begin(answer, claims: claims, by: method, asked: scope)
        try await revoke(former, unless: answer)
    }

    /// What an earlier sign-in left at the issuer is good for nothing any more.
    private func revoke(_ former: SessionTokens?, unless answer: TokenAnswer) async throws {
        guard let refresh = former?.refresh, refresh != answer.refreshToken else { return }
        _ = try await revocations.add(refresh.rawValue, .refresh)
    }

    /// What the ID token says, and what the issuer says besides.
    private func claims(
        _ answer: TokenAnswer, at date: Timestamp, from server: AuthorizationServer, nonce: String?
    ) async throws -> Claims {
        var claims: Claims?
        if let text = answer.idToken?.rawValue {
            let token = try IDToken(text)
            try token.check(
                issuer: server.metadata.issuer, clientID: server.clientID, nonce: nonce, now: date)
            claims = token.claims
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
        case .refused(let error): throw SignInFailure.refused(error)
        case .unanswered(let reason, _): throw APIFailure.retry(reason, ambiguous: false)
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
        case .refused(let error): return .refused("\(error)")
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

/// With a code, on any device: RFC 8628.
extension SignInService {
    private func byDevice(
        _ server: AuthorizationServer, _ scope: Scope, _ hint: String?, _ mine: Int,
        _ tell: (Step) async throws -> Void
    ) async throws {
        guard let form = server.deviceAuthorization(scope, hint: hint) else { return }
        let authorization: DeviceAuthorization
        switch try await session.issuer.send(form) {
        case .body(let body, _): authorization = try DeviceAuthorization(json: body)
        case .refused(let error): throw SignInFailure.refused(error)
        case .unanswered(let reason, _): throw APIFailure.retry(reason, ambiguous: false)
        }
        var polling = DevicePolling(authorization, now: surroundings.uptime)
        offer = Offer(authorization)
        defer { if mine == attempt { offer = nil } }
        try await tell(.code(authorization, until: surroundings.now() + .seconds(authorization.expiresIn)))
        var action = polling.first(now: surroundings.uptime)
        var date = surroundings.now()
        while true {
            switch action {
            case .wait(let wait):
                try await surroundings.sleep(wait)
                guard mine == attempt else { throw SignInFailure.superseded }
                action = polling.next(.waited, now: surroundings.uptime)
            case .ask:
                let (input, at) = try await answer(to: server.redeeming(deviceCode: authorization.deviceCode))
                date = at ?? date
                action = polling.next(input, now: surroundings.uptime)
            case .succeed(let answer):
                return try await begin(answer, at: date, from: server, by: .device, scope, nonce: nil)
            case .fail(.expired): throw SignInFailure.expired
            case .fail(.denied): throw SignInFailure.denied
            case .fail(.refused(let error)): throw SignInFailure.refused(error)
            }
        }
    }

    private func answer(to form: FormRequest) async throws -> (DevicePolling.Input, Timestamp?) {
        switch try await session.issuer.tokens(by: form) {
        case .tokens(let answer, let date): (.answered(answer), date)
        case .refused(let error): (.refused(error), nil)
        case .unanswered(_, let floor): (.unanswered(floor: floor), nil)
        }
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
        var item: String?
        // A refresh on its way would bring tokens that nobody knows of.
        try await session.withLock { () throws(APIFailure) in
            item = try await self.giveBack(self.session.state.tokens)
            self.pending = nil
            try await self.session.vault.keep(pending: nil)
            try await self.session.forget()
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
