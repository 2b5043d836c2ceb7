/// A single API call, without the base URL and the headers that identify the caller.
public struct APIRequest: Hashable, Sendable {
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public struct Parameter: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public struct Header: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public let method: Method
    /// The path of the request, which starts with a slash. Every segment is percent-encoded.
    public let path: String
    public internal(set) var query: [Parameter] = []
    /// The body as JSON; `nil` if the request has no body.
    public let body: [UInt8]?
    public internal(set) var timeouts: Timeouts = .request
    /// The idempotency key of the request. A server that supports idempotency keys responds to a repeated key
    /// with the first response.
    public internal(set) var idempotencyKey: String?
    /// Whether the call can be retried safely even if the server ignores the idempotency key.
    public internal(set) var isIdempotent: Bool
    /// Whether a successful response has a body.
    public internal(set) var expectsContent = true
    /// Whether the request needs the device secret in addition to the device token.
    public internal(set) var needsDeviceSecret = false
    var accept = "application/json"
    var lastEventID: Event.ID?

    init(_ method: Method, _ segments: String...) {
        self.init(method: method, segments: segments, body: method == .post ? Array("{}".utf8) : nil)
    }

    init(_ method: Method, _ segments: String..., body: some RequestBody) {
        self.init(method: method, segments: segments, body: body.bytes)
    }

    private init(method: Method, segments: [String], body: [UInt8]?) {
        self.method = method
        self.path = "/v1" + segments.map { "/" + PercentEncoding.encodePathSegment($0) }.joined()
        self.body = body
        self.isIdempotent = method != .post
    }

    /// Whether an attested device must sign the request. Requests below `/v1/device/` are excluded, because a
    /// device sends these requests before its key is registered.
    public var needsAssertion: Bool { method != .get && !path.hasPrefix("/v1/device/") }

    public var isRegistration: Bool { path == "/v1/device/register" }

    /// The path and the query, relative to the base URL.
    public var target: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }

    /// The headers of the call, without the headers that identify the caller. A header with an unsafe value
    /// is omitted. If `Last-Event-ID` is omitted, a stream starts at the current time; no event is lost,
    /// because the daemon polls before it opens a stream.
    public var headers: [Header] {
        var headers = [
            Header(name: HeaderName.accept, value: accept),
            Header(name: HeaderName.contentType, value: "application/json"),
        ]
        if timeouts == .stream {
            headers.append(Header(name: HeaderName.cacheControl, value: "no-cache"))
        }
        if let idempotencyKey {
            headers.append(Header(name: HeaderName.idempotencyKey, value: idempotencyKey))
        }
        if let lastEventID, !lastEventID.rawValue.isEmpty {
            headers.append(Header(name: HeaderName.lastEventID, value: lastEventID.rawValue))
        }
        return headers.filter(\.isSafe)
    }
}

extension APIRequest.Header {
    /// Whether the value is safe in a request: control characters could inject another header, and servers
    /// reject headers longer than 4096 bytes.
    var isSafe: Bool { value.utf8.count <= 4096 && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}

/// The body of a request. A body contains only strings, integers and booleans, so encoding never fails.
public protocol RequestBody: Codable, Hashable, Sendable {}

extension RequestBody {
    var bytes: [UInt8] {
        do {
            return try JSON.encode(self)
        } catch {
            preconditionFailure("\(Self.self) cannot be encoded as JSON: \(error)")
        }
    }
}

/// The timeouts of a call.
public enum Timeouts: Hashable, Sendable {
    /// 30 s for the response headers, 60 s for the entire transfer.
    case request
    /// The timeouts of `request`, each extended by `seconds`: the server may delay the response by this
    /// time.
    case longPoll(seconds: Int)
    /// 30 s for the response headers, no limit for the transfer. The caller treats a long silence as a dead
    /// connection.
    case stream

    /// The timeout until the response headers arrive.
    public var responseHeader: Duration {
        switch self {
        case .request, .stream: .seconds(30)
        case .longPoll(let seconds): .seconds(30 + seconds)
        }
    }

    /// The timeout for the entire transfer; `nil` if unlimited.
    public var transfer: Duration? {
        switch self {
        case .request: .seconds(60)
        case .longPoll(let seconds): .seconds(60 + seconds)
        case .stream: nil
        }
    }
}

/// The HTTP headers that the API defines.
public enum HeaderName {
    /// The App ID from the admin dashboard.
    public static let appID = "X-App-ID"
    /// The device ID, `device_<UUID>`, created once per installation.
    public static let deviceID = "X-Device-ID"
    /// The device token, which the registration returns; absent before the registration.
    public static let deviceToken = "X-Device-Token"
    /// The version of the client; this daemon sends the version of cutied.
    public static let sdkVersion = "X-CutiE-SDK-Version"
    /// The API key for older servers. The header is sent only if a key is configured.
    public static let apiKey = "X-API-Key"
    /// The base64 assertion that signs the request. The header is sent only if the device is attested.
    public static let appAssertion = "X-App-Assertion"
    /// The device secret, which is sent only to `/v1/subscription/verify` and `/v1/usage`.
    public static let deviceSecret = "X-Device-Secret"

    public static let accept = "Accept"
    public static let authenticate = "WWW-Authenticate"
    public static let authorization = "Authorization"
    public static let cacheControl = "Cache-Control"
    public static let contentType = "Content-Type"
    public static let date = "Date"
    public static let etag = "ETag"
    public static let idempotencyKey = "Idempotency-Key"
    public static let ifNoneMatch = "If-None-Match"
    public static let lastEventID = "Last-Event-ID"
    public static let retryAfter = "Retry-After"
}
