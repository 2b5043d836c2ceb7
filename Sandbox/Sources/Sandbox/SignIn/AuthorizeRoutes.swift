import CutieAPI
import Hummingbird

/// The authorization endpoint `/v1/auth/oauth/authorize`, a page that asks the user to allow a client's
/// request (RFC 6749, 4.1; RFC 7636; RFC 9207).
struct AuthorizeRoutes: Sendable {
    let archive: Archive
    let browsers: BrowserSessions
    let isSecure: Bool

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addPage(at: .authorize, handlers: [.get: showConsent, .post: submitDecision])
    }

    @Sendable private func showConsent(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters.parseQuery(of: call)
        let answer = try AuthorizationResponse(form, by: Issuer(call, isSecure: isSecure))
        let request: AuthorizationRequest
        do {
            request = try AuthorizationRequest(form, to: answer)
        } catch {
            return .seeOther(location: answer.redirectURL(for: error))
        }
        let session = try await browsers.findOrBeginSession(of: call)
        let prompts = Set((form["prompt"] ?? "").split(separator: " ").map(String.init))
        if prompts.contains("none") {
            let word = session.signedIn == nil ? "login_required" : "consent_required"
            return .seeOther(location: answer.redirectURL(for: .oauthError(word, "the user must be asked")))
        }
        guard let signedIn = session.signedIn, prompts.isDisjoint(with: ["login", "create"]) else {
            let page: Issuer.Path = prompts.contains("create") ? .register : .login
            let place = FormParameters.encodeQuery([
                ("next", NextPage(returningTo: call, to: .authorize).path),
                ("login_hint", form["login_hint"]),
            ])
            return browsers.addingCookie(of: session, to: .seeOther(location: "\(page.rawValue)?\(place)"))
        }
        return browsers.makeResponse(
            showing: makeConsentPage(for: request, parameters: form, admin: signedIn.admin, session: session),
            to: session)
    }

    /// Handles the user's decision. Validates the request parameters again, because the parameters come from
    /// the form, which the user can modify.
    @Sendable private func submitDecision(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        let session = try await browsers.requireSession(of: call, submitting: form)
        let answer = try AuthorizationResponse(form, by: Issuer(call, isSecure: isSecure))
        guard let signedIn = session.signedIn else { throw Refusal(.forbidden, "Sign in first.") }
        let request: AuthorizationRequest
        do {
            request = try AuthorizationRequest(form, to: answer)
        } catch {
            return .seeOther(location: answer.redirectURL(for: error))
        }
        guard form["decision"] == "allow" else {
            return .seeOther(
                location: answer.redirectURL(for: .oauthError("access_denied", "the user denied the request"))
            )
        }
        let code = try await archive.change {
            try $0.issueAuthorizationCode(
                for: request, by: signedIn.admin, authenticatedAt: signedIn.authenticatedAt)
        }
        return .seeOther(location: answer.redirectURL(with: [("code", code)]))
    }

    private func makeConsentPage(
        for request: AuthorizationRequest, parameters: FormParameters, admin: Admin,
        session: BrowserSession
    ) -> HTMLPage {
        let kept = AuthorizationRequest.parameters.map { (name: $0, value: parameters[$0]) }
        let form = PageForm(
            action: .authorize, session: session, hidden: kept,
            buttons: [
                .init(label: "Allow", decision: "allow"), .init(label: "Refuse", decision: "refuse"),
            ])
        return HTMLPage(
            title: "Sign in to \(request.client.id)?",
            content: """
                \(Consent(client: request.client.id, scopes: request.scopes, admin: admin).html)
                \(form.html)
                """)
    }
}

/// The redirect URI and the parameters of an authorization response. If the client or the redirect URI is
/// invalid, the browser shows the error instead of redirecting, because the redirect could lead to an
/// attacker.
struct AuthorizationResponse: Sendable {
    let client: TokenClient
    let redirect: String
    private let state: String?
    private let issuer: Issuer

    init(_ form: FormParameters, by issuer: Issuer) throws(Refusal) {
        guard form["client_id"] == TokenClient.cutied.id else {
            throw Refusal(.badRequest, "The client_id is unknown.")
        }
        client = .cutied
        guard let redirect = form["redirect_uri"], client.allows(redirect: redirect) else {
            throw Refusal(.badRequest, "The redirect_uri is missing or not registered for the client.")
        }
        (self.redirect, self.issuer, state) = (redirect, issuer, form["state"])
    }

    func redirectURL(with parameters: [(name: String, value: String?)]) -> String {
        redirect + "?" + FormParameters.encodeQuery(parameters + [("state", state), ("iss", issuer.url)])
    }

    func redirectURL(for refusal: Refusal) -> String {
        redirectURL(with: [("error", refusal.sentence), ("error_description", refusal.explanation)])
    }
}

extension AuthorizationRequest {
    static let parameters = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
    ]

    /// Validates the parameters of an authorization request.
    ///
    /// - Throws: `Refusal`, which the caller sends to the client in a redirect.
    init(_ form: FormParameters, to answer: AuthorizationResponse) throws(Refusal) {
        guard try form.requireParameter("response_type") == "code" else {
            throw .oauthError("unsupported_response_type", "response_type must be code")
        }
        guard let challenge = form["code_challenge"], CodeChallenge.isChallenge(challenge),
            form["code_challenge_method"] == "S256"
        else {
            throw .oauthError("invalid_request", "code_challenge is missing or its method is not S256")
        }
        self.init(
            client: answer.client, redirect: answer.redirect,
            scopes: try answer.client.scopes.narrowed(to: form["scope"]), challenge: challenge,
            nonce: form["nonce"])
    }
}
