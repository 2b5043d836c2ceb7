import Config
import CutieAPI
import EventLog
import FeedPolicy
import Identity
package import OAuth
import Reasons

// MARK: - Sign-in with the browser of this desktop

extension SignInService {
    func signInWithBrowser(
        at server: AuthorizationServer, scope: Scope, loginHint: String?, isNewAccount: Bool, attemptID: Int,
        onStep: (Step) async throws -> Void
    ) async throws {
        // Use the fixed redirect address, because the authorization server of Cuti-E accepts only the address
        // that is registered for its own apps.
        let isCutiE = account.configuration.signIn.issuer == nil
        let pending = PendingAuthorization(
            redirect: isCutiE ? PendingAuthorization.cutiERedirect : PendingAuthorization.defaultRedirect,
            at: runtime.now(), random: SignInCryptography.randomBytes(count: 3 * ProofKey.randomBytes))
        guard
            let page = server.authorizationPageURL(
                for: pending, scope: scope, loginHint: loginHint, isRegistration: isNewAccount,
                sha256Function: SignInCryptography.sha256)
        else {
            throw SignInFailure.notOffered(refusalReason(for: .browser, offeredMethods: server.signInMethods))
        }
        // Store the pending sign-in, because the daemon may restart before the browser redirects to it.
        try await session.sessionSecrets.savePendingAuthorization(pending)
        (self.pending, ending) = (pending, nil)
        try await onStep(.page(page))
        let end: Result<Void, SignInFailure>? =
            try await runtime.withTimeout(PendingAuthorization.maxAge) {
                while self.ending == nil, attemptID == self.attempt {
                    try await self.endings.wait(past: self.endings.count)
                }
                return self.ending
            } ?? nil
        guard attemptID == attempt else { throw SignInFailure.superseded }
        guard let end else { throw SignInFailure.expired }
        try end.get()
    }

    /// Returns the pending sign-in, which a previous run may have started; `nil` if there is none.
    private func readPendingAuthorization() async throws(APIFailure) -> PendingAuthorization? {
        if let pending { return pending }
        let kept = try await session.sessionSecrets.readPendingAuthorization()
        guard let kept, kept.state != acceptedState else { return nil }
        pending = kept
        return kept
    }

    /// Returns whether a redirect belongs to the pending sign-in.
    package func matchesPendingSignIn(_ redirect: Redirect) async throws -> Bool {
        try await readPendingAuthorization()?.state == redirect.state
    }

    /// Completes the sign-in with the browser's redirect. Throws `Redirect.Refusal` if the redirect is not
    /// accepted.
    package func completeSignIn(with redirect: Redirect) async throws {
        guard let pending = try await readPendingAuthorization() else { throw Redirect.Refusal.expired }
        let server = try await session.issuer.fetchServer()
        let outcome = try redirect.validatedOutcome(
            for: pending, issuerMetadata: server.metadata, at: runtime.now())
        guard acceptedState != pending.state else { throw Redirect.Refusal.expired }
        // Remove the pending sign-in, so that a second redirect has no effect.
        (self.pending, acceptedState) = (nil, pending.state)
        try await runExchange { [self] in try await applyOutcome(outcome, of: pending, at: server) }
    }

    private func applyOutcome(
        _ outcome: Redirect.Outcome, of authorization: PendingAuthorization, at server: AuthorizationServer
    ) async throws {
        do {
            try await session.sessionSecrets.savePendingAuthorization(nil)
            switch outcome {
            case .error(let error) where error.code == .accessDenied: throw SignInFailure.denied
            case .error(let error): throw SignInFailure.refused(error)
            case .code(let code): try await redeem(code, for: authorization, at: server)
            }
            finishSignIn(.success(()))
        } catch {
            finishSignIn(.failure(error as? SignInFailure ?? .failed(SignInFailure.makeReason(for: error))))
            throw error
        }
    }

    /// Redeems the code and starts the session. Retries only if no response arrived: the server may have
    /// consumed the code even if its response is unusable.
    private func redeem(
        _ code: Token<AuthorizationCode>, for authorization: PendingAuthorization,
        at server: AuthorizationServer
    ) async throws {
        let form = server.tokenRequest(
            code: code, redirectURI: authorization.redirect, proofKey: authorization.proof)
        let scope = requestedScope(at: server)
        let exchange = Exchange(
            server: server, method: .browser, scope: scope,
            nonce: scope.contains("openid") ? authorization.nonce : nil, attempt: attempt)
        var backoff = Backoff()
        for _ in 1...Self.maxAttempts {
            let (answer, date): (TokenResponse, Timestamp)
            do { (answer, date) = try await requestTokens(with: form) } catch APIFailure.retry(
                _, let floor, _)
            {
                try await runtime.sleep(for: backoff.nextDelay(random: runtime.random(), minimumDelay: floor))
                continue
            }
            return try await startSession(with: answer, at: date, for: exchange)
        }
        throw APIFailure.retry(
            Reason(.issuerSilent).replacingAdvice(with: Reason(.signInAgain)), ambiguous: false)
    }

    /// The maximum number of attempts to redeem a code, which is low because a code expires soon.
    private static let maxAttempts = 4

    private func finishSignIn(_ result: Result<Void, SignInFailure>) {
        ending = result
        endings.notify()
    }
}
