/// Reads one connection's event stream, as the WHATWG standard defines it: bytes in, events out.
///
/// Keeps no more than the unfinished event, which is at most `limit` bytes. What is unfinished when the
/// connection ends is discarded with the parser.
public struct EventStreamParser: Sendable {
    public enum Output: Hashable, Sendable {
        case event(StreamEvent)
        /// The text after the colon. Shows that the line is alive.
        case comment(String)
        /// The server's wish for the time before a reconnect.
        case retry(milliseconds: Int)
    }

    /// 8 MiB, the largest event of the API.
    public static let defaultLimit = 8 << 20

    private var splitter: LineSplitter
    private var record: EventRecord

    /// `limit`: bytes of one event, without its line ends, and of one comment. `lastEventID`: where the
    /// connection before this one came to, which stays valid until the server sends another.
    public init(limit: Int = Self.defaultLimit, lastEventID: String = "") {
        splitter = LineSplitter(limit: limit)
        record = EventRecord(lastEventID: lastEventID)
    }

    /// The id to reconnect with: of the last event that was complete, with data or without.
    public var lastEventID: String { record.lastEventID }
    /// The last wish of this connection for the time before a reconnect.
    public var retry: Int? { record.retry }

    /// Reads a chunk, cut anywhere, and appends what it completes. Throws where an event is too large; what
    /// came before it is appended all the same. The parser is of no use after that: reconnect.
    public mutating func consume(
        _ chunk: some Sequence<UInt8>, into outputs: inout [Output]
    ) throws(EventTooLarge) {
        let result = chunk.withContiguousStorageIfAvailable { bytes in
            consume(buffer: bytes, into: &outputs)
        }
        guard case .failure(let error) = result ?? consume(copying: chunk, into: &outputs) else { return }
        throw error
    }

    /// What a chunk completes. Where an event may be too large and those before it are wanted, use
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
    /// `message` where the server names none.
    public var type: String
    /// Lines are joined by line feeds; invalid UTF-8 is replaced by U+FFFD.
    public var data: String
    /// The last id the server gave, here or earlier; empty where it gave none.
    public var id: String

    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}

/// An event or a comment went over the limit before it ended.
public struct EventTooLarge: Error, Hashable, Sendable {
    /// Bytes.
    public let limit: Int

    public init(limit: Int) { self.limit = limit }
}

extension EventTooLarge: CustomStringConvertible {
    public var description: String { "the server sent an event of more than \(limit) bytes" }
}
