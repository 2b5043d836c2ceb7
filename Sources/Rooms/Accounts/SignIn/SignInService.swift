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
    private var attempt = 0
    /// How the sign-in in the browser ended, for who waits.
    private var ending: Result<Void, SignInFailure>?
    private let endings = Signal()
    /// nil: none is under way, or an earlier run's was not looked for.
    private var pending: PendingAuthorization?

    init(of account: Account, with dependencies: AccountDependencies) throws {
        session = try SignInSession(of: account, with: dependencies)
        revocations = Revocations(of: session, ingest: dependencies.ingest)
        authorizer = BearerAuthorizer(of: account, session: session, revocations: revocations)
    }

    private var account: Account { session.account }
    private var surroundings: Surroundings { session.surroundings }

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
        attempt += 1
        let mine = attempt
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

    private func sentence(on method: SignInMethod?, _ offered: [SignInMethod]) -> String {
        let others = offered.map(\.rawValue).joined(separator: ", ")
        let what =
            method.map { "the issuer does not offer the method \($0.rawValue)" } ?? "nobody can sign in there"
        return offered.isEmpty
            ? "\(what); with a client's secret in client_secret_file a machine could"
            : "\(what); it offers: \(others)"
    }

    private func scope(at server: AuthorizationServer) -> Scope {
        if let names = account.configuration.signIn.scopes { return Scope(names) }
        let isStaff = if case .staff = account.kind { true } else { false }
        return .usual(forSupport: isStaff, offered: server.metadata.scopesSupported)
    }

    private func begin(
        _ answer: TokenAnswer, at date: Timestamp, from server: AuthorizationServer, by method: SignInMethod,
        _ scope: Scope, nonce: String?
    ) async throws {
        let claims: Claims
        if method == .client {
            claims = Claims(subject: server.clientID)
        } else {
            claims = try await self.claims(answer, at: date, from: server, nonce: nonce)
        }
        try await session.begin(answer, claims: claims, by: method, asked: scope)
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

    private func tokens(by form: FormRequest) async throws -> (TokenAnswer, Timestamp) {
        switch try await session.issuer.tokens(by: form) {
        case .tokens(let answer, let date): return (answer, date)
        case .refused(let error): throw SignInFailure.refused(error)
        case .unanswered(let reason, _): throw APIFailure.retry(reason, ambiguous: false)
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

/// In this desktop's browser, which comes back with a redirect.
extension SignInService {
    private func byBrowser(
        _ server: AuthorizationServer, _ scope: Scope, _ hint: String?, _ isNew: Bool, _ mine: Int,
        _ tell: (Step) async throws -> Void
    ) async throws {
        // Cuti-E's own server knows the address that the apps have.
        let isCutiE = account.configuration.signIn.issuer == nil
        let pending = PendingAuthorization(
            redirect: isCutiE ? PendingAuthorization.cutiERedirect : PendingAuthorization.usualRedirect,
            at: surroundings.now(), random: SignInProof.randomBytes(3 * ProofKey.randomBytes))
        guard
            let page = server.authorizationPage(
                pending, scope, hint: hint, isNew: isNew, sha256: SignInProof.sha256)
        else { throw SignInFailure.notOffered(sentence(on: .browser, server.methods)) }
        // The daemon may be another one when the person comes back.
        try await session.vault.keep(pending: pending)
        (self.pending, ending) = (pending, nil)
        try await tell(.page(page))
        let end: Result<Void, SignInFailure>? =
            try await surroundings.within(PendingAuthorization.life) {
                while self.ending == nil, mine == self.attempt {
                    try await self.endings.wait(past: self.endings.count)
                }
                return self.ending
            } ?? nil
        guard mine == attempt else { throw SignInFailure.superseded }
        guard let end else { throw SignInFailure.expired }
        try end.get()
    }

    /// The sign-in that is under way here; an earlier run may have begun it.
    private func awaited() async throws(APIFailure) -> PendingAuthorization? {
        if let pending { return pending }
        pending = try await session.vault.pending()
        return pending
    }

    /// Whether a redirect is of the sign-in that is under way here.
    package func awaits(_ redirect: Redirect) async throws -> Bool {
        try await awaited()?.state == redirect.state
    }

    /// The browser came back. Throws `Redirect.Refusal` where that has no effect.
    package func complete(_ redirect: Redirect) async throws {
        guard let pending = try await awaited() else { throw Redirect.Refusal.late }
        let server = try await session.issuer.server()
        let outcome = try redirect.outcome(for: pending, of: server.metadata, at: surroundings.now())
        // A second one, of whoever, finds none.
        self.pending = nil
        try await session.vault.keep(pending: nil)
        do {
            switch outcome {
            case .error(let error) where error.code == .accessDenied: throw SignInFailure.denied
            case .error(let error): throw SignInFailure.refused(error)
            case .code(let code): try await redeem(code, pending, server)
            }
            end(.success(()))
        } catch {
            end(.failure(error as? SignInFailure ?? .failed(SignInFailure.sentence(of: error))))
            throw error
        }
    }

    private func redeem(
        _ code: Token<AuthorizationCode>, _ pending: PendingAuthorization, _ server: AuthorizationServer
    ) async throws {
        let form = server.redeeming(code: code, redirect: pending.redirect, proof: pending.proof)
        var backoff = Backoff()
        for _ in 1...Self.mostTries {
            do {
                let (answer, date) = try await tokens(by: form)
                let scope = scope(at: server)
                return try await begin(
                    answer, at: date, from: server, by: .browser, scope,
                    nonce: scope.contains("openid") ? pending.nonce : nil)
            } catch APIFailure.retry(_, let floor, _) {
                try await surroundings.sleep(backoff.next(random: surroundings.random(), floor: floor))
            }
        }
        throw APIFailure.retry("the issuer does not answer; sign in again", ambiguous: false)
    }

    /// A code does not live longer than a few of them.
    private static let mostTries = 4

    private func end(_ result: Result<Void, SignInFailure>) {
        ending = result
        endings.notify()
    }
}

/// Signing out.
extension SignInService {
    /// What a sign-out takes back, for `--dry-run`.
    package var belongings: [String] {
        guard let claims = session.claims else { return [] }
        return ["the sign-in of \(claims.email ?? claims.name ?? claims.subject)"]
    }

    /// Everything is forgotten at once. True where the issuer still has to hear of it; that is in the outbox.
    package func signOut(within limit: Duration) async throws -> Bool {
        do { try await session.load() } catch {
            // A keyring that does not answer keeps a token: it ends by itself.
            if case .cancelled = error { throw error }
        }
        attempt += 1
        endings.notify()
        let tokens = session.state.tokens
        var item: String?
        if let refresh = tokens?.refresh {
            item = try await revocations.add(refresh.rawValue, .refresh)
        } else if let access = tokens?.access {
            item = try await revocations.add(access.rawValue, .access)
        }
        pending = nil
        try await session.vault.keep(pending: nil)
        try await session.forget()
        guard let item else { return false }
        return try await revocations.waits(item, within: limit)
    }
}

/// Why nobody is signed in after a sign-in.
package enum SignInFailure: Error, Equatable {
    case denied
    case expired
    case notOffered(String)
    case refused(OAuthError)
    /// The issuer does not say who it is.
    case unknownPerson
    case superseded
    case failed(String)

    package var sentence: String {
        switch self {
        case .denied: "the sign-in was refused on the issuer's page"
        case .expired: "the time to sign in is over; run `cutied ctl signin` again"
        case .notOffered(let sentence), .failed(let sentence): sentence
        case .refused(let error): "the issuer refuses the sign-in: \(error)"
        case .unknownPerson:
            "the issuer does not say who signed in; it has to give an ID token or answer at its userinfo endpoint"
        case .superseded: "another sign-in was begun meanwhile, or somebody signed out"
        }
    }

    /// In words for a person, whatever it was.
    package static func sentence(of error: any Error) -> String {
        (error as? SignInFailure)?.sentence ?? (error as? APIFailure)?.sentence ?? "\(error)"
    }
}
