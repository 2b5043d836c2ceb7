/// The secrets of a call, which are removed from error messages: a server or a proxy may repeat the request
/// in its error message, and error messages are stored and shown to the user.
public struct Redaction: Hashable, Sendable {
    private let needles: [[UInt8]]
    /// The string that replaces a secret.
    public static let mark = "(secret)"
    /// The minimum length in bytes of a partial secret that is also replaced. If a server truncates the
    /// request that it repeats, the error message may contain only the start of a secret.
    private static let minPrefixLength = 12
    /// The minimum length in bytes of a secret. Shorter values are not replaced, because ordinary text may
    /// contain them.
    private static let minSecretLength = 8
    private static let maxLength = 4096

    public init(_ secrets: [String] = []) {
        let long = Set(secrets.filter { $0.utf8.count >= Self.minSecretLength })
        needles = Set(long.flatMap(Self.encodings)).map { Array($0.utf8) }
    }

    /// Returns the forms in which a server may repeat the secret: unchanged, percent-encoded, and with
    /// slashes escaped as `\/`, as some JSON encoders write them.
    private static func encodings(of secret: String) -> [String] {
        let parts = secret.split(separator: "/", omittingEmptySubsequences: false)
        return [secret, PercentEncoding.encode(secret), parts.joined(separator: "\\/")]
    }

    /// Returns at most the first 4096 Unicode scalars of `text`, with every secret replaced. Returns `text`
    /// unchanged if there are no secrets.
    public func redactingSecrets(in text: String) -> String {
        guard !needles.isEmpty else { return text }
        let bytes = Array(String(text.unicodeScalars.prefix(Self.maxLength)).utf8)
        var (result, place): ([UInt8], Int) = ([], 0)
        while place < bytes.count {
            if let length = needles.compactMap({ Self.matchedPrefixLength(of: $0, in: bytes[place...]) })
                .max()
            {
                result += Self.mark.utf8
                place += length
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns how many bytes at the start of `bytes` match the start of `secret`; `nil` if the match is
    /// too short to be replaced.
    private static func matchedPrefixLength(of secret: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var count = 0
        for (left, right) in zip(secret, bytes) {
            guard left == right else { break }
            count += 1
        }
        return count >= min(minPrefixLength, secret.count) ? count : nil
    }
}

extension APIRequest {
    /// Returns the redaction for a call, with the secrets in `headers`, in the body and in the path.
    public func redaction(includingSecretsIn headers: [Header]) -> Redaction {
        let secret = [
            HeaderName.deviceToken, HeaderName.apiKey, HeaderName.deviceSecret, HeaderName.appAssertion,
            HeaderName.authorization,
        ]
        let known = headers.filter { header in
            secret.contains { $0.lowercased() == header.name.lowercased() }
        }
        let bodyValues = body.flatMap { try? JSON.decode(SecretFields.self, from: $0) }?.values ?? []
        return Redaction(known.map(\.value) + bodyValues + tokens)
    }

    /// The link token in the path of a link status request; empty for any other request.
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
