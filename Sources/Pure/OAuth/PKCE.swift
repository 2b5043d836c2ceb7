public import CutieAPI

/// Proof that who redeems a code is who asked for it: RFC 7636 with S256.
public struct ProofKey: Hashable, Sendable, Codable {
    /// What `code_verifier` carries.
    public enum Verifier {}

    public let verifier: Token<Verifier>
    public static let method = "S256"
    /// As many bytes as §4.1 recommends.
    public static let randomBytes = 32

    /// From `randomBytes` bytes that nobody can guess.
    public init(random: [UInt8]) {
        precondition(random.count >= Self.randomBytes)
        verifier = Token(Base64URL.text(of: random))
    }

    /// What `code_challenge` carries.
    public func challenge(sha256: ([UInt8]) -> [UInt8]) -> String {
        Base64URL.text(of: sha256(Array(verifier.rawValue.utf8)))
    }
}
