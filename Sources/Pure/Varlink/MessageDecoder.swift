/// Splits a stream of bytes into messages, each ended by a NUL byte.
///
/// Memory stays within the limit and one chunk as long as `next` is called until it answers nil before
/// more is appended.
public struct MessageDecoder: Sendable {
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Where the next message begins.
    private var start = 0
    /// Up to where no NUL was found: without it a message in one-byte chunks costs quadratic time.
    private var scanned = 0

    /// `limit` is in bytes of one message.
    public init(limit: Int = MessageLimits().bytes) {
        self.limit = limit
    }

    /// True between the first byte of a message and its end, once `next` has answered nil.
    public var isInsideMessage: Bool { start < buffer.count }

    public mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message without its NUL, or nil when more bytes are needed.
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

    /// Gives the memory of one large message back, so that a thousand idle connections stay small.
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

/// What one message may cost its receiver.
public struct MessageLimits: Hashable, Sendable {
    /// Bytes of one message, without the NUL that ends it.
    public var bytes: Int
    /// Levels of objects and arrays, the message itself included.
    public var depth: Int

    public init(bytes: Int = 4 * 1024 * 1024, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }
}

/// Bytes that are no Varlink message. The connection they came on cannot go on.
public enum MessageError: Error, Hashable, CustomStringConvertible {
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    /// Not a JSON object.
    case notJSON
    /// JSON, but not a call.
    case notACall(reason: String)
    /// JSON, but not a reply.
    case notAReply(reason: String)

    public var description: String {
        switch self {
        case .tooLong(let limit): "the message is longer than \(limit) bytes; send less at once"
        case .tooDeep(let limit): "the message is nested deeper than \(limit) levels; send it flatter"
        case .notJSON: "the message is not a JSON object that ends with a NUL byte"
        case .notACall(let reason): "the message is not a Varlink call: \(reason)"
        case .notAReply(let reason): "the message is not a Varlink reply: \(reason)"
        }
    }
}
