package import CutieAPI
package import FeedPolicy
package import Store

/// A message as a client sees it.
package nonisolated struct MessageItem: Equatable, Sendable {
    /// The message, with a name of the sender that can be displayed.
    package var message: Message
    /// The name of the account.
    package let account: String
    /// Whether the message was written on the side of the account's user.
    package let isOwn: Bool
    /// Whether only admins can read the message.
    package let isNote: Bool

    package init(_ record: MessageRecord, account: String, seenBy perspective: Perspective) {
        message = record.message
        message.senderName = message.senderName.map { DisplayName.cleaned($0) }
        (self.account, isOwn, isNote) = (account, perspective.isOwn(record.message), record.isNote)
    }

    /// The message, abridged if it is so large that a reply might not hold it together with others.
    var abbreviated: MessageItem { message.text.utf8.count > 256 << 10 ? abridged : self }

    /// The message with only the beginning of its text.
    var abridged: MessageItem {
        var abridged = self
        abridged.message.text = message.text.abridged(to: 64 << 10)
        return abridged
    }
}

/// A conversation as a client sees it.
package nonisolated struct ConversationItem: Sendable {
    package var record: ConversationRecord
    /// The name of the account.
    package let account: String

    package init(_ record: ConversationRecord, account: String) {
        (self.record, self.account) = (record, account)
    }
}
