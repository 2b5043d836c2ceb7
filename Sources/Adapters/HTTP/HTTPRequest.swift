import Reasons

/// An HTTP request. `HTTPClient` validates the request before sending it.
public struct HTTPRequest: Sendable {
    public var method: String
    /// The URL: `https`, or `http` with a loopback address, without a user name or password.
    public var url: String
    public var headers: HTTPHeaders
    public var body: [UInt8]?
    /// The time limit until the response header is complete, including name resolution and connecting.
    public var timeout: Duration = .seconds(30)
    /// The time limit until the response is complete. A stream with a 2xx status has no such limit.
    public var transferTimeout: Duration = .seconds(60)
    /// The maximum size of the decompressed response body, in bytes. A stream with a 2xx status has no such
    /// limit.
    public var responseLimit = 16 << 20

    /// Creates a GET request.
    public init(_ url: String, headers: HTTPHeaders = [:]) {
        self.init("GET", url, headers: headers)
    }

    public init(_ method: String, _ url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Validates the request and returns the parsed URL. Throws `badRequest` if the request is invalid.
    func validatedAddress() throws(HTTPError) -> URLAddress {
        guard method.isToken else { throw HTTPError(.badRequest, .text("“\(method)” is not an HTTP method")) }
        for field in headers where !field.name.isToken || field.value.utf8.contains(where: \.endsField) {
            throw HTTPError(
                .badRequest,
                .text(
                    "the header \(field.name.debugDescription) contains a line break or an invalid character")
            )
        }
        guard let address = URLAddress(url), !address.hasCredentials else {
            throw HTTPError(.badRequest, Reason(.urlInvalid, ["url": url]))
        }
        let (scheme, host) = (address.origin.scheme, address.origin.host)
        guard scheme == "https" || (scheme == "http" && address.origin.isLoopback) else {
            throw HTTPError(.badRequest, Reason(.addressNotEncrypted, ["url": "\(scheme)://\(host)"]))
        }
        return address
    }
}

extension String {
    /// Whether the string is a `token` (RFC 9110, section 5.6.2).
    fileprivate var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenCharacter) }
}

extension UInt8 {
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }

    /// Whether the byte is CR, LF or NUL, which would allow header injection or request smuggling.
    fileprivate var endsField: Bool { self == 13 || self == 10 || self == 0 }
}
