/// A permission of an access token.
enum Scope: String, CaseIterable, Codable, Sendable {
    case readConversations = "conversations:read"
    case writeConversations = "conversations:write"
    case writeMessages = "messages:write"
    case writeTags = "tags:write"
    case readAnalytics = "analytics:read"
    case readCannedResponses = "canned_responses:read"
    case writeCannedResponses = "canned_responses:write"
    /// Allows creating API credentials, which cannot have more scopes than this token.
    case writeCredentials = "credentials:write"
    /// Allows the routes that exist only in the sandbox.
    case sandbox
    // Scopes of OpenID Connect: the identity of the user.
    case openID = "openid"
    case profile
    case email
    /// Requests a refresh token.
    case offlineAccess = "offline_access"
}

extension Set<Scope> {
    static let identity: Self = [.openID, .profile, .email, .offlineAccess]
    /// The scopes of the API, which a client with a secret can have.
    static let all = Set(Scope.allCases).subtracting(identity)
    /// The scopes that are offered to users who sign in.
    static let offered = Set(Scope.allCases).subtracting([.writeCredentials, .sandbox])

    /// Parses scopes that are separated by spaces (RFC 6749); returns `nil` if a scope is unknown.
    init?(words: String) {
        self = []
        for word in words.split(separator: " ") {
            guard let scope = Scope(rawValue: String(word)) else { return nil }
            insert(scope)
        }
    }

    /// The scopes, sorted and separated by spaces.
    var words: String { map(\.rawValue).sorted().joined(separator: " ") }
}
