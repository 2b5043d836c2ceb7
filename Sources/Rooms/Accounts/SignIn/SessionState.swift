import CutieAPI
import OAuth

/// How an account stands with its issuer. Values in, values out.
struct SessionState {
    enum Phase: Equatable {
        /// An earlier run may have left tokens.
        case unknown
        case signedOut
        /// The issuer ended it, in a sentence for the person.
        case ended(String)
        case signedIn(SessionTokens)
    }

    /// What to do before a request can go.
    enum Need: Equatable {
        case load
        case nothing
        case refresh(SessionTokens)
        /// A new answer came, and is not kept yet.
        case keep(SessionTokens)
        /// It needs a person, and why.
        case person(String)
    }

    private(set) var phase = Phase.unknown
    /// Grows with each change of the access token.
    private(set) var generation = 0
    /// The newest generation that the API accepted; `nil` if none in this run.
    private(set) var acceptedGeneration: Int?
    /// The API refused a token that was new, in a sentence; it has not taken one since.
    private(set) var refusal: String?
    /// A server may have forgotten the former refresh token by the first use of what came with the new one: nothing
    /// new is used before it is kept.
    private var unkept: SessionTokens?
    /// The access token was refused.
    private var isDoubted = false

    static let nobody = "nobody is signed in; run `cutied ctl signin`"

    var tokens: SessionTokens? {
        if case .signedIn(let tokens) = phase { tokens } else { nil }
    }

    func need(at now: Timestamp) -> Need {
        if let unkept { return .keep(unkept) }
        switch phase {
        case .unknown: return .load
        case .signedOut: return .person(Self.nobody)
        case .ended(let reason): return .person(reason)
        case .signedIn(let tokens): return isDoubted || tokens.isDue(at: now) ? .refresh(tokens) : .nothing
        }
    }

    /// What an earlier run left.
    mutating func find(_ phase: Phase) {
        guard self.phase == .unknown else { return }
        self.phase = phase
    }

    /// The issuer gave tokens: to be kept first.
    mutating func receive(_ tokens: SessionTokens) { unkept = tokens }

    mutating func kept() {
        guard let unkept else { return }
        (phase, self.unkept, isDoubted) = (.signedIn(unkept), nil, false)
        generation += 1
    }

    /// The API refused a request of that generation: the next one needs another token.
    mutating func doubt(_ generation: Int) {
        if generation == self.generation { isDoubted = true }
    }

    /// The API refused what is new.
    mutating func refuse(_ reason: String) { refusal = reason }

    mutating func accepted() { refusal = nil }

    /// The API accepted a request of that generation.
    mutating func accepted(_ generation: Int) {
        acceptedGeneration = max(generation, acceptedGeneration ?? 0)
    }

    /// The issuer says `invalid_grant`, or nothing is left to refresh with.
    mutating func end(_ reason: String) { leave(for: .ended(reason)) }

    mutating func signOut() { leave(for: .signedOut) }

    private mutating func leave(for phase: Phase) {
        (self.phase, unkept, isDoubted, refusal) = (phase, nil, false, nil)
        generation += 1
    }
}

/// What the issuer gave to who signed in.
struct SessionTokens: Equatable {
    let access: Token<AccessToken>
    let life: TokenLife
    /// nil: another access token is got in another way, or not at all.
    let refresh: Token<RefreshToken>?
    let scope: Scope

    /// `former`: what the answer follows on, or what was asked for.
    init(_ answer: TokenAnswer, at now: Timestamp, after former: SessionTokens?, asked: Scope) {
        access = answer.accessToken
        life = TokenLife(receivedAt: now, expiresIn: answer.expiresIn)
        refresh = answer.refreshToken ?? former?.refresh
        scope = answer.scope ?? former?.scope ?? asked
    }

    init(_ kept: KeptAccess, refresh: Token<RefreshToken>?) {
        (access, life, scope) = (kept.token, kept.life, Scope(kept.scope))
        self.refresh = refresh
    }

    func isDue(at now: Timestamp) -> Bool { life.isDue(at: now) }
}

/// An access token as the secret store has it.
struct KeptAccess: Codable {
    let token: Token<AccessToken>
    let life: TokenLife
    let scope: [String]

    init(_ tokens: SessionTokens) {
        (token, life, scope) = (tokens.access, tokens.life, tokens.scope.names)
    }
}

/// What anybody may know of a session; survives a restart.
struct SessionRecord: Codable, Equatable {
    enum State: String, Codable {
        case signedIn = "signed-in"
        case ended
        case signedOut = "signed-out"
    }

    var state: State
    /// Who signed in, last.
    var claims: Claims?
    var method: String?
    /// The issuer that the tokens are of.
    var issuer: String?
    var scope: [String] = []
    /// Why it ended.
    var reason: String?
    /// The person knows that it ended.
    var isTold = true
}
