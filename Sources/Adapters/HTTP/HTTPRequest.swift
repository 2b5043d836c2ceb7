/// One request. What is wrong with it is told when it is sent.
public struct HTTPRequest: Sendable {
    public var method: String
    /// `https`, or `http` to a loopback address; without user name and password.
    public var url: String
    public var headers: HTTPHeaders
    public var body: [UInt8]?
    /// From the start to the end of the answer's header, looking up and connecting included.
    public var timeout: Duration = .seconds(30)
    /// From the start to the end of the answer's body; a stream that was answered with 2xx has none.
    public var transferTimeout: Duration = .seconds(60)
    /// Decoded bytes of the answer's body; a stream that was answered with 2xx has no limit.
    public var responseLimit = 16 << 20

    /// A GET.
    public init(_ url: String, headers: HTTPHeaders = [:]) {
        self.init("GET", url, headers: headers)
    }

    public init(_ method: String, _ url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
