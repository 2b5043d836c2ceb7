package import ControlAPI
package import CutieAPI
import FoundationEssentials
import Identity
package import Log
import Logging
package import OAuth
import Store

/// Who signed in to one account, and the tokens that say so. One refresh at a time; what is new is kept before it is
/// used; only the issuer's `invalid_grant` ends it.
package final class SignInSession {
    let account: Account
    let issuer: IssuerClient
    let vault: SessionVault
    private let ingest: Ingest
    private let setting: Setting<SessionRecord>
    private let speakers: SpeakerBook
    let surroundings: Surroundings
    let logger: Logger
    private(set) var state = SessionState()
    private(set) var record: SessionRecord?
    private let mutex = AsyncMutex()
    /// Moves when somebody signs in or out, or the issuer or the API says otherwise.
    package let changes = Signal()
    /// Called when another person's tokens, or none, are in use: the connection begins anew.
    var onChange: () -> Void = {}

    init(of account: Account, with dependencies: AccountDependencies) throws {
        (self.account, ingest) = (account, dependencies.ingest)
        speakers = SpeakerBook(of: account, ingest: dependencies.ingest)
        let setting = Setting<SessionRecord>("session", of: account.id)
        self.setting = setting
        surroundings = dependencies.surroundings
        var logger = dependencies.logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
        let directory = try IssuerDirectory(
            of: account, transport: dependencies.transport, store: ingest.store, surroundings: surroundings,
            logger: logger)
        issuer = IssuerClient(
            of: account, directory: directory, transport: dependencies.transport, surroundings: surroundings)
        vault = SessionVault(
            of: account, issuer: (try? APIAddress(directory.issuer.description)) ?? account.address,
            secrets: dependencies.machine.secrets)
        record = try ingest.store.read { try $0.settings.value(of: setting) }
        if record?.issuer.map({ !directory.issuer.names($0) }) ?? false { record = nil }
    }

    var store: Store { ingest.store }

    /// As far as is known without asking.
    package var authentication: Authentication {
        if state.refusal != nil { return .unauthenticated }
        return switch record?.state {
        case .signedIn: .authenticated
        case .ended, .signedOut: .unauthenticated
        // Nobody ever signed in.
        case nil: .unauthenticated
        }
    }

    /// Who signed in; also when the issuer ended it since.
    package var claims: Claims? { record?.state == .signedOut ? nil : record?.claims }
    package var scope: Scope { Scope(authentication == .authenticated ? record?.scope ?? [] : []) }
    package var method: SignInMethod? { record?.method.flatMap(SignInMethod.init(rawValue:)) }

    package var issuerName: String { issuer.directory.issuer.description }
    /// As far as the issuer said.
    package var accountPages: IssuerMetadata.AccountPages? { issuer.directory.cached?.accountPages }

    /// Why the person has to sign in; nil where they have not.
    package var obstacle: String? {
        if let refusal = state.refusal { return refusal }
        return switch record?.state {
        case .signedIn: nil
        case .ended: record?.reason ?? SessionState.nobody
        case .signedOut, nil: SessionState.nobody
        }
    }

    /// What is written waits for the person to sign in again: they did once, and did not sign out.
    package var takesWords: Bool { record.map { $0.state != .signedOut } ?? false }

    /// When the access token ends, as far as is known.
    package var expiresAt: Timestamp? {
        state.tokens.flatMap { tokens in tokens.life.lifetime.map { tokens.life.receivedAt + $0 } }
    }

    /// It ended by itself and the person has not heard so.
    package var isToBeTold: Bool { record.map { !$0.isTold } ?? false }

    /// The issuer or the API ended it.
    package var hasEnded: Bool { state.refusal != nil || record?.state == .ended }

    package func setTold() throws { try change { $0.isTold = true } }
}

/// The tokens.
extension SignInSession {
    var need: SessionState.Need { state.need(at: surroundings.now()) }

    func load() async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in try await self.find() }
    }

    /// Makes ready what a request carries.
    func prepare() async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in try await self.fulfil() }
    }

    /// A request of that generation was refused. Returns once another token is there.
    func renew(_ generation: Int) async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in
            self.state.doubt(generation)
            try await self.fulfil()
        }
    }

    private func fulfil() async throws(APIFailure) {
        while true {
            switch need {
            case .nothing: return
            case .load: try await find()
            case .keep(let tokens): try await keep(tokens)
            case .person(let reason): throw .unauthorized(reason)
            case .refresh(let tokens): try await refresh(tokens)
            }
        }
    }

    private func find() async throws(APIFailure) {
        guard state.phase == .unknown else { return }
        switch record?.state {
        case nil, .signedOut: state.find(.signedOut)
        case .ended: state.find(.ended(record?.reason ?? SessionState.nobody))
        case .signedIn:
            guard let subject = record?.claims?.subject, let tokens = try await vault.tokens(of: subject)
            else {
                try end(because: "the sign-in was lost; run `cutied ctl signin`")
                return
            }
            state.find(.signedIn(tokens))
        }
    }

    private func keep(_ tokens: SessionTokens) async throws(APIFailure) {
        guard let subject = record?.claims?.subject else { throw .unauthorized(SessionState.nobody) }
        try await vault.keep(tokens, of: subject)
        state.kept()
    }

    private func refresh(_ tokens: SessionTokens) async throws(APIFailure) {
        let server = try await issuer.server()
        guard let form = form(to: server, tokens) else {
            return try end(because: "the sign-in has run out; run `cutied ctl signin`")
        }
        switch try await issuer.tokens(by: form) {
        case .tokens(let answer, let date): try accept(answer, at: date, after: tokens, from: server)
        case .refused(let error) where error.code == .invalidGrant && tokens.refresh != nil:
            try end(because: "the issuer ended the sign-in (\(error)); run `cutied ctl signin`")
        case .refused(let error):
            throw .retry("the issuer does not refresh the sign-in: \(error)", ambiguous: false)
        case .unanswered(let reason, let floor): throw .retry(reason, floor: floor, ambiguous: false)
        }
    }

    private func form(to server: AuthorizationServer, _ tokens: SessionTokens) -> FormRequest? {
        if let refresh = tokens.refresh { return server.refreshing(refresh) }
        return method == .client ? server.clientCredentials(Scope(record?.scope ?? [])) : nil
    }

    /// A refreshed ID token is about the same person, from the same issuer.
    private func accept(
        _ answer: TokenAnswer, at date: Timestamp, after former: SessionTokens,
        from server: AuthorizationServer
    ) throws(APIFailure) {
        if let text = answer.idToken?.rawValue, let claims = record?.claims {
            do {
                let token = try IDToken(text)
                try token.check(
                    issuer: server.metadata.issuer, clientID: server.clientID, nonce: nil, now: date)
                _ = try claims.adding(token.claims)
            } catch { throw .retry("\(error)", ambiguous: false) }
        }
        state.receive(
            SessionTokens(answer, at: surroundings.now(), after: former, asked: Scope(record?.scope ?? [])))
    }

    func withLock(_ body: () async throws(APIFailure) -> Void) async throws(APIFailure) {
        do { try await mutex.lock() } catch { throw .cancelled }
        defer { mutex.unlock() }
        try await body()
    }
}

/// What the person, the issuer and the API do to it. Each change is an entry of the log.
extension SignInSession {
    /// Somebody has signed in.
    func begin(
        _ answer: TokenAnswer, claims: Claims, by method: SignInMethod, asked: Scope
    ) async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in
            let tokens = SessionTokens(answer, at: self.surroundings.now(), after: nil, asked: asked)
            let former = self.record?.claims?.subject
            try await self.vault.keep(tokens, of: claims.subject)
            if let former, former != claims.subject { try await self.vault.forget(former) }
            let record = SessionRecord(
                state: .signedIn, claims: claims, method: method.rawValue,
                issuer: self.issuer.directory.issuer.description, scope: tokens.scope.names)
            try self.write(record, .accountAuthenticated, because: nil)
            self.state.accepted()
            self.state.receive(tokens)
            self.state.kept()
        }
        logger.notice("signed in", metadata: ["method": "\(method.rawValue)"])
        onChange()
    }

    /// What the issuer says of the person is another thing by now.
    func describe(_ claims: Claims) throws { try change { $0.claims = claims } }

    /// Forgets all of it; what the issuer is to revoke is the caller's.
    func forget() async throws(APIFailure) {
        let subject = record?.claims?.subject
        try write(SessionRecord(state: .signedOut), .accountUnauthenticated, because: "signed out")
        state.signOut()
        if let subject { try await vault.forget(subject) }
        onChange()
    }

    private func end(because reason: String) throws(APIFailure) {
        var record = record ?? SessionRecord(state: .ended)
        (record.state, record.reason, record.isTold) = (.ended, reason, false)
        try write(record, .accountUnauthenticated, because: reason)
        state.find(.ended(reason))
        state.end(reason)
        logger.warning("the sign-in has ended", metadata: ["reason": "\(reason)"])
    }

    /// The API refused a token that the issuer had just given.
    func refused(_ reason: String) {
        guard state.refusal == nil else { return }
        let sentence = "\(reason); run `cutied ctl signin`"
        state.refuse(sentence)
        guard var record else { return }
        record.isTold = false
        do throws(APIFailure) { try write(record, .accountUnauthenticated, because: sentence) } catch {
            logger.error("a refusal is not in the log", metadata: ["reason": "\(error.sentence)"])
        }
    }

    /// The API took a request.
    func accepted() {
        guard state.refusal != nil, var record else { return }
        state.accepted()
        record.isTold = true
        do throws(APIFailure) { try write(record, .accountAuthenticated, because: nil) } catch {
            logger.error("a sign-in is not in the log", metadata: ["reason": "\(error.sentence)"])
        }
    }

    private func change(_ body: (inout SessionRecord) -> Void) throws {
        guard var record else { return }
        body(&record)
        try speakers.recognise(record.speaker) { try $0.transaction.settings.set(setting, to: record) }
        self.record = record
        changes.notify()
    }

    private func write(
        _ record: SessionRecord, _ kind: LogEntry.Kind, because reason: String?
    ) throws(APIFailure) {
        do {
            let details = reason.map { ["reason": $0] } ?? [:]
            let data = String(decoding: try JSON.encode(details), as: UTF8.self)
            try speakers.recognise(record.speaker) { change in
                try change.transaction.settings.set(setting, to: record)
                _ = try change.log(kind, data: data)
            }
        } catch is CancellationError {
            throw .cancelled
        } catch { throw .retry("the sign-in cannot be written down: \(error)", ambiguous: false) }
        self.record = record
        changes.notify()
    }
}
