import CutieAPI
import OAuth
import Reasons

/// The state of a session with its issuer.
struct SessionState {
    enum Phase: Equatable {
        /// Not loaded yet. A previous run may have stored tokens.
        case unknown
        case signedOut
        /// The session ended without a sign-out, for the given reason.
        case ended(Reason)
        case signedIn(SessionTokens)
    }

    /// The action that is required before the next request.
    enum Need: Equatable {
        case load
        case nothing
        case refresh(SessionTokens)
        /// Store the tokens, which were just received.
        case save(SessionTokens)
        /// The user must act.
        case userAction(Reason)
    }

    private(set) var phase = Phase.unknown
    /// The number of times that the access token has changed.
    private(set) var generation = 0
    /// The newest generation that the API accepted; `nil` if the API has accepted none in this run.
    private(set) var acceptedGeneration: Int?
    /// The reason why the API refused a newly issued token; `nil` after the API has accepted a token.
    private(set) var refusal: Reason?
    /// Tokens that are not stored yet; `nil` if all tokens are stored. Store tokens before their first use:
    /// after the first use, the server may invalidate the previous refresh token.
    private var unsavedTokens: SessionTokens?
    /// Whether the API refused the access token.
    private var needsRefresh = false

    var tokens: SessionTokens? {
        if case .signedIn(let tokens) = phase { tokens } else { nil }
    }

    func requiredAction(at now: Timestamp) -> Need {
        if let unsavedTokens { return .save(unsavedTokens) }
        switch phase {
        case .unknown: return .load
        case .signedOut: return .userAction(SignInService.notSignedIn)
        case .ended(let reason): return .userAction(reason)
        case .signedIn(let tokens):
            return needsRefresh || tokens.needsRenewal(at: now) ? .refresh(tokens) : .nothing
        }
    }

    /// Restores the state of the previous run.
    mutating func restore(_ phase: Phase) {
        guard self.phase == .unknown else { return }
        self.phase = phase
    }

    /// Sets newly issued tokens. The tokens must be stored before their first use.
    mutating func setTokens(_ tokens: SessionTokens) { unsavedTokens = tokens }

    mutating func markTokensSaved() {
        guard let unsavedTokens else { return }
        (phase, self.unsavedTokens, needsRefresh) = (.signedIn(unsavedTokens), nil, false)
        generation += 1
    }

    /// Records that the API refused a request with the tokens of `generation`: the next request needs another
    /// token.
    mutating func requestRefresh(ofGeneration generation: Int) {
        if generation == self.generation { needsRefresh = true }
    }

    /// Records that the API refused a newly issued token.
    mutating func recordRefusal(_ reason: Reason) { refusal = reason }

    mutating func clearRefusal() { refusal = nil }

    /// Records that the API accepted a request with the tokens of `generation`.
    mutating func recordAcceptance(ofGeneration generation: Int) {
        acceptedGeneration = max(generation, acceptedGeneration ?? 0)
    }

    /// Ends the session and discards its tokens, for example after `invalid_grant` or if there is no refresh
    /// token.
    mutating func end(because reason: Reason) { setPhase(.ended(reason)) }

    mutating func signOut() { setPhase(.signedOut) }

    private mutating func setPhase(_ phase: Phase) {
        (self.phase, unsavedTokens, needsRefresh, refusal) = (phase, nil, false, nil)
        generation += 1
    }
}

/// The tokens that the issuer issued for a user.
struct SessionTokens: Equatable {
    let access: Token<AccessToken>
    let life: TokenLifetime
    /// The refresh token; `nil` if the access token is renewed in another way, or cannot be renewed.
    let refresh: Token<RefreshToken>?
    let scope: Scope

    /// Creates the tokens of a token response. `former`: the tokens being refreshed; `nil` for a new sign-in.
    /// `requestedScope`: used if neither the response nor `former` states a scope.
    init(
        _ response: TokenResponse, at now: Timestamp, replacing former: SessionTokens?, requestedScope: Scope
    ) {
        access = response.accessToken
        life = TokenLifetime(receivedAt: now, expiresIn: response.expiresIn)
        refresh = response.refreshToken ?? former?.refresh
        scope = response.scope ?? former?.scope ?? requestedScope
    }

    init(_ storedToken: StoredAccessToken, refresh: Token<RefreshToken>?) {
        (access, life, scope) = (storedToken.token, storedToken.life, Scope(storedToken.scope))
        self.refresh = refresh
    }

    func needsRenewal(at now: Timestamp) -> Bool { life.needsRenewal(at: now) }
}

/// The stored form of an access token, in the secret store.
struct StoredAccessToken: Codable {
    let token: Token<AccessToken>
    let life: TokenLifetime
    let scope: [String]

    init(_ tokens: SessionTokens) {
        (token, life, scope) = (tokens.access, tokens.life, tokens.scope.names)
    }
}

/// The session data that is not secret. Stored across restarts.
struct SessionRecord: Codable, Equatable {
    enum State: String, Codable {
        case signedIn = "signed-in"
        case ended
        case signedOut = "signed-out"
    }

    var state: State
    /// The claims of the user who signed in last; `nil` if no user has signed in.
    var claims: Claims?
    var method: String?
    /// The name of the issuer that issued the tokens. The record is ignored if another issuer is configured.
    var issuer: String?
    /// The `iss` claim of the ID token; `nil` if there was no ID token. If the issuer has several tenants,
    /// the claim identifies the tenant.
    var statedIssuer: String?
    var scope: [String] = []
    /// The reason why the session ended, in English; `nil` if the session has not ended.
    var reason: String?
    var reasonCode: String?
    var reasonArguments: [String: String]?
    /// Whether the user was notified that the session ended.
    var isTold = true

    /// The reason why the session ended; `nil` if the session has not ended.
    var endReason: Reason? {
        get { Reason(text: reason, code: reasonCode, arguments: reasonArguments) }
        set {
            reason = newValue?.english
            (reasonCode, reasonArguments) = (newValue?.code?.rawValue, newValue?.argumentFields)
        }
    }
}
