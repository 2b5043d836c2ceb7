public import CutieAPI
public import Reasons

/// A signed token with claims about the user who signed in (OpenID Connect Core §2).
public struct IDToken: Hashable, Sendable {
    /// The maximum size of an ID token in bytes.
    public static let sizeLimit = 64 << 10

    /// The supported algorithms: RS256, which OpenID Connect requires, and ES256, which is also common. HS256
    /// is not supported, because it requires a shared secret, which a public client does not have.
    public enum Algorithm: String, Hashable, Sendable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    public let algorithm: Algorithm
    /// The `kid` of the signing key in the issuer's key set; `nil` if the token has none.
    public let keyID: String?
    /// The bytes over which `signature` is computed.
    public let signedBytes: [UInt8]
    /// The signature in the format of RFC 7518 §3.3 or §3.4.
    public let signature: [UInt8]
    public let claims: Claims
    public let issuer: String
    public let audience: [String]
    /// The client that requested the token (`azp`); `nil` if the token does not contain it.
    public let authorizedParty: String?
    public let expiresAt: Timestamp
    /// The time of issue; `nil` if the token has no `iat`.
    public let issuedAt: Timestamp?
    public let notBefore: Timestamp?
    public let nonce: String?
    /// The first half of the hash of the access token that was issued with the ID token (`at_hash`); `nil` if
    /// the token does not contain it.
    public let accessTokenHash: String?
    /// The tenant (`tid`), for an issuer with several tenants; otherwise `nil`.
    private let tenant: String?

    /// The reason why an ID token is rejected.
    public enum Problem: ReasonedError, Hashable, Sendable {
        case unreadable
        /// `alg` is `none`, or the signature is empty.
        case unsigned
        case algorithm(String)
        /// No key of the issuer verifies the signature.
        case invalidSignature
        case otherIssuer
        case otherAudience
        case expired
        /// `iat` or `nbf` is in the future.
        case notYetValid
        case withoutTime
        case otherNonce
        case otherAccessToken
        /// The ID token and another response from the issuer have different subjects.
        case otherSubject
        /// The issuer granted `openid` but sent no ID token.
        case missing

        public var reason: Reason {
            switch self {
            case .unreadable: Reason(.idTokenUnreadable)
            case .unsigned: Reason(.idTokenUnsigned)
            case .algorithm(let name): Reason(.idTokenAlgorithm, ["algorithm": name])
            case .invalidSignature: Reason(.idTokenSignature)
            case .otherIssuer: Reason(.idTokenOfOtherIssuer)
            case .otherAudience: Reason(.idTokenForOtherClient)
            case .expired: Reason(.idTokenExpired)
            case .notYetValid: Reason(.idTokenNotYetValid)
            case .withoutTime: Reason(.idTokenWithoutTime)
            case .otherNonce: Reason(.idTokenOfOtherSignIn)
            case .otherAccessToken: Reason(.idTokenOfOtherAccessToken)
            case .otherSubject: Reason(.idTokenOfOtherUser)
            case .missing: Reason(.idTokenMissing)
            }
        }
    }

    public init(_ text: String) throws(Problem) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.sizeLimit, parts.count == 3,
            let header: Header = Self.decodePart(parts[0]), let body: Body = Self.decodePart(parts[1])
        else { throw .unreadable }
        guard header.alg.lowercased() != "none", !parts[2].isEmpty else { throw .unsigned }
        guard let algorithm = Algorithm(rawValue: header.alg) else {
            throw .algorithm(APIError(status: 200, text: String(header.alg.prefix(16))).text ?? "nothing")
        }
        guard let signature = Base64URL.decode(parts[2]) else { throw .unreadable }
        (self.algorithm, keyID, self.signature) = (algorithm, header.kid, signature)
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
        claims = body.claims
        (issuer, audience, authorizedParty) = (body.iss, body.aud, body.azp)
        (expiresAt, issuedAt, notBefore) = (body.exp, body.iat, body.nbf)
        (nonce, accessTokenHash, tenant) = (body.nonce, body.atHash, body.tenant)
    }

    /// Throws if the token was not issued for this sign-in. `now`: the current time on the clock of the
    /// server that sent the token.
    public func checkClaims(
        issuer: String, clientID: String, nonce: String?, now: Timestamp
    ) throws(Problem) {
        let name = IssuerIdentifierPattern(issuer)
        guard !name.needsTenant || tenant != nil, name.matches(self.issuer, tenant: tenant) else {
            throw .otherIssuer
        }
        guard audience.contains(clientID), authorizedParty.map({ $0 == clientID }) ?? (audience.count == 1)
        else { throw .otherAudience }
        guard now < expiresAt + Self.tolerance else { throw .expired }
        guard let issuedAt else { throw .withoutTime }
        guard issuedAt <= now + Self.tolerance, (notBefore ?? issuedAt) <= now + Self.tolerance else {
            throw .notYetValid
        }
        guard nonce == nil || self.nonce == nonce else { throw .otherNonce }
    }

    /// Throws if the ID token from a refresh names a different user or issuer than the ID token from the
    /// sign-in (OpenID Connect Core §12.2). `issuer`: the `iss` of the ID token from the sign-in; `nil` if
    /// unknown.
    public func checkContinuity(withSignInClaims claims: Claims, signInIssuer issuer: String?) throws(Problem)
    {
        if let issuer, !issuer.utf8.elementsEqual(self.issuer.utf8) { throw .otherIssuer }
        _ = try claims.merging(self.claims)
    }

    /// Throws if the token contains an `at_hash` that does not match the access token (OpenID Connect Core
    /// §3.1.3.8).
    public func checkHash(of accessToken: Token<AccessToken>, sha256Function: ([UInt8]) -> [UInt8])
        throws(Problem)
    {
        guard let accessTokenHash else { return }
        let half = Array(sha256Function(Array(accessToken.rawValue.utf8)).prefix(16))
        guard accessTokenHash == Base64URL.encode(half) else { throw .otherAccessToken }
    }

    /// The allowed difference between the clocks of two servers of the issuer.
    private static let tolerance: Duration = .seconds(60)

    private static func decodePart<Value: Decodable>(_ part: Substring) -> Value? {
        Base64URL.decode(part).flatMap { try? JSON.decode(Value.self, from: $0) }
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String?
    }

    private struct Body: Decodable {
        let claims: Claims
        let iss: String
        let aud: [String]
        let azp: String?
        let exp: Timestamp
        let iat: Timestamp?
        let nbf: Timestamp?
        let nonce: String?
        let atHash: String?
        let tenant: String?

        private enum CodingKeys: String, CodingKey {
            case iss, aud, azp, exp, iat, nbf, nonce
            case atHash = "at_hash"
            case tenant = "tid"
        }

        init(from decoder: any Decoder) throws {
            claims = try Claims(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            iss = try container.decode(String.self, forKey: .iss)
            aud =
                container.decodeIfReadable(.aud, as: String.self).map { [$0] }
                ?? container.decodeListIfReadable(
                    .aud, of: String.self) ?? []
            azp = container.decodeIfReadable(.azp, as: String.self)
            exp = Self.timestamp(fromUnixSeconds: try container.decode(Double.self, forKey: .exp))
            iat = container.decodeIfReadable(.iat, as: Double.self).map(Self.timestamp)
            nbf = container.decodeIfReadable(.nbf, as: Double.self).map(Self.timestamp)
            nonce = container.decodeIfReadable(.nonce, as: String.self)
            (atHash, tenant) = (
                container.decodeIfReadable(.atHash, as: String.self),
                container.decodeIfReadable(.tenant, as: String.self)
            )
        }

        /// Returns the time of a number of Unix seconds. The issuer may send any number, so it is limited to
        /// a
        /// valid range.
        private static func timestamp(fromUnixSeconds seconds: Double) -> Timestamp {
            Timestamp(milliseconds: Int64(min(max(0, seconds), 8e12)) * 1000)
        }
    }
}

/// The claims of the issuer about the user.
public struct Claims: Hashable, Sendable, Codable {
    /// The maximum length of a claim in bytes.
    private static let maxLength = 512

    /// The user's ID (`sub`), which is unique only within one issuer.
    public let subject: String
    public var name: String?
    public var email: String?
    /// The user's admin ID; `nil` if it equals `sub`.
    public var adminID: String?

    private enum CodingKeys: String, CodingKey {
        case name, email
        case subject = "sub"
        case givenName = "preferred_username"
        case adminID = "admin_id"
    }

    public init(subject: String, name: String? = nil, email: String? = nil, adminID: String? = nil) {
        (self.subject, self.name, self.email, self.adminID) = (subject, name, email, adminID)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        subject = try container.decode(String.self, forKey: .subject)
        guard (1...255).contains(subject.utf8.count), DisplayName.isReadable(subject) else {
            throw DecodingError.dataCorruptedError(
                forKey: .subject, in: container, debugDescription: "is not a valid subject")
        }
        name =
            Self.decodeSingleLineString(forKey: .name, from: container)
            ?? Self.decodeSingleLineString(forKey: .givenName, from: container)
        email = Self.decodeSingleLineString(forKey: .email, from: container)
        adminID = Self.decodeSingleLineString(forKey: .adminID, from: container)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(subject, forKey: .subject)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(email, forKey: .email)
        try container.encodeIfPresent(adminID, forKey: .adminID)
    }

    /// Parses a JSON response of the userinfo endpoint.
    public init(userinfo json: [UInt8]) throws(IDToken.Problem) {
        guard json.count <= IDToken.sizeLimit, let claims = try? JSON.decode(Claims.self, from: json) else {
            throw .unreadable
        }
        self = claims
    }

    /// Returns the claims merged with `other`, whose values take precedence. Throws if the subjects differ.
    public func merging(_ other: Claims) throws(IDToken.Problem) -> Claims {
        guard subject.utf8.elementsEqual(other.subject.utf8) else { throw .otherSubject }
        return Claims(
            subject: subject, name: other.name ?? name, email: other.email ?? email,
            adminID: other.adminID ?? adminID)
    }

    private static func decodeSingleLineString(
        forKey key: CodingKeys, from container: KeyedDecodingContainer<CodingKeys>
    ) -> String? {
        container.decodeIfReadable(key, as: String.self).flatMap { text in
            (1...maxLength).contains(text.utf8.count) && DisplayName.isReadable(text) ? text : nil
        }
    }
}
