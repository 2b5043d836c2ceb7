/// Splits a stream of bytes into messages that end with a NUL byte.
///
/// Memory is bounded by the limit plus one chunk, provided that the caller calls `next` until it returns
/// `nil` before it appends more.
public struct MessageDecoder: Sendable {
    private let limit: Int
    private var buffer: [UInt8] = []
    /// The start of the next message.
    private var start = 0
    /// The buffer contains no NUL before this position. Without it, a message that arrives byte by byte would
    /// take quadratic time.
    private var scanned = 0

    /// - Parameter limit: the maximum size of one message, in bytes.
    public init(limit: Int = MessageLimits().bytes) {
        self.limit = limit
    }

    /// Whether a message has begun and not ended. Valid after `next` has returned `nil`.
    public var isInsideMessage: Bool { start < buffer.count }

    public mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next message without its NUL; `nil` if more bytes are needed.
    public mutating func next() throws(MessageError) -> [UInt8]? {
        guard let end = buffer[scanned...].firstIndex(of: 0) else {
            guard buffer.count - start <= limit else { throw .tooLong(limit: limit) }
            discardReadMessages()
            return nil
        }
        guard end - start <= limit else { throw .tooLong(limit: limit) }
        let message = Array(buffer[start..<end])
        start = end + 1
        scanned = start
        return message
    }

    /// Releases the memory of a large message, so that a thousand idle connections stay small.
    private mutating func discardReadMessages() {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
        } else if start > 0 {
            buffer = Array(buffer[start...])
        }
        start = 0
        scanned = buffer.count
    }
}

/// The limits of one message.
public struct MessageLimits: Hashable, Sendable {
    /// Maximum size of a message in bytes, without the terminating NUL.
    public var bytes: Int
    /// Maximum nesting depth of objects and arrays, including the message itself.
    public var depth: Int

    public init(bytes: Int = 4 * 1024 * 1024, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }
}

/// Bytes that are not a Varlink message. The connection must be closed.
public enum MessageError: Error, Hashable, CustomStringConvertible {
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    /// The message is not a JSON object.
    case notJSON
    /// The message is JSON, but not a call.
    case notACall(reason: String)
    /// The message is JSON, but not a reply.
    case notAReply(reason: String)

    public var description: String {
        switch self {
        case .tooLong(let limit): "the message is longer than \(limit) bytes; send smaller messages"
        case .tooDeep(let limit): "the message is nested deeper than \(limit) levels; reduce the nesting"
        case .notJSON: "the message is not a JSON object that ends with a NUL byte"
        case .notACall(let reason): "the message is not a Varlink call: \(reason)"
        case .notAReply(let reason): "the message is not a Varlink reply: \(reason)"
        }
    }
}
