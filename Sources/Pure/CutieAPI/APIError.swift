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
        let scalars = text.unicodeScalars.prefix(300).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " " as Unicode.Scalar
            default: scalar
            }
        }
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars)
        return scalars.allSatisfy { $0 == " " } ? nil : String(line)
    }
}

extension APIError: CustomStringConvertible {
    public var description: String {
        "the server answered \(status)" + (text.map { ": " + $0 } ?? "")
            + (code.map { " (\($0.rawValue))" } ?? "")
    }
}
