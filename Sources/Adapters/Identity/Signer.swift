public import AttestationFormat

/// A P-256 key that signs bytes and never shows itself.
public protocol Signer: Sendable {
    var environment: AttestationEnvironment { get }
    /// SubjectPublicKeyInfo, DER.
    var publicKey: [UInt8] { get }
    /// ECDSA over SHA-256 of `message`, DER.
    func signature(of message: [UInt8]) async throws(SigningFailure) -> [UInt8]
    /// A TPM's quote over the SHA-256 `hash`; nil where the key is in no TPM.
    func quote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote?
}

/// Why a key did not sign, or could not be made.
public struct SigningFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no TPM here that this user may use, or what it needs is not installed.
        case noTPM
        /// The TPM answered with an error.
        case refused
        /// What was kept is no key, or the TPM is another one.
        case badKey
    }

    public let code: Code
    /// What is wrong and what to do.
    public let description: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        description = sentence
    }
}
