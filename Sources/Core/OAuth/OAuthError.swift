public import CutieAPI

/// An error from an authorization server (RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5).
public struct OAuthError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        init(_ rawValue: String) { self.rawValue = rawValue }

        public static let invalidRequest = Code("invalid_request")
        public static let invalidClient = Code("invalid_client")
        /// The code or the refresh token is not valid.
        public static let invalidGrant = Code("invalid_grant")
        /// The bearer token of the request is not valid (RFC 6750 §3.1).
        public static let invalidToken = Code("invalid_token")
        public static let unauthorizedClient = Code("unauthorized_client")
        public static let unsupportedGrantType = Code("unsupported_grant_type")
        public static let invalidScope = Code("invalid_scope")
        public static let accessDenied = Code("access_denied")
        /// The user has not decided yet.
        public static let authorizationPending = Code("authorization_pending")
        public static let slowDown = Code("slow_down")
        public static let expiredToken = Code("expired_token")
        public static let serverError = Code("server_error")
        public static let temporarilyUnavailable = Code("temporarily_unavailable")
    }

    public let code: Code
    /// The server's message, truncated to one line; `nil` if the server sent none.
    public let message: String?
    /// The new delay between two polls in seconds, which GitHub sends with `slow_down`; `nil` if the server
    /// sent none.
    public let interval: Int?

    private enum CodingKeys: String, CodingKey {
        case interval
        case code = "error"
        case message = "error_description"
    }

    /// Creates an error. `nil` if `code` is not a valid error code: empty, too long, or with spaces, quotes
    /// or a secret.
    public init?(
        code: String, message: String?, interval: Int? = nil, hiding secrets: Redaction = Redaction()
    ) {
        let isCode =
            (1...64).contains(code.utf8.count)
            && code.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard isCode, secrets.redactingSecrets(in: code) == code else { return nil }
        self.code = Code(code)
        self.message = message.flatMap { Self.sanitizedLine(secrets.redactingSecrets(in: $0)) }
        self.interval = interval
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let code = try container.decode(String.self, forKey: .code)
        let message = container.decodeIfReadable(.message, as: String.self)
        guard
            let error = OAuthError(
                code: code, message: message, interval: container.decodeSeconds(forKey: .interval))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .code, in: container, debugDescription: "is not an error code")
        }
        self = error
    }

    /// Parses an error response; `nil` if the response is not from an authorization server, for example an
    /// HTML page or an error of a proxy.
    public init?(json: [UInt8], hiding secrets: Redaction) {
        guard json.count <= TokenResponse.sizeLimit, let said = try? JSON.decode(OAuthError.self, from: json)
        else { return nil }
        self.init(code: said.code.rawValue, message: said.message, interval: said.interval, hiding: secrets)
    }

    public var description: String { code.rawValue + (message.map { ": " + $0 } ?? "") }

    /// Whether the error code is defined as temporary, so that a retry may succeed later.
    public var isTemporary: Bool { [.serverError, .temporarilyUnavailable].contains(code) }

    /// Whether the error is a device authorization error (RFC 8628 §3.5). These errors are valid with any
    /// HTTP status: Google sends 428, Auth0 429 and GitHub 200.
    public var isAboutDecision: Bool {
        Self.denials.contains(code) || Self.expirations.contains(code)
            || [.authorizationPending, .slowDown].contains(code)
    }

    /// Whether RFC 6749, RFC 6750 or RFC 8628 defines the code. Other codes, such as `not_found`, are from a
    /// web server that is not an authorization server.
    public var isStandard: Bool {
        isAboutDecision || isTemporary || Self.refusals.contains(code)
    }

    private static let refusals: Set<Code> = [
        .invalidRequest, .invalidClient, .invalidGrant, .unauthorizedClient, .unsupportedGrantType,
        .invalidScope, .invalidToken,
    ]

    var isDenial: Bool { Self.denials.contains(code) }
    var isExpiration: Bool { Self.expirations.contains(code) }

    /// Only Entra sends the second code in each set.
    private static let denials: Set<Code> = [.accessDenied, Code("authorization_declined")]
    private static let expirations: Set<Code> = [.expiredToken, Code("code_expired")]

    /// Returns at most 300 characters without control characters; `nil` if the result is blank.
    private static func sanitizedLine(_ text: String) -> String? { APIError(status: 400, text: text).text }
}

/// The `WWW-Authenticate: Bearer` challenge of a protected resource (RFC 6750 §3).
public struct BearerChallenge: Hashable, Sendable {
    /// The error code of the challenge; `nil` if the header contains no error code, because the request had
    /// no token.
    public var error: String?
    /// The scope that the resource requires; `nil` if the header contains no scope.
    public var scope: Scope?

    public static let insufficientScope = "insufficient_scope"

    /// Parses the header; `nil` if its first challenge is not `Bearer`.
    public init?(header: String) {
        var rest = Substring(header.prefix(4096))
        guard rest.prefix(6).lowercased() == "bearer" else { return nil }
        rest = rest.dropFirst(6)
        guard rest.isEmpty || rest.first == " " else { return nil }
        while let (name, value) = Self.parseParameter(from: &rest) {
            switch name.lowercased() {
            case "error": error = value
            case "scope": scope = Scope(text: value)
            default: break
            }
        }
    }

    /// Consumes and returns the next parameter, `name="value"` or `name=value`; `nil` if the header or the
    /// challenge has
    /// no further parameter.
    private static func parseParameter(from rest: inout Substring) -> (name: Substring, value: String)? {
        rest = rest.drop { $0 == " " || $0 == "," || $0 == "\t" }
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
        let behind = rest[name.endIndex...]
        guard !name.isEmpty, behind.first == "=" else { return nil }
        rest = behind.dropFirst()
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != "," && $0 != " " }
            rest = rest[value.endIndex...]
            return (name, String(value))
        }
        return parseQuotedValue(from: &rest).map { (name, $0) }
    }

    private static func parseQuotedValue(from rest: inout Substring) -> String? {
        var value = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\": if let next = rest.popFirst() { value.append(next) }
            default: value.append(character)
            }
        }
        return nil
    }
}
