/// The server's side of the protocol on one connection, without I/O: bytes in, calls out; replies in, bytes
/// out.
///
/// Calls are processed one at a time and in order, because a reply does not name its call. The next call is
/// returned only after the last reply to the current call.
public struct ServerSession: Sendable {
    /// The error for a reply that violates the protocol.
    public enum Misuse: Error, Hashable {
        /// No call is in progress: no call was received, or the last reply to the call was already sent.
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

    /// Whether the buffer contains the start of an incomplete message. The value is meaningful only after
    /// `nextCall` has returned `nil`.
    public var isInsideMessage: Bool { current == nil && decoder.isInsideMessage }

    /// Whether a call is in progress: its last reply was not yet encoded by `encodeReply`.
    public var needsReply: Bool { current != nil }

    public mutating func receiveBytes(_ bytes: some Sequence<UInt8>) {
        decoder.append(bytes)
    }

    /// Returns the next call. Returns `nil` if a call is still in progress, or if the next call is
    /// incomplete. If this function throws, the caller must send `refusal` and close the connection.
    public mutating func nextCall() throws(MessageError) -> Call? {
        guard current == nil, let message = try decoder.nextMessage() else { return nil }
        current = try Call(decoding: message, depthLimit: limits.depth)
        return current
    }

    /// Encodes a reply to the current call. Returns an empty array if the call is `oneway`, because the
    /// client expects no reply.
    public mutating func encodeReply(_ reply: Reply) throws(Misuse) -> [UInt8] {
        guard let call = current else { throw .noCall }
        guard !reply.continues || call.wantsMore || call.isOneway else { throw .moreNotRequested }
        let bytes = call.isOneway ? [] : reply.encoded
        guard bytes.count <= limits.bytes + 1 else { throw .tooLong(limit: limits.bytes) }
        if !reply.continues { current = nil }
        return bytes
    }

    /// The reply to a message that is not a call. After this reply, the server closes the connection.
    public static var refusal: [UInt8] { Reply(fault: InvalidParameter(parameter: "message")).encoded }
}
