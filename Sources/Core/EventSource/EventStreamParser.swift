/// Parses the event stream of one connection, as defined by the WHATWG standard: bytes in, events out.
///
/// It stores only the unfinished event, of at most `limit` bytes. An event that is unfinished when the
/// connection ends is discarded with the parser.
public struct EventStreamParser: Sendable {
    public enum Output: Hashable, Sendable {
        case event(StreamEvent)
        /// A comment without its colon. Servers send comments as heartbeats.
        case comment(String)
        /// The delay before a reconnect that the server asks for.
        case retry(milliseconds: Int)
    }

    /// 8 MiB, the maximum size of an event of the API.
    public static let defaultLimit = 8 << 20

    private var splitter: LineSplitter
    private var record: EventRecord

    /// - Parameters:
    ///   - limit: the maximum size of an event without its line endings, or of a comment, in bytes.
    ///   - lastEventID: the last id of the previous connection. It stays valid until the server sends
    ///   another.
    public init(limit: Int = Self.defaultLimit, lastEventID: String = "") {
        splitter = LineSplitter(limit: limit)
        record = EventRecord(lastEventID: lastEventID)
    }

    /// The id to reconnect with: that of the last complete event, with or without data.
    public var lastEventID: String { record.lastEventID }
    /// The last delay before a reconnect that the server sent on this connection.
    public var retry: Int? { record.retry }

    /// Parses a chunk that may end anywhere, and appends the events that it completes.
    ///
    /// - Throws: `EventTooLarge`. Events before the large one are still appended. The parser cannot be used
    ///   afterwards: reconnect.
    public mutating func consume(
        _ chunk: some Sequence<UInt8>, into outputs: inout [Output]
    ) throws(EventTooLarge) {
        let result = chunk.withContiguousStorageIfAvailable { bytes in
            consume(buffer: bytes, into: &outputs)
        }
        guard case .failure(let error) = result ?? consume(copying: chunk, into: &outputs) else { return }
        throw error
    }

    /// Returns the events that a chunk completes. To receive the events before one that is too large, use
    /// `consume(_:into:)`.
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
            try splitter.split(buffer, into: &record, outputs: &outputs)
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}

/// One event of a stream.
public struct StreamEvent: Hashable, Sendable {
    /// `message` if the server names no type.
    public var type: String
    /// Lines are joined by line feeds; invalid UTF-8 is replaced by U+FFFD.
    public var data: String
    /// The last id that the server sent with this or an earlier event; empty if there was none.
    public var id: String

    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}

/// An event or a comment that exceeded the limit.
public struct EventTooLarge: Error, Hashable, Sendable {
    /// Bytes.
    public let limit: Int

    public init(limit: Int) { self.limit = limit }
}

extension EventTooLarge: CustomStringConvertible {
    public var description: String { "the server sent an event of more than \(limit) bytes" }
}
