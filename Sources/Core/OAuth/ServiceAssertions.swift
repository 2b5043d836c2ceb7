public import CutieAPI

/// The claims of a `client_assertion` (RFC 7523 §2.2), which proves that the client holds a key. The claim
/// `cnf` contains the key (RFC 7800 §3.2), to which the service binds the token that it issues.
public struct KeyProof: Encodable, Hashable, Sendable {
    private let iss: String
    private let sub: String
    private let aud: EndpointURL
    private let validity: Validity
    private let cnf: Confirmation

    /// Creates the claims. `id`: the claim `jti`, which must be unique.
    public init(
        client: String, tokenEndpoint: EndpointURL, key: JSONWebKey, id: String, issuedAt: Timestamp
    ) {
        (iss, sub, aud) = (client, client, tokenEndpoint)
        (validity, cnf) = (Validity(id: id, issuedAt: issuedAt), Confirmation(jwk: key))
    }

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, cnf
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(iss, forKey: .iss)
        try container.encode(sub, forKey: .sub)
        try container.encode(aud, forKey: .aud)
        try container.encode(cnf, forKey: .cnf)
        try validity.encode(to: encoder)
    }
}

/// The claims of an `assertion` (RFC 7523 §2.1), which states that a user allows an app to use a service. The
/// key that signs the assertion must be registered at the service.
public struct AppAssertion: Encodable, Hashable, Sendable {
    private let iss: String
    private let sub: String
    private let azp: String
    private let aud: EndpointURL
    private let resource: EndpointURL
    private let validity: Validity
    private let cnf: Confirmation

    /// Creates the claims. `service`: the `engineLink` of the service. `id`: the claim `jti`, which must be
    /// unique.
    public init(
        client: String, person: String, app: String, tokenEndpoint: EndpointURL, service: EndpointURL,
        key: JSONWebKey, id: String, issuedAt: Timestamp
    ) {
        (iss, sub, azp) = (client, person, app)
        (aud, resource) = (tokenEndpoint, service)
        (validity, cnf) = (Validity(id: id, issuedAt: issuedAt), Confirmation(jwk: key))
    }

    private enum CodingKeys: String, CodingKey {
        case iss, sub, azp, aud, resource, cnf
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(iss, forKey: .iss)
        try container.encode(sub, forKey: .sub)
        try container.encode(azp, forKey: .azp)
        try container.encode(aud, forKey: .aud)
        try container.encode(resource, forKey: .resource)
        try container.encode(cnf, forKey: .cnf)
        try validity.encode(to: encoder)
    }
}

/// The validity of an assertion, and the ID that makes it single-use (RFC 7519 §4.1).
private struct Validity: Encodable, Hashable, Sendable {
    /// The lifetime of an assertion in seconds: the maximum that services accept.
    private static let lifetime: Int64 = 300

    /// The time of issue in Unix seconds (NumericDate).
    private let iat: Int64
    private let exp: Int64
    private let jti: String

    init(id: String, issuedAt: Timestamp) {
        let seconds = issuedAt.milliseconds / 1000
        (iat, exp, jti) = (seconds, seconds + Self.lifetime, id)
    }
}

/// The confirmation claim (RFC 7800 §3.2).
private struct Confirmation: Encodable, Hashable, Sendable {
    let jwk: JSONWebKey
}
