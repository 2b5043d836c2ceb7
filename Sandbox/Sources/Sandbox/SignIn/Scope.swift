/// An OAuth scope: a permission of an access token.
enum Scope: String, CaseIterable, Codable, Sendable {
    case readConversations = "conversations:read"
    case writeConversations = "conversations:write"
    case writeMessages = "messages:write"
    case writeTags = "tags:write"
    case readAnalytics = "analytics:read"
    case readCannedResponses = "canned_responses:read"
    case writeCannedResponses = "canned_responses:write"
    /// Allows creating API credentials. The scopes of the credentials must be a subset of the token's scopes.
    case writeCredentials = "credentials:write"
    /// Allows the routes that exist only in the sandbox.
    case sandbox
    // The scopes of OpenID Connect, which concern the identity of the user.
    case openID = "openid"
    case profile
    case email
    /// Allows the client to receive a refresh token.
    case offlineAccess = "offline_access"
}

extension Set<Scope> {
    static let identity: Self = [.openID, .profile, .email, .offlineAccess]
    /// The API scopes, which are available to clients with a secret.
    static let all = Set(Scope.allCases).subtracting(identity)
    /// The scopes that are available to users who sign in.
    static let offered = Set(Scope.allCases).subtracting([.writeCredentials, .sandbox])

    /// Parses a space-separated list of scopes (RFC 6749, 3.3). Returns `nil` if a scope is unknown.
    init?(scopeList: String) {
        self = []
        for word in scopeList.split(separator: " ") {
            guard let scope = Scope(rawValue: String(word)) else { return nil }
            insert(scope)
        }
    }

    /// The scopes as a sorted, space-separated list.
    var scopeList: String { map(\.rawValue).sorted().joined(separator: " ") }
}
