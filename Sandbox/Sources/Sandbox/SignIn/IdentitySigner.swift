import Crypto
import CryptoExtras
import CutieAPI
import Foundation
import GRDB

/// A signer of ID tokens (with ES256 or RS256) and assertions (with ES256). The signing keys are stored in
/// the database.
struct IdentitySigner: Sendable {
    private let publicKey: PublicKey
    private let key: P256.Signing.PrivateKey
    private let rsa: RSAKey

    init(_ key: P256.Signing.PrivateKey, rsa: RSAKey) {
        (publicKey, self.key, self.rsa) = (PublicKey(key.publicKey), key, rsa)
    }

    func sign(
        _ claims: some Encodable & Sendable, with algorithm: IDTokenAlgorithm = .es256
    ) async throws -> String {
        switch algorithm {
        case .es256:
            try WebToken(claims, for: publicKey).signed { try key.signature(for: $0).rawRepresentation }
        case .rs256: try await rsa.sign(claims)
        }
    }

    var publicKeys: [PublicKey] {
        get async throws { [try await rsa.publicKey, publicKey] }
    }
}

extension IdentitySigner: IssuerKeySource {
    func findKey(id: String) -> P256.Signing.PublicKey? { id == publicKey.id ? key.publicKey : nil }
}

/// The signing input of a JSON Web Token: the header and the claims in the compact serialization (RFC
/// 7515, 7.1).
struct WebToken {
    private let text: String

    init(_ claims: some Encodable, for key: PublicKey) throws {
        let header = Header(algorithm: key.algorithm, keyID: key.id)
        text = try [JSON.encode(header), JSON.encode(claims)].map { Data($0).base64URL }.joined(
            separator: ".")
    }

    func signed(by sign: (Data) throws -> Data) rethrows -> String {
        try text + "." + sign(Data(text.utf8)).base64URL
    }

    private struct Header: Encodable {
        let algorithm: IDTokenAlgorithm
        let type = "JWT"
        let keyID: String

        enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case type = "typ"
            case keyID = "kid"
        }
    }
}

/// A public key as a JSON Web Key (RFC 7517; RFC 7518, 6).
struct PublicKey: Encodable, Sendable {
    let type: String
    let algorithm: IDTokenAlgorithm
    let use = "sig"
    let id: String
    private var curve: String?
    private var x: String?
    private var y: String?
    private var modulus: String?
    private var exponent: String?

    enum CodingKeys: String, CodingKey {
        case use, x, y
        case type = "kty"
        case curve = "crv"
        case algorithm = "alg"
        case id = "kid"
        case modulus = "n"
        case exponent = "e"
    }

    init(_ key: P256.Signing.PublicKey) {
        let point = key.rawRepresentation
        (type, algorithm, curve) = ("EC", .es256, "P-256")
        (x, y) = (point.prefix(32).base64URL, point.suffix(32).base64URL)
        id = Data(SHA256.hash(data: point)).prefix(12).base64URL
    }

    init(_ key: _RSA.Signing.PublicKey) throws {
        let numbers = try key.getKeyPrimitives()
        (type, algorithm) = ("RSA", .rs256)
        (modulus, exponent) = (numbers.modulus.base64URL, numbers.publicExponent.base64URL)
        id = Data(SHA256.hash(data: numbers.modulus)).prefix(12).base64URL
    }
}

/// The claims of an ID token, which identifies the signed-in user (OpenID Connect Core 1.0, 2).
struct IdentityToken: Encodable {
    let issuer: String
    let subject: String
    let audience: String
    /// The time at which the token expires, in Unix seconds. The other times of the token have the same unit.
    let expiry: Int64
    let issuedAt: Int64
    let authenticatedAt: Int64
    let nonce: String?
    /// The left half of the hash of the access token (the `at_hash` claim).
    let accessTokenHash: String
    let adminID: String
    let name: String?
    let email: String?
    let isEmailVerified: Bool?

    enum CodingKeys: String, CodingKey {
        case nonce, name, email
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case expiry = "exp"
        case issuedAt = "iat"
        case authenticatedAt = "auth_time"
        case accessTokenHash = "at_hash"
        case adminID = "admin_id"
        case isEmailVerified = "email_verified"
    }

    /// Creates an ID token that expires in one hour.
    init(_ signIn: TokenGrant, by issuer: Issuer, with accessToken: String) {
        let now = Timestamp.now.milliseconds / 1000
        let admin = signIn.admin
        self.issuer = issuer.url
        subject = admin.subject
        audience = signIn.client
        expiry = now + 3600
        issuedAt = now
        authenticatedAt = signIn.authenticatedAt.milliseconds / 1000
        nonce = signIn.nonce
        accessTokenHash = Data(SHA256.hash(data: Data(accessToken.utf8))).prefix(16).base64URL
        adminID = admin.id
        name = signIn.scopes.contains(.profile) ? admin.name : nil
        email = signIn.scopes.contains(.email) ? admin.email : nil
        isEmailVerified = signIn.scopes.contains(.email) ? admin.isEmailVerified : nil
    }
}

extension Data {
    /// Base64url without padding, as used by JSON Web Tokens and PKCE.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension Archive {
    /// Returns the signer of this database. Generates the ES256 key when called for the first time.
    func loadSigner() async throws -> IdentitySigner {
        let kept = try await change { change in
            try change.database.findOrStoreSetting("id_token_key") {
                P256.Signing.PrivateKey().rawRepresentation.base64EncodedString()
            }
        }
        guard let raw = Data(base64Encoded: kept),
            let key = try? P256.Signing.PrivateKey(rawRepresentation: raw)
        else { throw SandboxError(.badDatabase, "the key for ID tokens in the database cannot be read") }
        return IdentitySigner(key, rsa: RSAKey(in: self))
    }
}
