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
}

extension APIRequest {
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
