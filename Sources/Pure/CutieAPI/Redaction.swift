/// Takes the secrets of a call out of what is said about it: a server, or a proxy before it, may echo what it was
/// sent, and errors are kept and shown.
public struct Redaction: Hashable, Sendable {
    private let needles: [[UInt8]]
    /// What stands in a secret's place.
    public static let mark = "(secret)"
    /// So much of a secret gives it away, also where an echo ends in the middle.
    private static let least = 12
    /// A shorter one is no secret, and its place may be in the midst of words.
    private static let shortest = 8
    /// Nobody is shown more of a text than that.
    private static let longest = 4096

    public init(_ secrets: [String] = []) {
        let long = Set(secrets.filter { $0.utf8.count >= Self.shortest })
        needles = Set(long.flatMap(Self.spellings)).map { Array($0.utf8) }
    }

    /// As it is, as a part of a URL, and as other writers of JSON escape it.
    private static func spellings(of secret: String) -> [String] {
        let parts = secret.split(separator: "/", omittingEmptySubsequences: false)
        return [secret, PercentEncoding.encode(secret), parts.joined(separator: "\\/")]
    }

    /// The beginning of `text`, without them.
    public func hide(in text: String) -> String {
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

    /// How much of the secret stands at the beginning of `bytes`; nil where that does not give it away.
    private static func length(of secret: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var count = 0
        for (left, right) in zip(secret, bytes) {
            guard left == right else { break }
            count += 1
        }
        return count >= min(least, secret.count) ? count : nil
    }
}

extension APIRequest {
    /// What of a call with these headers is a secret: of the account, or of what it is about.
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

    /// In the path: of a link's status.
    private var tokens: [String] {
        let segments = path.split(separator: "/")
        guard segments.starts(with: ["v1", "sdk", "link", "status"]), segments.count == 5 else { return [] }
        return [PercentEncoding.decode(segments[4]) ?? String(segments[4])]
    }
}

/// The fields of a body that are secrets.
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
