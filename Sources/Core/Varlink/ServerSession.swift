/// The server side of a connection, without I/O: bytes in, calls out; replies in, bytes out.
///
/// Calls are processed one at a time, in order, because a reply does not identify its call. A call is
/// returned after the last reply to the previous call.
public struct ServerSession: Sendable {
    /// The error for a reply that the protocol does not allow.
    public enum Misuse: Error, Hashable {
        /// There is no current call, or its last reply was already sent.
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

    /// Whether the buffer contains an incomplete message. Valid after `nextCall` returned `nil`.
    public var isInsideMessage: Bool { current == nil && decoder.isInsideMessage }

    /// Whether the last reply to the current call is pending.
    public var isAnswering: Bool { current != nil }

    public mutating func receiveBytes(_ bytes: some Sequence<UInt8>) {
        decoder.append(bytes)
    }

    /// Returns the next call; `nil` while the current call is in progress or more bytes are needed. After an
    /// error, the caller must send `refusal` and close the connection.
    public mutating func nextCall() throws(MessageError) -> Call? {
        guard current == nil, let message = try decoder.nextMessage() else { return nil }
        current = try Call(decoding: message, depthLimit: limits.depth)
        return current
    }

    /// Encodes a reply to the current call; returns no bytes if the call is `oneway`.
    public mutating func answer(_ reply: Reply) throws(Misuse) -> [UInt8] {
        guard let call = current else { throw .noCall }
        guard !reply.continues || call.wantsMore || call.isOneway else { throw .moreNotRequested }
        let bytes = call.isOneway ? [] : reply.encoded
        guard bytes.count <= limits.bytes + 1 else { throw .tooLong(limit: limits.bytes) }
        if !reply.continues { current = nil }
        return bytes
    }

    /// The reply to bytes that are not a call. The connection is closed after this reply.
    public static var refusal: [UInt8] { Reply(fault: InvalidParameter(parameter: "message")).encoded }
}
