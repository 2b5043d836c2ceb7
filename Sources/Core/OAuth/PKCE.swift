public import CutieAPI

/// A PKCE verifier for the method S256 (RFC 7636). The verifier proves that the client that redeems an
/// authorization code is the client that requested it.
public struct ProofKey: Hashable, Sendable, Codable {
    /// The phantom type of verifiers (`code_verifier`).
    public enum Verifier {}

    public let verifier: Token<Verifier>
    public static let method = "S256"
    /// The number of bytes that RFC 7636 §4.1 recommends.
    public static let randomBytes = 32

    /// Creates a key from at least `randomBytes` bytes of a secure random source.
    public init(random: [UInt8]) {
        precondition(random.count >= Self.randomBytes)
        verifier = Token(Base64URL.encode(random))
    }

    /// Returns the value of `code_challenge`.
    public func computeChallenge(sha256Function: ([UInt8]) -> [UInt8]) -> String {
        Base64URL.encode(sha256Function(Array(verifier.rawValue.utf8)))
    }
}
