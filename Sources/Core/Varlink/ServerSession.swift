/// The server side of one connection: bytes in, calls out; replies in, bytes out.
///
/// Calls are handed out one at a time, in order. The next call is handed out after the last reply to the
/// previous one, because replies carry no number.
public struct ServerSession: Sendable {
    /// A reply that the protocol does not allow.
    public enum Misuse: Error, Hashable {
        /// There is no call, or its last reply was already sent.
        case noCall
        /// A reply with `continues` to a call without `more`.
        case moreNotRequested
        /// The reply exceeds the size limit of a message.
        case tooLong(limit: Int)
    }

    private let limits: MessageLimits
    private var decoder: MessageDecoder
    private var current: Call?

    public init(limits: MessageLimits = MessageLimits()) {
        self.limits = limits
        decoder = MessageDecoder(limit: limits.bytes)
    }

    /// Whether a message has begun and not ended. Valid after `nextCall` has returned `nil`.
    public var isInsideMessage: Bool { current == nil && decoder.isInsideMessage }

    /// Whether a call is waiting for its last reply.
    public var isAnswering: Bool { current != nil }

    public mutating func receive(_ bytes: some Sequence<UInt8>) {
        decoder.append(bytes)
    }

    /// Returns the call to answer; `nil` while another call is being answered or more bytes are needed. After
    /// an error, send `refusal` and close the connection.
    public mutating func nextCall() throws(MessageError) -> Call? {
        guard current == nil, let message = try decoder.next() else { return nil }
        current = try Call(decoding: message, depthLimit: limits.depth)
        return current
    }

    /// Returns the bytes that answer the current call; empty if the call is `oneway`.
    public mutating func answer(_ reply: Reply) throws(Misuse) -> [UInt8] {
        guard let call = current else { throw .noCall }
        guard !reply.continues || call.wantsMore || call.isOneway else { throw .moreNotRequested }
        let bytes = call.isOneway ? [] : reply.encoded
        guard bytes.count <= limits.bytes + 1 else { throw .tooLong(limit: limits.bytes) }
        if !reply.continues { current = nil }
        return bytes
    }

    /// The reply to bytes that are not a call. The connection is closed after it.
    public static var refusal: [UInt8] { Reply(fault: InvalidParameter(parameter: "message")).encoded }
}
