/// The server's half of one connection: bytes in, calls out; answers in, bytes out.
///
/// Calls are handed out in the order they came, one at a time: the next one only after the last reply to
/// the one before, because replies carry no number.
public struct ServerSession: Sendable {
    /// An answer that the protocol does not allow here.
    public enum Misuse: Error, Hashable {
        /// There is no call, or its last reply was given.
        case noCall
        /// A reply that continues, to a call without `more`.
        case moreWasNotAsked
        /// The reply is longer than a message may be.
        case tooLong(limit: Int)
    }

    private let limits: MessageLimits
    private var decoder: MessageDecoder
    private var current: Call?

    public init(limits: MessageLimits = MessageLimits()) {
        self.limits = limits
        decoder = MessageDecoder(limit: limits.bytes)
    }

    /// True while a message has begun and not ended, once `nextCall` has answered nil.
    public var isInsideMessage: Bool { current == nil && decoder.isInsideMessage }

    /// True while a call waits for its last reply.
    public var isAnswering: Bool { current != nil }

    public mutating func receive(_ bytes: some Sequence<UInt8>) {
        decoder.append(bytes)
    }

    /// The call to answer now, or nil while one is being answered or more bytes are needed. After an
    /// error the connection cannot go on: send `refusal` and close it.
    public mutating func nextCall() throws(MessageError) -> Call? {
        guard current == nil, let message = try decoder.next() else { return nil }
        current = try Call(decoding: message, depthLimit: limits.depth)
        return current
    }

    /// The bytes that answer the current call: none where it is `oneway`.
    public mutating func answer(_ reply: Reply) throws(Misuse) -> [UInt8] {
        guard let call = current else { throw .noCall }
        guard !reply.continues || call.wantsMore || call.isOneway else { throw .moreWasNotAsked }
        let bytes = call.isOneway ? [] : reply.encoded
        guard bytes.count <= limits.bytes + 1 else { throw .tooLong(limit: limits.bytes) }
        if !reply.continues { current = nil }
        return bytes
    }

    /// What is told to a peer whose bytes are no call, before the connection is closed.
    public static var refusal: [UInt8] { Reply(fault: InvalidParameter(parameter: "message")).encoded }
}
