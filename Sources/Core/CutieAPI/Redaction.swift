/// Removes the secrets of a call from error texts: a server or a proxy may echo the request, and errors are
/// stored and shown.
public struct Redaction: Hashable, Sendable {
    private let needles: [[UInt8]]
    /// The replacement for a secret.
    public static let mark = "(secret)"
    /// Bytes; a prefix of this length is hidden too, because an echo may be cut off.
    private static let minLength = 12
    /// Bytes; a shorter value is not treated as a secret, because it could match inside ordinary text.
    private static let minTail = 8
    /// Unicode scalars; the rest of a longer text is cut off.
    private static let longest = 4096

    public init(_ secrets: [String] = []) {
        let long = Set(secrets.filter { $0.utf8.count >= Self.minTail })
        needles = Set(long.flatMap(Self.encodings)).map { Array($0.utf8) }
    }

    /// Returns the secret unchanged, percent-encoded, and with the `\/` escape that some JSON encoders write.
    private static func encodings(of secret: String) -> [String] {
        let parts = secret.split(separator: "/", omittingEmptySubsequences: false)
        return [secret, PercentEncoding.encode(secret), parts.joined(separator: "\\/")]
    }

    /// Returns the start of `text` with every secret replaced; the whole `text` if there are no secrets.
    public func redact(in text: String) -> String {
        guard !needles.isEmpty else { return text }
        let bytes = Array(String(text.unicodeScalars.prefix(Self.longest)).utf8)
        var (result, place): ([UInt8], Int) = ([], 0)
        while place < bytes.count {
            if let length = needles.compactMap({ Self.length(of: $0, in: bytes[place...]) }).max() {
                result += Self.mark.utf8
                place += length
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the length of the secret's prefix at the start of `bytes`; `nil` if it is too short to hide.
    private static func length(of secret: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var count = 0
        for (left, right) in zip(secret, bytes) {
            guard left == right else { break }
            count += 1
        }
        return count >= min(minLength, secret.count) ? count : nil
    }
}

extension APIRequest {
    /// Returns a redaction of the secrets in `headers`, in the body and in the path.
    public func redaction(with headers: [Header]) -> Redaction {
        let secret = [
            HeaderName.deviceToken, HeaderName.apiKey, HeaderName.deviceSecret, HeaderName.appAssertion,
            HeaderName.authorization,
        ]
        let known = headers.filter { header in
            secret.contains { $0.lowercased() == header.name.lowercased() }
        }
        let told = body.flatMap { try? JSON.decode(SecretFields.self, from: $0) }?.values ?? []
        return Redaction(known.map(\.value) + told + tokens)
    }

    /// The link token in the path of a link-status call.
    private var tokens: [String] {
        let segments = path.split(separator: "/")
        guard segments.starts(with: ["v1", "sdk", "link", "status"]), segments.count == 5 else { return [] }
        return [PercentEncoding.decode(segments[4]) ?? String(segments[4])]
    }
}

/// The secrets in a request body.
private struct SecretFields: Decodable {
    let values: [String]

    private enum Field: String, CodingKey, CaseIterable {
        case token, assertion, attestation
        case linkToken = "link_token"
        case pushToken = "push_token"
        case receiptData = "receipt_data"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        values = Field.allCases.compactMap { try? fields.decode(String.self, forKey: $0) }
    }
}
