import CutieAPI
import Runtime

/// Decodes large responses on a thread of its own, which ends with the decoding. A conversation of
/// 10 000 messages takes a second, in which the main actor can show replies.
actor LargeResponseDecoder {
    static let shared = LargeResponseDecoder()
    /// A size in bytes. A body up to this size is decoded in a few milliseconds.
    static let smallBody = 64 << 10

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let thread = BlockingThread(name: "large responses")

    func decode<Answer>(
        _ endpoint: Endpoint<Answer>, _ body: [UInt8], noting unreadable: UnreadableParts
    ) throws(UnreadableJSON) -> Answer {
        try endpoint.answer(from: body, noting: unreadable)
    }
}
