/// The scope of a token (RFC 6749 §3.3): a set of names. The order of the names is preserved, but has no
/// meaning.
public struct Scope: Sendable, CustomStringConvertible {
    public let names: [String]

    /// Creates a scope without the invalid and the duplicate names.
    public init(_ names: [String]) {
        var seen: Set<String> = []
        self.names = names.filter { Self.isValidName($0) && seen.insert($0).inserted }
    }

    /// Parses names that are separated by spaces.
    public init(text: String) { self.init(text.split(separator: " ").prefix(256).map(String.init)) }

    public var description: String { names.joined(separator: " ") }
    public var isEmpty: Bool { names.isEmpty }

    public func contains(_ name: String) -> Bool { names.contains(name) }

    /// The scopes for the user's identity and a refresh token.
    public static let identity = Scope(["openid", "profile", "email", "offline_access"])
    /// The API's scopes for support staff.
    public static let support = Scope([
        "conversations:read", "conversations:write", "messages:write", "tags:read", "tags:write",
        "analytics:read", "canned_responses:read", "canned_responses:write",
    ])

    /// Returns the default scope. A server may reject a scope that it does not support, so the result
    /// contains only names in `offeredScopes`, the scopes that the server lists. If the server lists no
    /// scopes (`nil`), the result contains the scopes for the user's identity, which every server supports or
    /// ignores.
    public static func makeDefault(isForSupportStaff forSupport: Bool, offeredScopes: [String]?) -> Scope {
        guard let offeredScopes else { return identity }
        let wished = identity.names + (forSupport ? support.names : [])
        return Scope(wished.filter(offeredScopes.contains))
    }

    private static func isValidName(_ name: String) -> Bool {
        (1...256).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

extension Scope: Hashable {
    public static func == (left: Scope, right: Scope) -> Bool { Set(left.names) == Set(right.names) }
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(names)) }
}
