import EventSource
import FoundationEssentials
import Glibc
import HTTP
import Runtime
import Synchronization

/// Streams a URL with the HTTP client and the EventSource parser of the product. Reconnects as the WHATWG
/// standard requires, until the process is killed or the server forbids reconnecting.
func runSSE(_ arguments: [String]) async throws {
    let options = try SSEOptions(arguments)
    let httpClient = HTTPClient(userAgent: "conformance")
    var state = StreamReconnection(lastEventID: options.lastEventID, milliseconds: options.delay)
    while true {
        let connection = SSEConnection(options, state, httpClient)
        let ending = await connection.run()
        state = connection.state
        try SSELine.error(ending.sentence).print()
        if ending.isFinal { return }
        try await EventLoop.shared.sleep(for: .milliseconds(state.milliseconds))
    }
}

/// A single HTTP connection that receives an event stream.
private final class SSEConnection: Sendable {
    /// The reason why a connection ended, and whether the standard forbids a reconnect.
    struct Ending: Error {
        let sentence: String
        var isFinal = false
    }

    private let options: SSEOptions
    private let httpClient: HTTPClient
    private let progress: Mutex<Progress>

    private struct Progress {
        var state: StreamReconnection
        var lastByte = ContinuousClock.now
    }

    init(_ options: SSEOptions, _ state: StreamReconnection, _ httpClient: HTTPClient) {
        (self.options, self.httpClient) = (options, httpClient)
        progress = Mutex(Progress(state: state))
    }

    var state: StreamReconnection { progress.withLock(\.state) }

    func run() async -> Ending {
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { await self.read() }
            if let limit = options.readTimeout { group.addTask { await self.watch(limit) } }
            defer { group.cancelAll() }
            return await group.next() ?? Ending(sentence: "nothing was tried")
        }
    }

    private func read() async -> Ending {
        do {
            let stream = try await open()
            var parser = state.makeParser()
            for try await bytes in stream.body {
                var outputs: [EventStreamParser.Output] = []
                defer { for output in outputs { try? SSELine(output)?.print() } }
                progress.withLock { $0.lastByte = .now }
                try parser.consume(bytes, into: &outputs)
                progress.withLock { $0.state.update(from: parser) }
            }
            return Ending(sentence: "the server closed the stream")
        } catch let ending as Ending {
            return ending
        } catch let error as HTTPError {
            return Ending(
                sentence: "\(error)", isFinal: [.badRequest, .refusedRedirect].contains(error.code))
        } catch {
            return Ending(sentence: "\(error)")
        }
    }

    private func open() async throws -> HTTPStream {
        var request = options.request
        if !state.lastEventID.isEmpty {
            request.headers.append(name: "Last-Event-ID", value: state.lastEventID)
        }
        let stream = try await httpClient.openStream(for: request)
        let reason = StreamReconnection.stopReason(
            status: stream.status, contentType: stream.headers["Content-Type"])
        if let reason { throw Ending(sentence: reason, isFinal: true) }
        return stream
    }

    /// Returns when no byte has been received for `limit`.
    private func watch(_ limit: Duration) async -> Ending {
        while case let end = progress.withLock(\.lastByte) + limit, end > .now {
            do { try await EventLoop.shared.sleep(until: end) } catch { break }
        }
        return Ending(sentence: "no byte came for \(limit)")
    }
}

extension SSELine {
    /// Converts an output of the parser to a line; returns `nil` for an output that is not printed.
    fileprivate init?(_ output: EventStreamParser.Output) {
        switch output {
        case .event(let event): self = .event(event)
        case .comment(let text): self = .comment(text)
        case .retry: return nil
        }
    }
}

/// The arguments of `conformance sse`.
struct SSEOptions {
    var request: HTTPRequest
    /// The delay before a reconnect, in milliseconds. The server can override the delay with a `retry` field.
    var delay = 3000
    /// The maximum time without a received byte; `nil` for no limit.
    var readTimeout: Duration?
    var lastEventID = ""

    /// Parses the arguments:
    /// `URL [--delay-ms N] [--read-timeout-ms N] [--last-event-id ID] [-H k:v] [-X METHOD] [--body S]`.
    init(_ arguments: [String]) throws {
        guard let url = arguments.first, arguments.count % 2 == 1 else { throw UsageError() }
        request = HTTPRequest(url, headers: ["Accept": "text/event-stream", "Cache-Control": "no-cache"])
        for index in stride(from: 1, to: arguments.count, by: 2) {
            try set(arguments[index], arguments[index + 1])
        }
    }

    private mutating func set(_ option: String, _ value: String) throws {
        switch option {
        case "--delay-ms": delay = try Self.milliseconds(value)
        case "--read-timeout-ms": readTimeout = .milliseconds(try Self.milliseconds(value))
        case "--last-event-id": lastEventID = value
        case "-X": request.method = value
        case "--body": request.body = Array(value.utf8)
        case "-H":
            guard let colon = value.firstIndex(of: ":") else { throw UsageError() }
            let text = value[value.index(after: colon)...].drop { $0 == " " }
            request.headers.append(name: String(value[..<colon]), value: String(text))
        default: throw UsageError()
        }
    }

    private static func milliseconds(_ text: String) throws -> Int {
        guard let number = Int(text), (0...Int(Int32.max)).contains(number) else { throw UsageError() }
        return number
    }
}

/// The output of `conformance sse`: one JSON object per line, unbuffered.
enum SSELine: Encodable {
    case event(StreamEvent)
    case comment(String)
    case error(String)

    private enum Key: CodingKey {
        case kind, event, comment, error, type, data, id
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .event(let event):
            try container.encode("event", forKey: .kind)
            var fields = container.nestedContainer(keyedBy: Key.self, forKey: .event)
            try fields.encode(event.type, forKey: .type)
            try fields.encode(event.data, forKey: .data)
            try fields.encode(event.id, forKey: .id)
        case .comment(let text):
            try container.encode("comment", forKey: .kind)
            try container.encode(text, forKey: .comment)
        case .error(let sentence):
            try container.encode("error", forKey: .kind)
            try container.encode(sentence, forKey: .error)
        }
    }

    func print() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let line = try encoder.encode(self) + [UInt8(ascii: "\n")]
        var rest = Array(line)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            // The reader of standard output closed the pipe.
            guard count > 0 else { exit(0) }
            rest = rest.dropFirst(count)
        }
    }
}
