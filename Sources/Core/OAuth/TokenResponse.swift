public import CutieAPI

/// A token response (RFC 6749 §5.1), with the ID token of OpenID Connect.
public struct TokenResponse: Hashable, Sendable, Codable {
    /// Bytes of the whole answer.
    public static let sizeLimit = 64 << 10
    /// Bytes of one token, which must fit into an HTTP header and into a keyring.
    static let maxTokenLength = 8192

    public let accessToken: Token<AccessToken>
    /// Seconds, at least 1; `nil` if the server sent no lifetime.
    public let expiresIn: Int?
    /// `nil` if the previous refresh token, if any, stays valid.
    public let refreshToken: Token<RefreshToken>?
    /// `nil` if the scope is the requested one.
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
        // GitHub sends an empty string for an app whose tokens do not expire.
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

    /// Reads a token of visible ASCII characters. Other characters could break the header line.
    static func token<Key>(_ key: Key, in container: KeyedDecodingContainer<Key>) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        guard (1...maxTokenLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw bad(key, in: container) }
        return text
    }

    /// Returns the lifetime in seconds, at most 366 days.
    static func lifetime<Key>(_ key: Key, in container: KeyedDecodingContainer<Key>) -> Int? {
        container.seconds(key).map { min($0, 366 * 86_400) }
    }

    /// Reads names separated by spaces, names separated by commas (GitHub), or a list (Twitch).
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

    /// Parses the answer. Throws if it is not a token response, for example an HTML page. The error never
    /// contains the answer.
    public init(json: [UInt8]) throws(UnreadableJSON) {
        guard json.count <= Self.sizeLimit else { throw UnreadableJSON(path: "", problem: .badValue) }
        self = try JSON.decode(from: json)
    }
}

/// The lifetime of an access token, measured only by the local clock.
public struct TokenLifetime: Hashable, Sendable, Codable {
    public let receivedAt: Timestamp
    /// `nil` if the lifetime is unknown: only a refused request shows that the token has expired.
    public let lifetime: Duration?

    /// The time before the expiry in which the token is refreshed; at most a quarter of the lifetime.
    private static let margin: Duration = .seconds(60)

    public init(receivedAt: Timestamp, expiresIn: Int?) {
        (self.receivedAt, lifetime) = (receivedAt, expiresIn.map { .seconds($0) })
    }

    /// Returns whether to refresh the token before its next use. Also true if the clock was set back before
    /// `receivedAt`, because the remaining lifetime is then unknown.
    public func isDue(at now: Timestamp) -> Bool {
        guard let lifetime else { return false }
        return now < receivedAt || now >= receivedAt + lifetime - min(Self.margin, lifetime / 4)
    }
}

extension KeyedDecodingContainer {
    /// Returns the positive number of seconds at `key`, also if the server sent it as text; `nil` if there is
    /// none.
    func seconds(_ key: Key) -> Int? {
        let seconds =
            lenient(key, as: Int.self) ?? lenient(key, as: String.self).flatMap { Int($0) }
            ?? lenient(key, as: Double.self).flatMap { Int(exactly: $0.rounded(.down)) }
        return seconds.flatMap { $0 > 0 ? $0 : nil }
    }
}
