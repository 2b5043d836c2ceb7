public import CutieAPI

/// What an issuer says about the person: the claims of an ID token. The TLS connection to the token endpoint stands for
/// its signature (OpenID Connect Core 3.1.3.7), so it counts only as it came from there.
public struct IDToken: Hashable, Sendable {
    /// Bytes.
    public static let sizeLimit = 64 << 10

    public let claims: Claims
    public let issuer: String
    public let audience: [String]
    /// Who asked for it, where there are several it is for.
    public let authorizedParty: String?
    public let expiresAt: Timestamp
    public let nonce: String?

    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case unreadable
        /// `alg` is none.
        case unsigned
        case otherIssuer
        case otherAudience
        case expired
        case otherNonce
        /// It, or what the issuer says elsewhere, is about somebody else.
        case otherSubject

        public var description: String {
            switch self {
            case .unreadable: "the issuer's word on who signed in cannot be read"
            case .unsigned: "the issuer's word on who signed in is not signed"
            case .otherIssuer: "another issuer says who signed in"
            case .otherAudience: "what the issuer says about who signed in is meant for another client"
            case .expired: "what the issuer says about who signed in does not hold any more"
            case .otherNonce: "what the issuer says about who signed in belongs to another sign-in"
            case .otherSubject: "the issuer speaks of two different people"
            }
        }
    }

    public init(_ text: String) throws(Problem) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.sizeLimit, parts.count == 3,
            let header: Header = Self.decode(parts[0]), let body: Body = Self.decode(parts[1])
        else { throw .unreadable }
        guard header.alg.lowercased() != "none", !parts[2].isEmpty else { throw .unsigned }
        claims = body.claims
        (issuer, audience, authorizedParty) = (body.iss, body.aud, body.azp)
        (expiresAt, nonce) = (Timestamp(milliseconds: body.exp * 1000), body.nonce)
    }

    /// Whether it is meant for this sign-in. `now`: by the clock of the server that gave it.
    public func check(
        issuer: String, clientID: String, nonce: String?, now: Timestamp
    ) throws(Problem) {
        guard self.issuer.utf8.elementsEqual(issuer.utf8) else { throw .otherIssuer }
        guard audience.contains(clientID), authorizedParty.map({ $0 == clientID }) ?? (audience.count == 1)
        else { throw .otherAudience }
        guard now < expiresAt + Self.tolerance else { throw .expired }
        guard nonce == nil || self.nonce == nonce else { throw .otherNonce }
    }

    /// Two servers of one issuer need not have the same time.
    private static let tolerance: Duration = .seconds(60)

    private static func decode<Value: Decodable>(_ part: Substring) -> Value? {
        Base64URL.bytes(of: part).flatMap { try? JSON.decode(Value.self, from: $0) }
    }

    private struct Header: Decodable {
        let alg: String
    }

    private struct Body: Decodable {
        let claims: Claims
        let iss: String
        let aud: [String]
        let azp: String?
        /// Seconds.
        let exp: Int64
        let nonce: String?

        private enum CodingKeys: String, CodingKey {
            case iss, aud, azp, exp, nonce
        }

        init(from decoder: any Decoder) throws {
            claims = try Claims(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            iss = try container.decode(String.self, forKey: .iss)
            aud =
                container.lenient(.aud, as: String.self).map { [$0] } ?? container.lenientList(
                    .aud, of: String.self) ?? []
            azp = container.lenient(.azp)
            let seconds = try container.decode(Double.self, forKey: .exp)
            exp = Int64(min(max(0, seconds), 8e12))
            nonce = container.lenient(.nonce)
        }
    }
}

/// Who the person is, as their issuer says.
public struct Claims: Hashable, Sendable, Codable {
    /// Bytes of a claim.
    private static let longest = 512

    /// `sub`: never another person's at the same issuer.
    public let subject: String
    public var name: String?
    public var email: String?
    /// Names the person to support's own API, where that is not `sub`.
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
                forKey: .subject, in: container, debugDescription: "is no subject")
        }
        name = Self.line(.name, in: container) ?? Self.line(.givenName, in: container)
        email = Self.line(.email, in: container)
        adminID = Self.line(.adminID, in: container)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(subject, forKey: .subject)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(email, forKey: .email)
        try container.encodeIfPresent(adminID, forKey: .adminID)
    }

    /// From the userinfo endpoint, where the answer is JSON.
    public init(userinfo json: [UInt8]) throws(IDToken.Problem) {
        guard json.count <= IDToken.sizeLimit, let claims = try? JSON.decode(Claims.self, from: json) else {
            throw .unreadable
        }
        self = claims
    }

    /// With what the other one says besides. Both have to be about the same person.
    public func adding(_ other: Claims) throws(IDToken.Problem) -> Claims {
        guard subject.utf8.elementsEqual(other.subject.utf8) else { throw .otherSubject }
        return Claims(
            subject: subject, name: other.name ?? name, email: other.email ?? email,
            adminID: other.adminID ?? adminID)
    }

    private static func line(
        _ key: CodingKeys, in container: KeyedDecodingContainer<CodingKeys>
    ) -> String? {
        container.lenient(key, as: String.self).flatMap { text in
            (1...longest).contains(text.utf8.count) && DisplayName.isReadable(text) ? text : nil
        }
    }
}
