package import CutieAPI

/// The result of an item that was put into the outbox.
package struct SendReceipt {
    /// `nil` if the server has not created it.
    package let conversation: Conversation.ID?
    /// `nil` if the server has not created it.
    package let message: Message.ID?
    /// The id of the item if it is still queued.
    package let queuedItem: String?

    package var isQueued: Bool { queuedItem != nil }

    static func queued(_ item: String) -> SendReceipt {
        SendReceipt(conversation: nil, message: nil, queuedItem: item)
    }
}
