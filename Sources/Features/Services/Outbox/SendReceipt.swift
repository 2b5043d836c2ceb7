package import CutieAPI

/// The result of a call through the outbox.
package struct SendReceipt {
    /// The conversation; `nil` if the call concerns no conversation, or the server has not created it yet.
    package let conversation: Conversation.ID?
    /// The message; `nil` if the call creates no message, or the server has not created it yet.
    package let message: Message.ID?
    /// The ID of the outbox item; `nil` if the item was sent.
    package let queuedItem: String?

    package var isQueued: Bool { queuedItem != nil }

    static func makeQueuedReceipt(for item: String) -> SendReceipt {
        SendReceipt(conversation: nil, message: nil, queuedItem: item)
    }
}
