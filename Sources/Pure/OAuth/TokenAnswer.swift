public import CutieAPI

/// What a token endpoint gives: RFC 6749 §5.1, with the ID token of OpenID Connect.
public struct TokenAnswer: Hashable, Sendable, Codable {
    /// Bytes of the whole answer.
    public static let sizeLimit = 64 << 10
    /// Bytes of one token; it has to fit into a header, and into a keyring.
    static let longestToken = 8192

    public let accessToken: Token<AccessToken>
    /// Seconds, at least one; nil: it does not say.
    public let expiresIn: Int?
    /// nil: the former one stays, where there is one.
    public let refreshToken: Token<RefreshToken>?
    /// nil: what was asked for.
    public let scope: Scope?
    public let idToken: Token<IDToken>?

    private enum CodingKeys: String, CodingKey {
        case scope
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case idToken = "id_token"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .tokenType).lowercased() == "bearer" else {
            throw Self.bad(.tokenType, in: container)
        }
        accessToken = Token(try Self.token(.accessToken, in: container))
        expiresIn = Self.lifetime(.expiresIn, in: container)
        // GitHub sends an empty text for an app whose tokens do not expire.
        let refresh = container.lenient(.refreshToken, as: String.self) ?? ""
        refreshToken = refresh.isEmpty ? nil : Token(try Self.token(.refreshToken, in: container))
        scope = Self.scope(.scope, in: container)
        idToken = container.lenient(.idToken, as: String.self).flatMap {
            $0.utf8.count <= IDToken.sizeLimit ? Token($0) : nil
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("Bearer", forKey: .tokenType)
        try container.encode(accessToken, forKey: .accessToken)
        try container.encodeIfPresent(expiresIn, forKey: .expiresIn)
        try container.encodeIfPresent(refreshToken, forKey: .refreshToken)
        try container.encodeIfPresent(scope?.description, forKey: .scope)
        try container.encodeIfPresent(idToken, forKey: .idToken)
    }

    /// Visible characters only: others could end the header's line.
    static func token<Key>(_ key: Key, in container: KeyedDecodingContainer<Key>) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        guard (1...longestToken).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw bad(key, in: container) }
        return text
    }

    /// Returns the seconds at `key`. A token that lives for years is refreshed after one.
    static func lifetime<Key>(_ key: Key, in container: KeyedDecodingContainer<Key>) -> Int? {
        container.seconds(key).map { min($0, 366 * 86_400) }
    }

    /// Reads names with spaces between, with commas between (GitHub), or as a list (Twitch).
    private static func scope(
        _ key: CodingKeys, in container: KeyedDecodingContainer<CodingKeys>
    ) -> Scope? {
        guard let text = container.lenient(key, as: String.self) else {
            return container.lenientList(key, of: String.self).map { Scope($0) }
        }
        return Scope(text: text.contains(" ") ? text : text.replacing(",", with: " "))
    }

    static func bad<Key>(_ key: Key, in container: KeyedDecodingContainer<Key>) -> DecodingError {
        .dataCorruptedError(forKey: key, in: container, debugDescription: "cannot be used")
    }

    /// Throws where it is a page, or something else that is no answer. Never repeats what it says.
    public init(json: [UInt8]) throws(UnreadableJSON) {
        guard json.count <= Self.sizeLimit else { throw UnreadableJSON(path: "", problem: .badValue) }
        self = try JSON.decode(from: json)
    }
}

/// From when on an access token counts, by the clock of who holds it: no other clock is asked.
public struct TokenLife: Hashable, Sendable, Codable {
    public let receivedAt: Timestamp
    /// nil: only a refusal tells that it has ended.
    public let lifetime: Duration?

    /// A quarter of the life, or this, whichever is less, is left to get another one.
    private static let margin: Duration = .seconds(60)

    public init(receivedAt: Timestamp, expiresIn: Int?) {
        (self.receivedAt, lifetime) = (receivedAt, expiresIn.map { .seconds($0) })
    }

    /// It is to be refreshed before it is used. A clock that was set back says nothing about it: then, too.
    public func isDue(at now: Timestamp) -> Bool {
        guard let lifetime else { return false }
        return now < receivedAt || now >= receivedAt + lifetime - min(Self.margin, lifetime / 4)
    }
}

extension KeyedDecodingContainer {
    /// Returns the positive number of seconds at `key`, which some servers write as text; `nil` if there is none.
    func seconds(_ key: Key) -> Int? {
        let seconds =
            lenient(key, as: Int.self) ?? lenient(key, as: String.self).flatMap { Int($0) }
            ?? lenient(key, as: Double.self).flatMap { Int(exactly: $0.rounded(.down)) }
        return seconds.flatMap { $0 > 0 ? $0 : nil }
    }
}
