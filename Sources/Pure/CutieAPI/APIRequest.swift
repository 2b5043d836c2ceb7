/// One call of the API as a value, without the address and the headers that say who calls.
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
    /// Begins with a slash; every segment is percent-encoded.
    public let path: String
    public internal(set) var query: [Parameter] = []
    /// JSON; nil where the request has no body at all.
    public let body: [UInt8]?
    public internal(set) var timeouts: Timeouts = .request
    /// Names this call to the server, which answers a repeat with the first answer if it knows keys.
    public internal(set) var idempotencyKey: String?
    /// Sending it again has no second effect even on a server that knows no idempotency keys.
    public internal(set) var isIdempotent: Bool
    /// A successful answer has a body.
    public internal(set) var expectsContent = true
    /// The device secret goes along, too.
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
        self.path = "/v1" + segments.map { "/" + PercentEncoding.segment($0) }.joined()
        self.body = body
        self.isIdempotent = method != .post
    }

    /// It changes something, and an attested device signs it. What makes a device known has no key yet.
    public var needsAssertion: Bool { method != .get && !path.hasPrefix("/v1/device/") }

    /// It asks for a token.
    public var isRegistration: Bool { path == "/v1/device/register" }

    /// The path and the query, as they follow the address.
    public var target: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }

    /// What this call itself says in headers. A value that would break a header line is left out: without
    /// its `Last-Event-ID` a stream starts at "now", after the poll that comes before every stream.
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
    /// Holds no control character, which could end the line and begin another header, and is not so long
    /// that servers refuse the whole request.
    var isSafe: Bool { value.utf8.count <= 4096 && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}

/// What a call carries. Holds strings, whole numbers and flags only: those always have a JSON form.
public protocol RequestBody: Codable, Hashable, Sendable {}

extension RequestBody {
    var bytes: [UInt8] {
        do {
            return try JSON.encode(self)
        } catch {
            preconditionFailure("\(Self.self) holds a value that JSON does not know: \(error)")
        }
    }
}

/// How long a call may take.
public enum Timeouts: Hashable, Sendable {
    /// 30 s for the answer to begin, 60 s for the whole transfer.
    case request
    /// The server holds the answer back for so many seconds before the usual time begins.
    case longPoll(seconds: Int)
    /// Without an end; silence on the line is the caller's to judge.
    case stream

    /// Until the answer's headers are there.
    public var answer: Duration {
        switch self {
        case .request, .stream: .seconds(30)
        case .longPoll(let seconds): .seconds(30 + seconds)
        }
    }

    /// For everything; nil is without an end.
    public var whole: Duration? {
        switch self {
        case .request: .seconds(60)
        case .longPoll(let seconds): .seconds(60 + seconds)
        case .stream: nil
        }
    }
}

/// The headers of the API.
public enum HeaderName {
    /// The app id from the admin dashboard.
    public static let appID = "X-App-ID"
    /// `device_<UUID>`, made once per installation.
    public static let deviceID = "X-Device-ID"
    /// What registration gave; absent until then.
    public static let deviceToken = "X-Device-Token"
    /// The client's version.
    public static let sdkVersion = "X-CutiE-SDK-Version"
    /// Legacy; only where the configuration carries one.
    public static let apiKey = "X-API-Key"
    /// Base64 assertion over the request, where the device is attested.
    public static let appAssertion = "X-App-Assertion"
    /// Only on `/v1/subscription/verify` and `/v1/usage`.
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
