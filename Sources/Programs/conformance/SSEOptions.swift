import HTTP

/// What `conformance sse` is asked for.
struct SSEOptions {
    var request: HTTPRequest
    /// Before the first reconnect, until the server says another.
    var delay = 3000
    /// How long no byte may come before it is an error; nil for ever.
    var readTimeout: Duration?
    var lastEventID = ""

    /// `URL [--delay-ms N] [--read-timeout-ms N] [--last-event-id ID] [-H k:v] [-X METHOD] [--body S]`
    init(_ arguments: [String]) throws {
        guard let url = arguments.first, arguments.count % 2 == 1 else { throw UsageError() }
        request = HTTPRequest(url, headers: ["Accept": "text/event-stream", "Cache-Control": "no-cache"])
        for index in stride(from: 1, to: arguments.count, by: 2) {
            try take(arguments[index], arguments[index + 1])
        }
    }

    private mutating func take(_ option: String, _ value: String) throws {
        switch option {
        case "--delay-ms": delay = try Self.milliseconds(value)
        case "--read-timeout-ms": readTimeout = .milliseconds(try Self.milliseconds(value))
        case "--last-event-id": lastEventID = value
        case "-X": request.method = value
        case "--body": request.body = Array(value.utf8)
        case "-H":
            guard let colon = value.firstIndex(of: ":") else { throw UsageError() }
            let text = value[value.index(after: colon)...].drop { $0 == " " }
            request.headers.append(String(value[..<colon]), String(text))
        default: throw UsageError()
        }
    }

    private static func milliseconds(_ text: String) throws -> Int {
        guard let number = Int(text), (0...Int(Int32.max)).contains(number) else { throw UsageError() }
        return number
    }
}
