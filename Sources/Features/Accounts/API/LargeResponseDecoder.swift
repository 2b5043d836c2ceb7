import CutieAPI
import Runtime

/// Decodes large responses on a separate thread: a conversation with 10 000 messages takes a second, which
/// would block the main actor. The thread ends after decoding.
actor LargeResponseDecoder {
    static let shared = LargeResponseDecoder()
    /// The maximum size in bytes of a body that is decoded on the main actor. Decoding a body of this size
    /// takes at most a few milliseconds.
    static let smallBody = 64 << 10

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let thread = BlockingThread(name: "large responses")

    func decodeResponse<Answer>(
        of endpoint: Endpoint<Answer>, from body: [UInt8],
        recordingUnreadablePartsIn unreadable: UnreadableParts
    ) throws(UnreadableJSON) -> Answer {
        try endpoint.decodeResponse(from: body, recordingUnreadablePartsIn: unreadable)
    }
}
