/// A whole answer.
public struct HTTPResponse: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let httpVersion: HTTPVersion
    /// Decoded: gzip is undone.
    public let body: [UInt8]
}

/// An answer whose body is still coming.
public struct HTTPStream: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let httpVersion: HTTPVersion
    public let body: HTTPBody
}

public enum HTTPVersion: Sendable {
    case http1_0, http1_1, http2
}
