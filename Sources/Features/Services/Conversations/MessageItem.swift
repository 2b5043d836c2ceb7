package import CutieAPI
package import FeedPolicy
package import Store

/// A message with the fields that clients receive.
package nonisolated struct MessageItem: Equatable, Sendable {
    /// The message. The sender's name is safe to display.
    package var message: Message
    /// The name of the account.
    package let account: String
    /// Whether the account's user wrote the message; for a support account, whether the signed-in support
    /// member wrote the message.
    package let isOwn: Bool
    /// Whether the message is an internal note, which only support members can read.
    package let isNote: Bool

    package init(_ record: MessageRecord, account: String, seenBy perspective: Perspective) {
        message = record.message
        message.senderName = message.senderName.map { DisplayName.cleaned($0) }
        (self.account, isOwn, isNote) = (account, perspective.isOwnMessage(record.message), record.isNote)
    }

    /// The message; truncated if it is so large that a response may have no space for other messages.
    var abbreviated: MessageItem { message.text.utf8.count > 256 << 10 ? abridged : self }

    /// The message with only the beginning of its text.
    var abridged: MessageItem {
        var abridged = self
        abridged.message.text = message.text.abridged(toByteCount: 64 << 10)
        return abridged
    }
}

/// A conversation with the fields that clients receive.
package nonisolated struct ConversationItem: Sendable {
    package var record: ConversationRecord
    /// The name of the account.
    package let account: String

    package init(_ record: ConversationRecord, account: String) {
        (self.record, self.account) = (record, account)
    }
}
