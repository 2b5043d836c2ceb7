/// What a token may be used for: RFC 6749 §3.3. The order is that of who wrote it, and means nothing.
public struct Scope: Sendable, CustomStringConvertible {
    public let names: [String]

    /// Names that can be none are left out, and doubled ones.
    public init(_ names: [String]) {
        var seen: Set<String> = []
        self.names = names.filter { Self.isName($0) && seen.insert($0).inserted }
    }

    /// Of a wire's text, with spaces between.
    public init(text: String) { self.init(text.split(separator: " ").prefix(256).map(String.init)) }

    public var description: String { names.joined(separator: " ") }
    public var isEmpty: Bool { names.isEmpty }

    public func contains(_ name: String) -> Bool { names.contains(name) }

    /// Who the person is, and a token that outlives the day.
    public static let person = Scope(["openid", "profile", "email", "offline_access"])
    /// What Cuti-E's API asks of who answers people.
    public static let support = Scope([
        "conversations:read", "conversations:write", "messages:write", "tags:read", "tags:write",
        "analytics:read", "canned_responses:read", "canned_responses:write",
    ])

    /// What is asked for where nothing is configured: what the server does not offer may not be asked of it.
    /// `offered`: nil where it does not say; then who the person is, which every one knows or leaves out.
    public static func usual(forSupport: Bool, offered: [String]?) -> Scope {
        guard let offered else { return person }
        let wished = person.names + (forSupport ? support.names : [])
        return Scope(wished.filter(offered.contains))
    }

    private static func isName(_ name: String) -> Bool {
        (1...256).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

extension Scope: Hashable {
    public static func == (left: Scope, right: Scope) -> Bool { Set(left.names) == Set(right.names) }
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(names)) }
}
