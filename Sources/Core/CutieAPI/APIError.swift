public import Reasons

/// An HTTP response with a status of 400 or more, or with a redirect that was not followed.
public struct APIError: Error, Hashable, Sendable {
    /// The class of the error, which determines how the caller reacts.
    public enum Disposition: Hashable, Sendable {
        /// Temporary error: retry later.
        case retry
        /// The API rejected the token: register again and retry the call, each at most once.
        case unauthorized
        /// The server does not support the call, or the conversation or message does not exist. Event
        /// delivery falls back to the next transport.
        case notOffered
        /// Permanent error: a retry fails until the user changes something.
        case fatal
    }

    public let status: Int
    /// The server's error message, reduced to one printable line; `nil` if the server sent none.
    public let text: String?
    /// The machine-readable reason for the error; `nil` if the server sent no valid code.
    public let code: ErrorCode?
    public let retryAfter: RetryAfter?
    /// Whether the body has the API's error format, unlike a response from a captive portal or a proxy.
    public let isFromAPI: Bool

    public init(
        status: Int, text: String? = nil, code: ErrorCode? = nil, retryAfter: RetryAfter? = nil
    ) {
        isFromAPI = text != nil
        self.status = status
        self.text = text.flatMap(Self.sanitizedLine)
        self.code = code.flatMap(Self.validCode)
        self.retryAfter = retryAfter
    }

    /// Parses a response; the body may be empty or not JSON. The server's message is redacted with `secrets`.
    public init(
        status: Int, body: some Sequence<UInt8>, retryAfter header: String? = nil,
        hiding secrets: Redaction
    ) {
        let said = try? JSON.decode(ErrorBody.self, from: body)
        // Redact secrets before the text is truncated, because truncation could leave a part of a secret that
        // is no longer recognized.
        let code = said?.code.flatMap { secrets.redactingSecrets(in: $0.rawValue) == $0.rawValue ? $0 : nil }
        self.init(
            status: status, text: said.map { secrets.redactingSecrets(in: $0.error) }, code: code,
            retryAfter: header.flatMap(RetryAfter.init(header:)))
    }

    public var disposition: Disposition {
        switch status {
        case 401: .unauthorized
        case 404, 405, 406, 501: .notOffered
        case 408, 425, 429, 500...599: .retry
        default: .fatal
        }
    }

    /// Returns `code` if it consists of 1 to 64 letters, digits, `_`, `-` or `.`; otherwise `nil`.
    private static func validCode(_ code: ErrorCode) -> ErrorCode? {
        let isPlain = code.rawValue.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-.".utf8.contains(byte)
            }
        }
        return isPlain && (1...64).contains(code.rawValue.utf8.count) ? code : nil
    }

    /// Returns the first 300 characters on one line without control characters; `nil` if the result is blank.
    private static func sanitizedLine(_ text: String) -> String? {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(300)))
        let line = DisplayName.cleaned(start, replacement: " ")
        return line.allSatisfy { $0 == " " } ? nil : line
    }
}

extension APIError: CustomStringConvertible {
    public var description: String { reason.english }

    /// The error as a reason. The server's message is not translated.
    public var reason: Reason {
        let suffix = code.map { " (\($0.rawValue))" } ?? ""
        guard let text else { return Reason(.serverAnswered, ["status": "\(status)" + suffix]) }
        return Reason(.serverAnsweredWith, ["status": "\(status)", "message": text + suffix])
    }
}

/// The body of an error response.
public struct ErrorBody: Hashable, Sendable, Codable {
    public var error: String
    /// A machine-readable reason (an extension of the API contract); `nil` if the server sent none.
    public var code: ErrorCode?

    public init(error: String, code: ErrorCode? = nil) {
        self.error = error
        self.code = code
    }

    private enum CodingKeys: String, CodingKey {
        case error, code
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        error = try container.decode(String.self, forKey: .error)
        code = container.decodeIfReadable(.code)
    }
}

/// The machine-readable reason for a rejection. The API sends all these errors with the status 403 instead of
/// 401, because a device discards its token after a 401.
public struct ErrorCode: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device is attested, so a request that changes data needs an `X-App-Assertion`.
    public static let assertionRequired = ErrorCode("assertion_required")
    /// The signature is not from the device's key or does not match the request.
    public static let assertionInvalid = ErrorCode("assertion_invalid")
    /// The counter was already used or is too old: sign the request again with the next counter.
    public static let assertionReplayed = ErrorCode("assertion_replayed")
    /// The server has no record of the key, for example because the key was removed: attest again.
    public static let notAttested = ErrorCode("not_attested")
    /// The challenge was used, expired or was replaced: request a new challenge.
    public static let challengeUnknown = ErrorCode("challenge_unknown")
    /// The token of the support account is valid but lacks a scope.
    public static let insufficientScope = ErrorCode("insufficient_scope")
    /// The attestation does not meet the server's requirements.
    public static let attestationInvalid = ErrorCode("attestation_invalid")
}

/// The minimum delay before a retry, as requested by the server.
public enum RetryAfter: Hashable, Sendable {
    case seconds(Int)
    case at(Timestamp)

    /// The upper limit for a delay. A longer delay is a mistake or an attack, and would keep the daemon
    /// offline.
    public static let maxDelay = Duration.seconds(600)

    /// Parses a `Retry-After` header; `nil` if the value is neither seconds nor an HTTP date.
    public init?(header: String) {
        let text = header.drop { $0 == " " || $0 == "\t" }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, text[digits.endIndex...].allSatisfy({ $0 == " " || $0 == "\t" }) {
            self = .seconds(Int(digits) ?? .max)
        } else if let date = Timestamp(httpDate: text) {
            self = .at(date)
        } else {
            return nil
        }
    }

    /// Returns the delay from `now`, in the range from 0 to `maxDelay`.
    public func retryDelay(now: Timestamp) -> Duration {
        let wish: Duration =
            switch self {
            case .seconds(let seconds): .seconds(min(max(seconds, 0), 86_400))
            case .at(let date):
                .milliseconds(max(date.milliseconds.subtractingSaturating(now.milliseconds), 0))
            }
        return min(wish, Self.maxDelay)
    }
}

extension Int64 {
    fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }
}
