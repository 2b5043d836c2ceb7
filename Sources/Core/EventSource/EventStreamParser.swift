/// A parser for the event stream of one connection (WHATWG standard): bytes in, events out.
///
/// The parser buffers only the current event, up to `limit` bytes. If the connection ends in the middle of an
/// event, the event is discarded.
public struct EventStreamParser: Sendable {
    public enum Output: Hashable, Sendable {
        case event(StreamEvent)
        /// A comment, without its leading colon. Servers send comments as heartbeats.
        case comment(String)
        /// The delay before a reconnect, as requested by the server.
        case retry(milliseconds: Int)
    }

    /// 8 MiB, the maximum size of an event from the API.
    public static let defaultLimit = 8 << 20

    private var splitter: LineSplitter
    private var record: EventRecord

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - limit: the maximum size in bytes of an event (without line endings) or of a comment.
    ///   - lastEventID: the last ID that the previous connection received; valid until the server sends
    ///     another ID.
    public init(limit: Int = Self.defaultLimit, lastEventID: String = "") {
        splitter = LineSplitter(limit: limit)
        record = EventRecord(lastEventID: lastEventID)
    }

    /// Returns whether a response with this content type is an event stream.
    ///
    /// - Parameter contentType: the value of the header, with or without parameters.
    public static func acceptsContentType(_ contentType: String?) -> Bool {
        let essence = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        return essence.lowercased() == "text/event-stream"
    }

    /// The ID for a reconnect: the ID of the last complete event, with or without data.
    public var lastEventID: String { record.lastEventID }
    /// The delay before a reconnect in milliseconds, as last sent by the server on this connection; `nil` if
    /// the server sent none.
    public var retry: Int? { record.retry }

    /// Parses a chunk of the stream, which may end in the middle of a line, and appends all completed events
    /// to `outputs`.
    ///
    /// - Throws: `EventTooLarge`. `outputs` still contains the events before the error. The parser cannot be
    ///   used after the error, so the caller must reconnect.
    public mutating func consume(
        _ chunk: some Sequence<UInt8>, into outputs: inout [Output]
    ) throws(EventTooLarge) {
        let result = chunk.withContiguousStorageIfAvailable { bytes in
            consume(buffer: bytes, into: &outputs)
        }
        guard case .failure(let error) = result ?? consume(copying: chunk, into: &outputs) else { return }
        throw error
    }

    /// Returns the events that a chunk completes. If an event is too large, the previous events of the chunk
    /// are lost, unlike with `consume(_:into:)`.
    public mutating func consume(_ chunk: some Sequence<UInt8>) throws(EventTooLarge) -> [Output] {
        var outputs: [Output] = []
        try consume(chunk, into: &outputs)
        return outputs
    }

    private mutating func consume(
        copying chunk: some Sequence<UInt8>, into outputs: inout [Output]
    ) -> Result<Void, EventTooLarge> {
        Array(chunk).withUnsafeBufferPointer { consume(buffer: $0, into: &outputs) }
    }

    private mutating func consume(
        buffer: UnsafeBufferPointer<UInt8>, into outputs: inout [Output]
    ) -> Result<Void, EventTooLarge> {
        do {
            try splitter.split(buffer, updating: &record, outputs: &outputs)
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}

/// One event of a stream.
public struct StreamEvent: Hashable, Sendable {
    /// The type of the event; `message` if the server sent no type.
    public var type: String
    /// The data lines of the event, separated by line feeds. Invalid UTF-8 is replaced by U+FFFD.
    public var data: String
    /// The last ID that the server sent with this or a previous event; empty if the server sent no ID.
    public var id: String

    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}

/// The error for an event or a comment that exceeds the limit.
public struct EventTooLarge: Error, Hashable, Sendable {
    /// The limit that was exceeded, in bytes.
    public let limit: Int

    public init(limit: Int) { self.limit = limit }
}

extension EventTooLarge: CustomStringConvertible {
    public var description: String { "the server sent an event of more than \(limit) bytes" }
}
