import CutieAPI

/// What a credential of the admin API may do. A token has those of its credential, or fewer.
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
}

extension Set<Scope> {
    static let all = Set(Scope.allCases)

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

extension Refusal {
    /// By RFC 6750: the token is good, and not for this.
    static func lacking(_ scopes: Set<Scope>) -> Refusal {
        var refusal = Refusal(
            .forbidden, "insufficient_scope: the token lacks \(scopes.words)", code: .insufficientScope)
        refusal.challenge = "Bearer error=\"insufficient_scope\", scope=\"\(scopes.words)\""
        return refusal
    }
}
