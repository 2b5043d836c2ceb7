public import CutieAPI

/// A verifier for attestations and assertions, for use in servers. The server itself must create the
/// challenges, limit their lifetime, and accept each challenge only once.
public struct AttestationVerifier: Sendable {
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// A function that returns whether `signature` is a valid ECDSA signature over the SHA-256 of `message`.
    private let isValidSignature: @Sendable (SignedMessage) -> Bool

    public struct SignedMessage: Sendable {
        /// An ECDSA signature in DER.
        public let signature: [UInt8]
        public let message: [UInt8]
        /// A SubjectPublicKeyInfo. The verifying function must reject keys that are not P-256.
        public let key: [UInt8]
    }

    /// Creates a verifier. The caller passes the cryptographic functions, so that clients and servers can use
    /// different libraries.
    public init(
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        isValidSignature: @escaping @Sendable (SignedMessage) -> Bool
    ) {
        self.sha256 = sha256
        self.isValidSignature = isValidSignature
    }

    /// Verifies that the device has the private key of the public key in `submission`, and returns the public
    /// key.
    ///
    /// - Throws: the reason for the rejection.
    public func verify(
        _ submission: Attestation.Submission, for challenge: Attestation.Challenge
    ) throws(AttestationRefusal) -> AttestedKey {
        let object = try AttestationObject(base64: submission.attestation)
        let key = Array(object.key)
        guard AttestationObject.keyID(of: key, sha256Function: sha256) == submission.keyID else {
            throw .wrongKeyID
        }
        let clientData = Array(challenge.clientData(keyID: submission.keyID).utf8)
        guard
            isValidSignature(SignedMessage(signature: Array(object.signature), message: clientData, key: key))
        else { throw .badSignature }
        switch (object.environment, object.quote) {
        case (.software, nil): break
        case (.tpm2, let quote?): try verify(quote, over: sha256(clientData), key: key)
        case (.software, .some), (.tpm2, nil): throw .badQuote
        }
        return AttestedKey(keyID: submission.keyID, key: key, environment: object.environment)
    }

    /// Verifies that `key` signed the assertion about `subject`, and returns the assertion's counter. To
    /// detect a replay, the caller must pass the counter to `CounterWindow`.
    public func verify(
        _ assertion: String, about subject: AssertionSubject, key: AttestedKey
    ) throws(AttestationRefusal) -> UInt64 {
        let object = try AssertionObject(base64: assertion)
        guard object.keyID == key.keyID else { throw .wrongKeyID }
        let message = subject.messageToSign(counter: object.counter, sha256Function: sha256)
        guard
            isValidSignature(
                SignedMessage(signature: Array(object.signature), message: message, key: key.key))
        else { throw .badSignature }
        return object.counter
    }

    private func verify(
        _ quote: AttestationObject.Quote, over hash: [UInt8], key: [UInt8]
    ) throws(AttestationRefusal) {
        let attested = Array(quote.attested)
        guard QuotedData(of: attested)?.bytes == hash,
            isValidSignature(SignedMessage(signature: Array(quote.signature), message: attested, key: key))
        else { throw .badQuote }
    }
}

/// A public key for which a device has proved possession of the private key.
public struct AttestedKey: Hashable, Sendable {
    public let keyID: String
    /// The public key as a SubjectPublicKeyInfo in DER.
    public let key: [UInt8]
    public let environment: AttestationEnvironment

    public init(keyID: String, key: [UInt8], environment: AttestationEnvironment) {
        self.keyID = keyID
        self.key = key
        self.environment = environment
    }
}

/// The reason why an attestation or assertion is rejected.
public enum AttestationRefusal: String, Error, Hashable, Sendable, CustomStringConvertible {
    case malformed, wrongKeyID, badSignature, badQuote

    public var description: String {
        switch self {
        case .malformed: "it has an unknown format"
        case .wrongKeyID: "the key id does not match the key"
        case .badSignature: "the signature does not match the key or the data"
        case .badQuote: "the environment does not match the TPM's quote"
        }
    }
}

/// The counters that a key has used, for replay detection. Requests can arrive out of order, so each of the
/// last 64 counters is accepted once, in any order.
public struct CounterWindow: Hashable, Sendable {
    /// The highest used counter; 0 if none was used.
    public private(set) var highest: UInt64
    /// Bit n is set if the counter `highest - n` was used.
    public private(set) var used: UInt64

    public init(highest: UInt64 = 0, used: UInt64 = 1) {
        self.highest = highest
        self.used = used
    }

    /// Marks `counter` as used and returns `true`. Returns `false`, without effect, if the counter was used
    /// before, or is 64 or more below `highest`.
    public mutating func markUsed(_ counter: UInt64) -> Bool {
        if counter > highest {
            let step = counter - highest
            used = step < 64 ? used << step | 1 : 1
            highest = counter
            return true
        }
        let age = highest - counter
        guard age < 64, used & (1 << age) == 0 else { return false }
        used |= 1 << age
        return true
    }
}

/// The extraData of a TPMS_ATTEST from TPM2_Quote (TPM 2.0 Library, Part 2, 10.12.12).
private struct QuotedData {
    let bytes: [UInt8]

    /// Parses `attested`; `nil` if it is not a TPMS_ATTEST from TPM2_Quote.
    init?(of attested: [UInt8]) {
        var rest = attested[...]
        // The prefix is TPM_GENERATED_VALUE, then TPM_ST_ATTEST_QUOTE. The prefix proves that the TPM created
        // the data, because a restricted key never signs external data with this prefix.
        guard Self.readBytes(count: 6, from: &rest) == [0xFF, 0x54, 0x43, 0x47, 0x80, 0x18],
            Self.readLengthPrefixedBytes(from: &rest) != nil,  // qualifiedSigner
            let data = Self.readLengthPrefixedBytes(from: &rest)
        else { return nil }
        bytes = data
    }

    private static func readLengthPrefixedBytes(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        readBytes(count: 2, from: &rest).flatMap {
            readBytes(count: Int($0[0]) << 8 | Int($0[1]), from: &rest)
        }
    }

    private static func readBytes(count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
