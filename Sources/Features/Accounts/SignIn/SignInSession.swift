import CutieAPI
import Domain
package import EventLog
import FoundationEssentials
import Identity
import Logging
import OAuth
import Reasons
import Store

/// The session of one account and its tokens. Refreshes run one at a time, and new tokens are stored before
/// they are used. Temporary errors do not end the session.
package final class SignInSession {
    let account: Account
    let issuer: IssuerClient
    let sessionSecrets: SessionSecrets
    private let ingest: Ingest
    private let setting: StoredSetting<SessionRecord>
    private let signedInUserStore: SignedInUserStore
    let runtime: RuntimeEnvironment
    let logger: Logger
    private(set) var state = SessionState()
    private(set) var record: SessionRecord?
    private let work: UninterruptedWork
    /// The task that all requests await, for example a refresh; `nil` if none is in flight.
    private var preparation: SharedTask<Void>?
    /// Notified after a sign-in or sign-out, and when the issuer or the API changes the state.
    package let changes = ChangeSignal()
    /// Called after a sign-in or sign-out, so that the feed reconnects.
    var onChange: () -> Void = {}
    /// Called when the response to a refresh is rejected, with the refresh token to revoke.
    var onRejection: (Token<RefreshToken>) async -> Void = { _ in }

    init(of account: Account, with dependencies: AccountDependencies) throws {
        (self.account, ingest) = (account, dependencies.ingest)
        work = dependencies.taskRegistry.tasks(of: account.id).session
        signedInUserStore = SignedInUserStore(of: account, ingest: dependencies.ingest)
        let setting = StoredSetting<SessionRecord>("session", of: account.id)
        self.setting = setting
        runtime = dependencies.runtime
        var logger = dependencies.logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
        let directory = try IssuerDirectory(
            of: account, httpClient: dependencies.httpClient, store: ingest.store, runtime: runtime,
            logger: logger)
        issuer = IssuerClient(
            of: account, directory: directory, httpClient: dependencies.httpClient, runtime: runtime
        )
        sessionSecrets = SessionSecrets(
            of: account, issuer: (try? APIAddress(directory.issuer.description)) ?? account.address,
            secrets: dependencies.machine.secrets)
        record = try ingest.store.read { try $0.settings.fetchValue(of: setting) }
        if record?.issuer.map({ !directory.issuer.hasIdentifier($0) }) ?? false { record = nil }
    }

    var store: MessageStore { ingest.store }

    package func markSessionEndReported() throws { try updateRecord { $0.isTold = true } }
}

// MARK: - Loading and refreshing tokens

extension SignInSession {
    var need: SessionState.Need { state.requiredAction(at: runtime.now()) }

    func loadTokens() async throws(APIFailure) {
        try await withExclusiveAccess { () throws(APIFailure) in try await self.loadStoredTokens() }
    }

    /// Waits until a token for a request is available. All callers await the same refresh, which continues if
    /// they are cancelled: the issuer may already have replaced the refresh token.
    func ensureToken() async throws(APIFailure) {
        while need != .nothing {
            if Task.isCancelled { throw .cancelled }
            do { try await (preparation ?? startRefresh()).waitForValue() } catch let failure
                as APIFailure
            {
                throw failure
            } catch { throw .cancelled }
        }
    }

    private func startRefresh() -> SharedTask<Void> {
        let task = SharedTask { [self] in
            defer { preparation = nil }
            try await withExclusiveAccess { () throws(APIFailure) in try await self.refreshIfNeeded() }
        }
        preparation = task
        return task
    }

    /// Renews the token of `generation` after a refusal, unless another call has already done so.
    func renewToken(ofGeneration generation: Int) async throws(APIFailure) {
        state.requestRefresh(ofGeneration: generation)
        try await ensureToken()
    }

    private func refreshIfNeeded() async throws(APIFailure) {
        while true {
            switch need {
            case .nothing: return
            case .load: try await loadStoredTokens()
            case .save(let tokens): try await save(tokens)
            case .userAction(let reason): throw .unauthorized(reason)
            case .refresh(let tokens): try await refreshTokens(tokens)
            }
        }
    }

    private func loadStoredTokens() async throws(APIFailure) {
        guard state.phase == .unknown else { return }
        switch record?.state {
        case nil, .signedOut: state.restore(.signedOut)
        case .ended: state.restore(.ended(record?.endReason ?? SignInService.notSignedIn))
        case .signedIn:
            guard let subject = record?.claims?.subject,
                let tokens = try await sessionSecrets.readTokens(of: subject)
            else {
                try endSession(because: Reason(.signInLost))
                return
            }
            state.restore(.signedIn(tokens))
        }
    }

    private func save(_ tokens: SessionTokens) async throws(APIFailure) {
        guard let subject = record?.claims?.subject else { throw .unauthorized(SignInService.notSignedIn) }
        try await sessionSecrets.save(tokens, of: subject)
        state.markTokensSaved()
    }

    private func refreshTokens(_ tokens: SessionTokens) async throws(APIFailure) {
        let server = try await issuer.fetchServer()
        guard let form = makeRefreshRequest(to: server, tokens: tokens) else {
            return try endSession(because: Reason(.signInExpired))
        }
        switch try await issuer.requestTokens(with: form) {
        case .tokens(let answer, let date):
            try await verifyAndSetTokens(in: answer, at: date, replacing: tokens, from: server)
        case .refused(let refusal) where refusal.endsSession && tokens.refresh != nil:
            try endSession(because: Reason(.signInEndedByIssuer, because: .text("\(refusal.error)")))
        case .refused(let refusal):
            throw .retry(
                Reason(.issuerRefusedRefresh, because: .text("\(refusal.error)")), floor: refusal.floor,
                ambiguous: false)
        case .unusable(let reason, _): throw .retry(reason, ambiguous: false)
        case .unanswered(let reason, let floor): throw .retry(reason, floor: floor, ambiguous: false)
        }
    }

    private func makeRefreshRequest(to server: AuthorizationServer, tokens: SessionTokens) -> FormRequest? {
        if let refresh = tokens.refresh { return server.refreshRequest(refreshToken: refresh) }
        return method == .client ? server.clientCredentialsRequest(scope: Scope(record?.scope ?? [])) : nil
    }

    /// Verifies and sets refreshed tokens. A new ID token must pass the same checks as the first ID token and
    /// name the
    /// same user and issuer. Otherwise the session ends: the issuer may have invalidated the previous refresh
    /// token, so a retry is not possible. The signature is not verified, because only the user and the issuer
    /// are compared, and the new refresh token could be lost while the keys are fetched.
    private func verifyAndSetTokens(
        in response: TokenResponse, at date: Timestamp, replacing former: SessionTokens,
        from server: AuthorizationServer
    ) async throws(APIFailure) {
        if let claims = record?.claims, method != .client {
            do {
                let token = try await issuer.verifyIDToken(
                    in: response, at: date, from: server, nonce: nil, verifiesSignature: false)
                try token?.checkContinuity(withSignInClaims: claims, signInIssuer: record?.statedIssuer)
            } catch {
                if let refresh = response.refreshToken ?? former.refresh { await onRejection(refresh) }
                return try endSession(because: Reason(.signInChanged, because: Reason(describing: error)))
            }
        }
        state.setTokens(
            SessionTokens(
                response, at: runtime.now(), replacing: former, requestedScope: Scope(record?.scope ?? [])))
    }

    /// Runs `body` while no other change of the session is in progress. `body` continues if the caller is
    /// cancelled.
    func withExclusiveAccess<Value>(
        _ body: @escaping () async throws(APIFailure) -> Value
    ) async throws(APIFailure) -> Value {
        try await work.runAPICall(body)
    }
}

// MARK: - Changes by the user, the issuer and the API
//
// Each change adds an entry to the log.

extension SignInSession {
    /// Starts a session after a sign-in: stores the tokens and the claims. If another user was signed in
    /// before, deletes the tokens of the previous user.
    func beginSession(
        with response: TokenResponse, claims: Claims, idTokenIssuer: String?, method: SignInMethod,
        requestedScope: Scope
    ) async throws(APIFailure) {
        try await withExclusiveAccess { () throws(APIFailure) in
            let tokens = SessionTokens(
                response, at: self.runtime.now(), replacing: nil, requestedScope: requestedScope)
            let former = self.record?.claims?.subject
            try await self.sessionSecrets.save(tokens, of: claims.subject)
            if let former, former != claims.subject { try await self.sessionSecrets.deleteTokens(of: former) }
            let record = SessionRecord(
                state: .signedIn, claims: claims, method: method.rawValue,
                issuer: self.issuer.directory.issuer.description, statedIssuer: idTokenIssuer,
                scope: tokens.scope.names)
            try self.writeRecord(record, logging: .accountAuthenticated, reason: nil)
            self.state.clearRefusal()
            self.state.setTokens(tokens)
            self.state.markTokensSaved()
        }
        logger.notice("signed in", metadata: ["method": "\(method.rawValue)"])
        onChange()
    }

    /// Stores the user's changed profile.
    func updateClaims(_ claims: Claims) throws { try updateRecord { $0.claims = claims } }

    /// Deletes the session. The caller must revoke the tokens at the issuer.
    func deleteSession() async throws(APIFailure) {
        let subject = record?.claims?.subject
        try writeRecord(
            SessionRecord(state: .signedOut), logging: .accountUnauthenticated, reason: Reason(.signedOut))
        state.signOut()
        if let subject { try await sessionSecrets.deleteTokens(of: subject) }
        onChange()
    }

    private func endSession(because reason: Reason) throws(APIFailure) {
        var record = record ?? SessionRecord(state: .ended)
        (record.state, record.endReason, record.isTold) = (.ended, reason, false)
        try writeRecord(record, logging: .accountUnauthenticated, reason: reason)
        state.restore(.ended(reason))
        state.end(because: reason)
        logger.warning("the sign-in has ended", metadata: ["reason": "\(reason)"])
    }

    /// Records that the API refused a token that the issuer had just issued.
    func recordRefusal(_ reason: Reason) {
        guard state.refusal == nil else { return }
        state.recordRefusal(reason)
        guard var record else { return }
        record.isTold = false
        do throws(APIFailure) {
            try writeRecord(record, logging: .accountUnauthenticated, reason: reason)
        } catch {
            logger.error(
                "the end of a sign-in could not be written to the log",
                metadata: ["reason": "\(error.sentence)"])
        }
    }

    /// Records that the API accepted a request with the tokens of `generation`. If the API had refused the
    /// account, reports the account as authenticated again.
    func recordAcceptance(ofGeneration generation: Int) {
        state.recordAcceptance(ofGeneration: generation)
        guard state.refusal != nil, var record else { return }
        state.clearRefusal()
        record.isTold = true
        do throws(APIFailure) { try writeRecord(record, logging: .accountAuthenticated, reason: nil) } catch {
            logger.error(
                "a sign-in could not be written to the log", metadata: ["reason": "\(error.sentence)"])
        }
    }

    private func updateRecord(_ body: (inout SessionRecord) -> Void) throws {
        guard var record else { return }
        body(&record)
        try signedInUserStore.setSignedInUser(record.signedInUser) {
            try $0.transaction.settings.setValue(of: setting, to: record)
        }
        self.record = record
        changes.notify()
    }

    private func writeRecord(
        _ record: SessionRecord, logging kind: LogEntry.Kind, reason: Reason?
    ) throws(APIFailure) {
        do {
            let details = try reason.map { try JSON.encode(StoredReason($0)) } ?? Array("{}".utf8)
            let data = String(decoding: details, as: UTF8.self)
            try signedInUserStore.setSignedInUser(record.signedInUser) { change in
                try change.transaction.settings.setValue(of: setting, to: record)
                _ = try change.log(kind, data: data)
            }
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .retry(
                Reason(.signInNotStored, reasons: ["message": Reason(describing: error)]), ambiguous: false)
        }
        self.record = record
        changes.notify()
    }
}
