/// An answer of the API with a status of 400 or more, or a redirect that was not followed.
public struct APIError: Error, Hashable, Sendable {
    /// What becomes of the call.
    public enum Fate: Hashable, Sendable {
        /// May heal: try again later.
        case retry
        /// The token is revoked: register again once, repeat once.
        case unauthorized
        /// Not there: events step down; elsewhere no such conversation, message or call.
        case notOffered
        /// Will not heal without a person.
        case fatal
    }

    public let status: Int
    /// The server's words, cut to a line that is safe to show.
    public let text: String?
    /// Where the server tells.
    public let code: ErrorCode?
    public let retryAfter: RetryAfter?
    /// It is in the API's own form. What answers in its place, such as a network that wants a login, has a page
    /// or nothing to say.
    public let isOfTheAPI: Bool

    public init(
        status: Int, text: String? = nil, code: ErrorCode? = nil, retryAfter: RetryAfter? = nil
    ) {
        isOfTheAPI = text != nil
        self.status = status
        self.text = text.flatMap(Self.line)
        self.code = code.flatMap(Self.word)
        self.retryAfter = retryAfter
    }

    /// From a response; the body may be empty or no JSON. `secrets` are those of the call.
    public init(
        status: Int, body: some Sequence<UInt8>, retryAfter header: String? = nil,
        hiding secrets: Redaction
    ) {
        let said = try? JSON.decode(ErrorBody.self, from: body)
        // Before it is cut to a line: a part of a secret would be left.
        let code = said?.code.flatMap { secrets.hide(in: $0.rawValue) == $0.rawValue ? $0 : nil }
        self.init(
            status: status, text: said.map { secrets.hide(in: $0.error) }, code: code,
            retryAfter: header.flatMap(RetryAfter.init(header:)))
    }

    public var fate: Fate {
        switch status {
        case 401: .unauthorized
        case 404, 405, 406, 501: .notOffered
        case 408, 425, 429, 500...599: .retry
        default: .fatal
        }
    }

    /// One that is no word of at most 64 plain characters is none.
    private static func word(_ code: ErrorCode) -> ErrorCode? {
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

    /// At most 300 characters without control characters; nil where nothing is left.
    private static func line(_ text: String) -> String? {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(300)))
        let line = DisplayName.cleaned(start, replacement: " ")
        return line.allSatisfy { $0 == " " } ? nil : line
    }
}

extension APIError: CustomStringConvertible {
    public var description: String {
        "the server answered \(status)" + (text.map { ": " + $0 } ?? "")
            + (code.map { " (\($0.rawValue))" } ?? "")
    }
}

/// What a server says about a refusal.
public struct ErrorBody: Hashable, Sendable, Codable {
    public var error: String
    /// For programs (extension); most servers and most refusals have none.
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
        code = container.lenient(.code)
    }
}

/// Why an attested device was refused, where the server tells. All of them come with 403: a 401 would have
/// the device throw its token away.
public struct ErrorCode: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device is attested, and the request changes something: it needs an `X-App-Assertion`.
    public static let assertionRequired = ErrorCode("assertion_required")
    /// Not the key's signature, or one about something else.
    public static let assertionInvalid = ErrorCode("assertion_invalid")
    /// Its counter was used before, or is too old: sign again with the next one.
    public static let assertionReplayed = ErrorCode("assertion_replayed")
    /// The server does not know the key, or not any more: attest again.
    public static let notAttested = ErrorCode("not_attested")
    /// No challenge is open: it was used, has expired or was replaced. Ask for another.
    public static let challengeUnknown = ErrorCode("challenge_unknown")
    /// The admin's token is good, and lacks a scope.
    public static let insufficientScope = ErrorCode("insufficient_scope")
    /// The attestation does not show what it has to.
    public static let attestationInvalid = ErrorCode("attestation_invalid")
}

/// When a server wants to be asked again: the floor under a retry's delay.
public enum RetryAfter: Hashable, Sendable {
    case seconds(Int)
    case at(Timestamp)

    /// 10 minutes: a longer wish is a mistake, or somebody's on the way, and would silence the daemon.
    public static let longest = Duration.seconds(600)

    /// The value of a `Retry-After` header; nil where it is neither seconds nor an HTTP date.
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

    /// How long to wait at least, from `now`; never less than nothing, never more than `longest`.
    public func delay(now: Timestamp) -> Duration {
        let wish: Duration =
            switch self {
            case .seconds(let seconds): .seconds(min(max(seconds, 0), 86_400))
            case .at(let date): .milliseconds(max(date.milliseconds.saturatingSubtract(now.milliseconds), 0))
            }
        return min(wish, Self.longest)
    }
}

extension Int64 {
    fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }
}
