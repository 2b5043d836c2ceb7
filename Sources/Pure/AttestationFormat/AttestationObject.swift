import CutieAPI
public import FoundationEssentials

/// What a Linux device puts into `attestation`, as JSON with sorted keys, in base64.
///
/// - `format`: `cutied-attestation-1`
/// - `environment`: `software`, or `tpm2` for a key that has never been outside a TPM 2.0
/// - `key`: SubjectPublicKeyInfo (DER) of a P-256 key; the key id is its SHA-256 in lower-case hexadecimal
/// - `signature`: ECDSA (DER) over SHA-256 of the client data, which is challenge, `|` and key id
/// - `quote`, with `tpm2` only: `attested`, a TPMS_ATTEST of TPM2_Quote whose extraData is that SHA-256, and
///   `signature` over it by the same key
///
/// Bytes are in base64 within the JSON, too.
///
/// Nothing in it proves that the TPM is one of a known maker: no certificate chain comes along.
public struct AttestationObject: Hashable, Sendable, Codable {
    public static let format = "cutied-attestation-1"

    public var format = Self.format
    public var environment: AttestationEnvironment
    public var key: Data
    public var signature: Data
    public var quote: Quote?

    public init(
        environment: AttestationEnvironment, key: [UInt8], signature: [UInt8], quote: Quote? = nil
    ) {
        self.environment = environment
        self.key = Data(key)
        self.signature = Data(signature)
        self.quote = quote
    }

    /// A TPM's own word on its state, signed by the key.
    public struct Quote: Hashable, Sendable, Codable {
        public var attested: Data
        public var signature: Data

        public init(attested: [UInt8], signature: [UInt8]) {
            self.attested = Data(attested)
            self.signature = Data(signature)
        }
    }
}

/// Where a key lives, as the device tells.
public enum AttestationEnvironment: String, Hashable, Sendable, Codable {
    case software, tpm2
}
