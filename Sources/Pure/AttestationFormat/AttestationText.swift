import CutieAPI
import FoundationEssentials

extension AttestationObject {
    /// For `attestation`.
    public var base64: String { text(of: self) }

    /// Throws `malformed`.
    public init(base64: String) throws(AttestationRefusal) {
        self = try value(of: base64, format: Self.format, \.format)
    }

    /// The id of the key of that SubjectPublicKeyInfo.
    public static func keyID(of key: [UInt8], sha256: ([UInt8]) -> [UInt8]) -> String {
        Hexadecimal.text(of: sha256(key))
    }
}

extension AssertionObject {
    /// For `X-App-Assertion`.
    public var base64: String { text(of: self) }

    /// Throws `malformed`.
    public init(base64: String) throws(AttestationRefusal) {
        self = try value(of: base64, format: Self.format, \.format)
    }
}

/// Characters. The objects are less than 2000.
private let textLimit = 16_384

private func text(of value: some Encodable) -> String {
    do {
        return Data(try JSON.encode(value)).base64EncodedString()
    } catch {
        preconditionFailure("an attestation holds a value that JSON does not know: \(error)")
    }
}

private func value<Value: Decodable>(
    of text: String, format: String, _ found: (Value) -> String
) throws(AttestationRefusal) -> Value {
    guard text.utf8.count <= textLimit, let bytes = Data(base64Encoded: text),
        let value = try? JSON.decode(Value.self, from: bytes), found(value) == format
    else { throw .malformed }
    return value
}
