public import CutieAPI
public import FoundationEssentials

/// What `X-App-Assertion` carries, and `assertion` of `/v1/device/attest/assert`: JSON with sorted keys, in
/// base64.
///
/// - `format`: `cutied-assertion-1`
/// - `key_id`: of the attested key
/// - `counter`: whole number, never used twice by a key
/// - `signature`: ECDSA (DER) over SHA-256 of three lines with a line feed between them: the format, the
///   counter, and the hexadecimal SHA-256 of the subject
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
}

/// What an assertion is about.
public enum AssertionSubject: Hashable, Sendable {
    /// A request of that device; `target` is path and query as they are sent, from `/v1` on.
    case request(method: String, target: String, body: [UInt8], device: DeviceID)
    /// `client_data` of `/v1/device/attest/assert`.
    case clientData(String)

    /// The request as it will be sent.
    public init(_ request: APIRequest, device: DeviceID) {
        self = .request(
            method: request.method.rawValue, target: request.target, body: request.body ?? [], device: device)
    }

    /// What is signed. No part can run into the next one: only the last may hold a line feed.
    public func message(counter: UInt64, sha256: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let subject =
            switch self {
            case .request(let method, let target, let body, let device):
                "request\n\(method)\n\(target)\n\(Hexadecimal.text(of: sha256(body)))\n\(device)"
            case .clientData(let text): "client-data\n\(text)"
            }
        let hash = Hexadecimal.text(of: sha256(Array(subject.utf8)))
        return Array("\(AssertionObject.format)\n\(counter)\n\(hash)".utf8)
    }
}
