/// A decoder that splits a stream of bytes into messages, each of which ends with a NUL byte.
///
/// To limit the memory to one message and one chunk, the caller must call `nextMessage` until it returns
/// `nil` before it appends more bytes.
public struct MessageDecoder: Sendable {
    private let limit: Int
    private var buffer: [UInt8] = []
    /// The index in `buffer` at which the next message starts.
    private var start = 0
    /// The index up to which `buffer` was already searched for NUL. Without this index, a message that
    /// arrives byte by byte would take quadratic time.
    private var scanned = 0

    /// Creates a decoder.
    ///
    /// - Parameter limit: the maximum size of one message, in bytes.
    public init(limit: Int = MessageLimits().bytes) {
        self.limit = limit
    }

    /// Whether the buffer contains the start of an incomplete message. The value is meaningful only after
    /// `nextMessage` has returned `nil`.
    public var isInsideMessage: Bool { start < buffer.count }

    public mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next message without its NUL; `nil` if the message is incomplete.
    public mutating func nextMessage() throws(MessageError) -> [UInt8]? {
        guard let end = buffer[scanned...].firstIndex(of: 0) else {
            guard buffer.count - start <= limit else { throw .tooLong(limit: limit) }
            discardDecodedBytes()
            return nil
        }
        guard end - start <= limit else { throw .tooLong(limit: limit) }
        let message = Array(buffer[start..<end])
        start = end + 1
        scanned = start
        return message
    }

    /// Discards the decoded bytes. Also deallocates a large buffer, because thousands of connections may be
    /// idle and each would keep its buffer.
    private mutating func discardDecodedBytes() {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
        } else if start > 0 {
            buffer = Array(buffer[start...])
        }
        start = 0
        scanned = buffer.count
    }
}

public struct MessageLimits: Hashable, Sendable {
    /// The maximum size of a message in bytes, without the terminating NUL.
    public var bytes: Int
    /// The maximum nesting depth of objects and arrays; the message itself counts as one level.
    public var depth: Int

    public init(bytes: Int = 4 * 1024 * 1024, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }
}

/// The error for bytes that are not a valid Varlink message. The connection must then be closed.
public enum MessageError: Error, Hashable, CustomStringConvertible {
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    /// The message is not a JSON object.
    case notJSON
    /// The message is a JSON object, but not a call.
    case notACall(reason: String)
    /// The message is a JSON object, but not a reply.
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
