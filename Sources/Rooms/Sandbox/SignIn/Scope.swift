/// What a token may do, or tell about a person.
enum Scope: String, CaseIterable, Codable, Sendable {
    case readConversations = "conversations:read"
    case writeConversations = "conversations:write"
    case writeMessages = "messages:write"
    case writeTags = "tags:write"
    case readAnalytics = "analytics:read"
    case readCannedResponses = "canned_responses:read"
    case writeCannedResponses = "canned_responses:write"
    /// Makes credentials, none of which may do more than this one.
    case writeCredentials = "credentials:write"
    /// What no real server has: the looks behind the counter.
    case sandbox
    // Of OpenID Connect: who signed in.
    case openID = "openid"
    case profile
    case email
    /// A refresh token.
    case offlineAccess = "offline_access"
}

extension Set<Scope> {
    static let identity: Self = [.openID, .profile, .email, .offlineAccess]
    /// Of the API: what a client with a secret may have.
    static let all = Set(Scope.allCases).subtracting(identity)
    /// What a person may have who signs in, and the metadata offers.
    static let offered = Set(Scope.allCases).subtracting([.writeCredentials, .sandbox])

    /// As RFC 6749 writes them: words with spaces between. Nil where there is an unknown word.
    init?(words: String) {
        self = []
        for word in words.split(separator: " ") {
            guard let scope = Scope(rawValue: String(word)) else { return nil }
            insert(scope)
        }
    }

    /// In the order of their names.
    var words: String { map(\.rawValue).sorted().joined(separator: " ") }
}
