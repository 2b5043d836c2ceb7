public import CutieAPI

/// The server's side: whether an attestation, and later an assertion, is from the key it names. Challenges
/// are the server's own to make, to let grow old and to accept once.
public struct AttestationVerifier: Sendable {
    /// SHA-256 of bytes.
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// Whether the signature is ECDSA over SHA-256 of the message.
    private let isSignature: @Sendable (Signed) -> Bool

    /// A signature as it came.
    public struct Signed: Sendable {
        /// DER.
        public let signature: [UInt8]
        public let message: [UInt8]
        /// SubjectPublicKeyInfo. Other keys than of P-256 are to be refused.
        public let key: [UInt8]
    }

    /// This module computes nothing itself, so that each side may use the library it has.
    public init(
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        isSignature: @escaping @Sendable (Signed) -> Bool
    ) {
        self.sha256 = sha256
        self.isSignature = isSignature
    }

    /// The key that `submission` shows to be the device's. Throws why it does not.
    public func verify(
        _ submission: Attestation.Submission, for challenge: Attestation.Challenge
    ) throws(AttestationRefusal) -> AttestedKey {
        let object = try AttestationObject(base64: submission.attestation)
        let key = Array(object.key)
        guard AttestationObject.keyID(of: key, sha256: sha256) == submission.keyID else { throw .wrongKeyID }
        let clientData = Array(challenge.clientData(keyID: submission.keyID).utf8)
        guard
            isSignature(Signed(signature: Array(object.signature), message: clientData, key: key))
        else { throw .badSignature }
        switch (object.environment, object.quote) {
        case (.software, nil): break
        case (.tpm2, let quote?): try verify(quote, over: sha256(clientData), by: key)
        case (.software, .some), (.tpm2, nil): throw .badQuote
        }
        return AttestedKey(keyID: submission.keyID, key: key, environment: object.environment)
    }

    /// The counter of an assertion that is `key`'s and about `subject`. Whether it was used before is
    /// `CounterWindow`'s to know.
    public func verify(
        _ assertion: String, about subject: AssertionSubject, by key: AttestedKey
    ) throws(AttestationRefusal) -> UInt64 {
        let object = try AssertionObject(base64: assertion)
        guard object.keyID == key.keyID else { throw .wrongKeyID }
        let message = subject.message(counter: object.counter, sha256: sha256)
        guard
            isSignature(Signed(signature: Array(object.signature), message: message, key: key.key))
        else { throw .badSignature }
        return object.counter
    }

    private func verify(
        _ quote: AttestationObject.Quote, over hash: [UInt8], by key: [UInt8]
    ) throws(AttestationRefusal) {
        let attested = Array(quote.attested)
        guard QuotedData(of: attested)?.bytes == hash,
            isSignature(Signed(signature: Array(quote.signature), message: attested, key: key))
        else { throw .badQuote }
    }
}

/// A key that a device has shown to hold.
public struct AttestedKey: Hashable, Sendable {
    public let keyID: String
    /// SubjectPublicKeyInfo, DER.
    public let key: [UInt8]
    public let environment: AttestationEnvironment

    public init(keyID: String, key: [UInt8], environment: AttestationEnvironment) {
        self.keyID = keyID
        self.key = key
        self.environment = environment
    }
}

/// Why an attestation or an assertion does not count.
public enum AttestationRefusal: String, Error, Hashable, Sendable, CustomStringConvertible {
    case malformed, wrongKeyID, badSignature, badQuote

    public var description: String {
        switch self {
        case .malformed: "it is not of a format known here"
        case .wrongKeyID: "the key id is not that of the key"
        case .badSignature: "the signature is not the key's, or about something else"
        case .badQuote: "the environment and the TPM's quote do not agree"
        }
    }
}
