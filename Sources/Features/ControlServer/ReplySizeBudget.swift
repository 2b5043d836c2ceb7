import ControlAPI
import Varlink

/// The remaining space of a socket reply. The size of a reply is limited, that of stored data is not.
nonisolated struct ReplySizeBudget {
    /// Whether something was left out or abridged.
    private(set) var isCut = false
    private var remainingBytes: Int
    private var isEmpty = true

    /// The maximum number of conversations to read. More do not fit, however short they are.
    static let maxConversations = MessageLimits().bytes / fixedFieldSize

    private static let half = MessageLimits().bytes / 2

    /// Creates the space for one reply.
    ///
    /// - Parameter beside: the bytes of the other fields. Small ones need not be counted.
    init(beside: Int = 0) { remainingBytes = MessageLimits().bytes - (64 << 10) - beside }

    /// Returns the message if it fits, otherwise `nil`. A message that takes more than half of a reply is
    /// abridged unless it is the first, which may be the only one that was requested.
    mutating func fit(_ message: MessageView) -> MessageView? {
        let size = message.jsonSize
        if size <= (isEmpty ? remainingBytes : Self.half) { return fit(message, of: size) }
        isCut = true
        return fit(message.abridged, of: message.abridged.jsonSize)
    }

    mutating func fit(_ conversation: ConversationView) -> ConversationView? {
        fit(conversation, of: conversation.jsonSize)
    }

    /// Returns the item, abridged if necessary. One half of the reply is reserved for short forms, because an
    /// item whose id is missing can neither be retried nor canceled.
    mutating func fit(_ item: OutboxItem) -> OutboxItem? {
        for limit in [Self.half, 64 << 10] {
            let abridged = item.abridged(to: limit)
            let size = abridged.jsonSize
            guard size <= remainingBytes - Self.half else { continue }
            isCut = isCut || abridged != item
            return fit(abridged, of: size)
        }
        let short = item.abridged(to: 200)
        isCut = isCut || short != item
        return fit(short, of: short.jsonSize)
    }

    private mutating func fit<View>(_ view: View, of size: Int) -> View? {
        guard size <= remainingBytes else {
            isCut = true
            return nil
        }
        remainingBytes -= size
        isEmpty = false
        return view
    }
}

nonisolated extension MessageView {
    /// The message with only the beginning of its text.
    var abridged: MessageView {
        var abridged = self
        abridged.message = message.abridged(to: 64 << 10)
        return abridged
    }

    fileprivate var jsonSize: Int {
        let texts = [account, messageId, conversationId, senderType, senderId, senderName, senderAvatarUrl]
        return fixedFieldSize + (texts + [message, messageType]).jsonSize
    }
}

nonisolated extension ConversationView {
    fileprivate var jsonSize: Int {
        let texts = [account, conversationId, status, title, category, priority, appName, lastMessage]
        let people = [customerId, userId, userName, deviceId, assignedAdminId, appId]
        return fixedFieldSize + (texts + people).jsonSize + (tags ?? []).reduce(0) { $0 + $1.jsonSize }
    }
}

nonisolated extension TagView {
    fileprivate var jsonSize: Int { 80 + [tagId, conversationId, tagName, tagColor].jsonSize }
}

nonisolated extension OutboxItem {
    fileprivate func abridged(to limit: Int) -> OutboxItem {
        var abridged = self
        abridged.text = text?.abridged(to: limit)
        return abridged
    }

    fileprivate var jsonSize: Int {
        fixedFieldSize + [outboxId, account, kind, conversationId, text, state, error].jsonSize
    }
}

/// The maximum size of the keys and the numbers of a view, in bytes.
private nonisolated let fixedFieldSize = 400

nonisolated extension [String?] {
    fileprivate var jsonSize: Int { reduce(0) { $0 + ($1?.jsonSize ?? 4) } }
}

nonisolated extension String {
    /// The maximum size of the text as JSON, in bytes. Optimized for megabytes of text with few escapes.
    var jsonSize: Int {
        var text = self
        return text.withUTF8 { bytes in
            var size = 2 + bytes.count
            for byte in bytes where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                // Quote, backslash, backspace, tab, line feed, form feed and carriage return have short
                // escapes.
                size += byte >= 0x20 || byte >= 0x08 && byte <= 0x0D && byte != 0x0B ? 1 : 5
            }
            return size
        }
    }

    /// Returns the beginning of the text, at most `limit` bytes, and an ellipsis if it was truncated.
    func abridged(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        // Cuts between scalars, because a single character may have millions of combining marks.
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end]) + "…"
    }
}
