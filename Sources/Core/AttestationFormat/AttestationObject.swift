public import CutieAPI
public import FoundationEssentials

/// The content of `attestation` for a Linux device: JSON with sorted keys, in base64.
///
/// - `format`: `cutied-attestation-1`
/// - `environment`: `software`, or `tpm2` for a key that has never left a TPM 2.0
/// - `key`: SubjectPublicKeyInfo (DER) of a P-256 key; the key ID is the SHA-256 of these bytes in lowercase
///   hexadecimal
/// - `signature`: ECDSA (DER) over SHA-256 of the client data, which is the challenge, `|` and the key ID
/// - `quote`: an object, for `tpm2` only. Its `attested` is a TPMS_ATTEST of TPM2_Quote, whose extraData is
///   the SHA-256 of the client data. Its `signature` is made over `attested` with the same key.
///
/// Binary values inside the JSON are also base64.
///
/// The object does not prove that a known manufacturer made the TPM, because the object has no certificate
/// chain.
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

    /// The result of TPM2_Quote: the quoted data and its signature.
    public struct Quote: Hashable, Sendable, Codable {
        public var attested: Data
        public var signature: Data

        public init(attested: [UInt8], signature: [UInt8]) {
            self.attested = Data(attested)
            self.signature = Data(signature)
        }
    }

    /// The value of `attestation` in a request.
    public var base64: String { encodeBase64JSON(self) }

    /// Decodes the value of `attestation`.
    ///
    /// - Throws: `malformed` if the string cannot be decoded.
    public init(base64: String) throws(AttestationRefusal) {
        self = try decodeBase64JSON(base64, expectedFormat: Self.format, readFormat: \.format)
    }

    /// Returns the key ID of `key`, a SubjectPublicKeyInfo in DER: the SHA-256 in hexadecimal.
    /// `sha256Function`: returns the SHA-256 of its argument.
    public static func keyID(of key: [UInt8], sha256Function: ([UInt8]) -> [UInt8]) -> String {
        Hexadecimal.hexText(of: sha256Function(key))
    }
}

/// Whether a device stores its key in software or in a TPM, as reported by the device.
public enum AttestationEnvironment: String, Hashable, Sendable, Codable {
    case software, tpm2
}

/// The content of `X-App-Assertion`, and of `assertion` in `/v1/device/attest/assert`: JSON with sorted keys,
/// in base64.
///
/// - `format`: `cutied-assertion-1`
/// - `key_id`: the ID of the attested key
/// - `counter`: an integer that is never used twice with the same key
/// - `signature`: ECDSA (DER) over SHA-256 of three lines separated by a line feed: the format, the counter,
///   and the hexadecimal SHA-256 of the subject
public struct AssertionObject: Hashable, Sendable, Codable {
    public static let format = "cutied-assertion-1"

    public var format = Self.format
    public var keyID: String
    public var counter: UInt64
    public var signature: Data

    public init(keyID: String, counter: UInt64, signature: [UInt8]) {
        self.keyID = keyID
        self.counter = counter
        self.signature = Data(signature)
    }

    enum CodingKeys: String, CodingKey {
        case format, counter, signature
        case keyID = "key_id"
    }

    /// The value of `X-App-Assertion`.
    public var base64: String { encodeBase64JSON(self) }

    /// Decodes the value of `X-App-Assertion`.
    ///
    /// - Throws: `malformed` if the string cannot be decoded.
    public init(base64: String) throws(AttestationRefusal) {
        self = try decodeBase64JSON(base64, expectedFormat: Self.format, readFormat: \.format)
    }
}

/// The data that the signature of an assertion covers.
public enum AssertionSubject: Hashable, Sendable {
    /// A request from `device`. `target` is the path and the query as sent, starting with `/v1`.
    case request(method: String, target: String, body: [UInt8], device: DeviceID)
    /// The value of `client_data` in a request to `/v1/device/attest/assert`.
    case clientData(String)

    /// Creates the subject for `request`. The method, target and body must be exactly those that are sent.
    public init(_ request: APIRequest, device: DeviceID) {
        self = .request(
            method: request.method.rawValue, target: request.target, body: request.body ?? [], device: device)
    }

    /// Returns the bytes to sign. The parts of a subject are separated by line feeds. Only the last part can
    /// contain a line feed, so different subjects always have different bytes.
    public func messageToSign(counter: UInt64, sha256Function: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let subject =
            switch self {
            case .request(let method, let target, let body, let device):
                "request\n\(method)\n\(target)\n\(Hexadecimal.hexText(of: sha256Function(body)))\n\(device)"
            case .clientData(let text): "client-data\n\(text)"
            }
        let hash = Hexadecimal.hexText(of: sha256Function(Array(subject.utf8)))
        return Array("\(AssertionObject.format)\n\(counter)\n\(hash)".utf8)
    }
}

/// The maximum size of an encoded object in bytes. A valid object is smaller than 2000 bytes.
private let textLimit = 16_384

private func encodeBase64JSON(_ value: some Encodable) -> String {
    do {
        return Data(try JSON.encode(value)).base64EncodedString()
    } catch {
        preconditionFailure("the attestation cannot be encoded as JSON: \(error)")
    }
}

private func decodeBase64JSON<Value: Decodable>(
    _ text: String, expectedFormat: String, readFormat: (Value) -> String
) throws(AttestationRefusal) -> Value {
    guard text.utf8.count <= textLimit, let bytes = Data(base64Encoded: text),
        let value = try? JSON.decode(Value.self, from: bytes), readFormat(value) == expectedFormat
    else { throw .malformed }
    return value
}
