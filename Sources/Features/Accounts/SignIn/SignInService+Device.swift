import CutieAPI
import EventLog
import OAuth
import Reasons

// MARK: - Sign-in with a code on any device (RFC 8628)

extension SignInService {
    func signInWithDeviceCode(
        at server: AuthorizationServer, scope: Scope, loginHint: String?, attemptID: Int,
        onStep: (Step) async throws -> Void
    ) async throws {
        guard let form = server.deviceAuthorizationRequest(scope: scope, loginHint: loginHint) else { return }
        let authorization = try await requestDeviceAuthorization(with: form)
        offer = Offer(authorization)
        defer { if attemptID == attempt { offer = nil } }
        try await onStep(.code(authorization, until: runtime.now() + .seconds(authorization.expiresIn)))
        let exchange = Exchange(server: server, method: .device, scope: scope, attempt: attemptID)
        try await pollForTokens(with: authorization, for: exchange)
    }

    private func requestDeviceAuthorization(with form: FormRequest) async throws -> DeviceAuthorization {
        switch try await session.issuer.send(form) {
        case .body(let body, _):
            do { return try DeviceAuthorization(json: body) } catch {
                throw SignInFailure.failed(
                    Reason(.issuerCodeInvalid, reasons: ["message": Reason(describing: error)]))
            }
        case .refused(let refusal): throw SignInFailure.refused(refusal.error)
        case .unanswered(let reason, let floor):
            throw APIFailure.retry(reason, floor: floor, ambiguous: false)
        }
    }

    private func pollForTokens(with authorization: DeviceAuthorization, for exchange: Exchange) async throws {
        let form = exchange.server.tokenRequest(deviceCode: authorization.deviceCode)
        var polling = DevicePolling(authorization, now: runtime.uptime)
        var action = polling.firstAction(now: runtime.uptime)
        // `silence` is the reason why the last request had no response. `page` describes the last response
        // that was a web page instead of tokens.
        var silence: Reason?
        var page: Reason?
        while true {
            switch action {
            case .wait(let wait):
                try await runtime.sleep(for: wait)
                guard exchange.attempt == attempt else { throw SignInFailure.superseded }
                action = polling.handle(.waited, now: runtime.uptime)
            case .ask:
                let answer = try await runExchange { [self] in
                    try await requestTokensOnce(with: form, for: exchange)
                }
                silence = answer.silence
                page = answer.page ?? page
                action = polling.handle(answer.input, now: runtime.uptime)
            case .succeed: return
            case .fail(.expired): throw silence.map(SignInFailure.unanswered) ?? .expired
            case .fail(.denied): throw SignInFailure.denied
            case .fail(.refused(let error)):
                // The issuer has consumed the code, so the unusable page came from the issuer and not from a
                // captive portal.
                if let page, error.code == .invalidGrant {
                    throw SignInFailure.failed(Reason(.signInCodeRefused, because: page))
                }
                throw SignInFailure.refused(error)
            }
        }
    }

    /// Requests the tokens once. Completes the sign-in if the user has allowed it. Returns the input for
    /// the polling state, the reason why the issuer has not decided yet, and the same reason in `page` if
    /// the response was a web page, for example of a captive portal.
    private func requestTokensOnce(
        with form: FormRequest, for exchange: Exchange
    ) async throws -> (input: DevicePolling.Input, silence: Reason?, page: Reason?) {
        switch try await session.issuer.requestTokens(with: form) {
        case .tokens(let answer, let date):
            try await startSession(with: answer, at: date, for: exchange)
            return (.answered(answer), nil, nil)
        case .refused(let refusal) where refusal.isTemporary && !refusal.error.isAboutDecision:
            return (
                .unanswered(floor: refusal.floor), Reason(.issuerAnswered, ["status": "\(refusal.error)"]),
                nil
            )
        case .refused(let refusal): return (.refused(refusal.error), nil, nil)
        // The page may come from a captive portal, in which case the code is still valid.
        case .unusable(let reason, isPage: true): return (.unanswered(), reason, reason)
        case .unusable(let reason, isPage: false):
            throw SignInFailure.failed(reason.replacingAdvice(with: Reason(.signInAgain)))
        case .unanswered(let reason, let floor): return (.unanswered(floor: floor), reason, nil)
        }
    }
}
