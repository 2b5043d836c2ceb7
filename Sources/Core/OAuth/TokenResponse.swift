public import CutieAPI

/// A token response (RFC 6749 §5.1), possibly with an ID token.
public struct TokenResponse: Hashable, Sendable, Codable {
    /// The maximum size of a response in bytes.
    public static let sizeLimit = 64 << 10
    /// The maximum length of a token in bytes. A token must fit into an HTTP header and into an entry of the
    /// keyring.
    static let maxTokenLength = 8192

    public let accessToken: Token<AccessToken>
    /// The lifetime of the access token in seconds, at least 1; `nil` if the server sent no lifetime.
    public let expiresIn: Int?
    /// The new refresh token; `nil` if the previous refresh token remains valid.
    public let refreshToken: Token<RefreshToken>?
    /// The granted scope; `nil` if it equals the requested scope.
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
            throw Self.decodingError(forKey: .tokenType, in: container)
        }
        accessToken = Token(try Self.decodeToken(forKey: .accessToken, from: container))
        expiresIn = Self.decodeLifetime(forKey: .expiresIn, from: container)
        // GitHub sends an empty string as the refresh token if the app's tokens do not expire.
        let refresh = container.decodeIfReadable(.refreshToken, as: String.self) ?? ""
        refreshToken =
            refresh.isEmpty ? nil : Token(try Self.decodeToken(forKey: .refreshToken, from: container))
        scope = Self.decodeScope(forKey: .scope, from: container)
        idToken = container.decodeIfReadable(.idToken, as: String.self).flatMap {
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

    /// Decodes a token. Accepts only visible ASCII characters, because other characters are invalid in an
    /// HTTP header.
    static func decodeToken<Key>(forKey key: Key, from container: KeyedDecodingContainer<Key>) throws
        -> String
    {
        let text = try container.decode(String.self, forKey: key)
        guard (1...maxTokenLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw decodingError(forKey: key, in: container) }
        return text
    }

    /// Returns the lifetime in seconds, at most 366 days; `nil` if the response contains none.
    static func decodeLifetime<Key>(forKey key: Key, from container: KeyedDecodingContainer<Key>) -> Int? {
        container.decodeSeconds(forKey: key).map { min($0, 366 * 86_400) }
    }

    /// Decodes a scope: names separated by spaces, or by commas (GitHub), or a list of names (Twitch).
    /// Returns `nil` if the scope is missing or has another type.
    private static func decodeScope(
        forKey key: CodingKeys, from container: KeyedDecodingContainer<CodingKeys>
    ) -> Scope? {
        guard let text = container.decodeIfReadable(key, as: String.self) else {
            return container.decodeListIfReadable(key, of: String.self).map { Scope($0) }
        }
        return Scope(text: text.contains(" ") ? text : text.replacing(",", with: " "))
    }

    static func decodingError<Key>(forKey key: Key, in container: KeyedDecodingContainer<Key>)
        -> DecodingError
    {
        .dataCorruptedError(forKey: key, in: container, debugDescription: "cannot be used")
    }

    /// Parses the response. Throws if it is not a token response, for example an HTML page. The error does
    /// not contain the response.
    public init(json: [UInt8]) throws(UnreadableJSON) {
        guard json.count <= Self.sizeLimit else { throw UnreadableJSON(path: "", problem: .badValue) }
        self = try JSON.decode(from: json)
    }
}

/// The lifetime of an access token, measured with the local clock only.
public struct TokenLifetime: Hashable, Sendable, Codable {
    public let receivedAt: Timestamp
    /// The lifetime of the access token; `nil` if unknown. If so, only the rejection of a request shows that
    /// the token has expired.
    public let lifetime: Duration?

    /// The time before the expiry at which the token is refreshed; at most a quarter of the lifetime.
    private static let margin: Duration = .seconds(60)

    public init(receivedAt: Timestamp, expiresIn: Int?) {
        (self.receivedAt, lifetime) = (receivedAt, expiresIn.map { .seconds($0) })
    }

    /// Returns whether to refresh the token before its next use. Returns `false` if the server sent no
    /// lifetime, and `true` if the clock was set back to a time before `receivedAt`, because the remaining
    /// lifetime is then unknown.
    public func needsRenewal(at now: Timestamp) -> Bool {
        guard let lifetime else { return false }
        return now < receivedAt || now >= receivedAt + lifetime - min(Self.margin, lifetime / 4)
    }
}

extension KeyedDecodingContainer {
    /// Returns a positive number of seconds, possibly sent as a string; `nil` if there is none.
    func decodeSeconds(forKey key: Key) -> Int? {
        let seconds =
            decodeIfReadable(key, as: Int.self) ?? decodeIfReadable(key, as: String.self).flatMap { Int($0) }
            ?? decodeIfReadable(key, as: Double.self).flatMap { Int(exactly: $0.rounded(.down)) }
        return seconds.flatMap { $0 > 0 ? $0 : nil }
    }
}
