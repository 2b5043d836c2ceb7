/// A complete HTTP response.
public struct HTTPResponse: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let httpVersion: HTTPVersion
    /// The decompressed body of the response.
    public let body: [UInt8]
    /// The URL of the response, which differs from the request URL after a redirect.
    public let url: String
}

/// A response whose body is still being received.
public struct HTTPStream: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let httpVersion: HTTPVersion
    public let body: HTTPBody
}

public enum HTTPVersion: Sendable {
    case http1_0, http1_1, http2
}

/// A response header, parsed line by line as libcurl delivers it.
struct ResponseHead {
    private static let byteLimit = 128 << 10
    private static let fieldLimit = 256

    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// Whether the header of the final response is complete. Any later lines are trailers.
    private(set) var isComplete = false
    private var byteCount = 0

    /// Parses a header line. Returns `false` if the header exceeds a limit. The size limit includes interim
    /// responses, such as "100 Continue".
    mutating func appendHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        byteCount += line.count
        guard byteCount <= Self.byteLimit, headers.count < Self.fieldLimit else { return false }
        guard !isComplete else { return true }
        let text = String(decoding: line, as: UTF8.self)
        let content = text.prefix { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
        if content.hasPrefix("HTTP/") {
            status = content.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            headers = HTTPHeaders()
        } else if content.isEmpty {
            isComplete = status >= 200
        } else {
            addField(parsing: content)
        }
        return true
    }

    private mutating func addField(parsing line: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...]
        let start = value.firstIndex { $0 != " " && $0 != "\t" } ?? value.endIndex
        let end = value.lastIndex { $0 != " " && $0 != "\t" } ?? start
        headers.append(
            name: String(line[..<colon]), value: start == value.endIndex ? "" : String(value[start...end]))
    }

    /// The `Location` of a redirect; `nil` if the response is not a redirect.
    var redirect: String? {
        [301, 302, 303, 307, 308].contains(status) ? headers["Location"] : nil
    }
}
