import CutieAPI
import Reasons
import Store

/// The remaining space in a response. The size of responses is limited, but the size of stored data is not.
package nonisolated struct ReplySizeBudget: Sendable {
    /// The maximum size of a response in bytes. Equal to the default of `MessageLimits`, because clients
    /// reject larger messages.
    package static let limit = 4 << 20

    /// Whether an item was omitted or truncated.
    private(set) var isTruncated = false
    private var remainingBytes: Int
    private var isEmpty = true

    /// The maximum number of conversations to read. More conversations do not fit, even if all their strings
    /// are empty.
    static let maxConversations = limit / fixedFieldSize

    private static let half = limit / 2

    /// Creates the budget of one response. `reservedBytes`: the size of the other fields of the response, in
    /// bytes; 0 if they are small.
    init(reservedBytes: Int = 0) { remainingBytes = Self.limit - (64 << 10) - reservedBytes }

    /// Reserves space for the message and returns it, truncated if it is too large; `nil` if even the
    /// truncated message does
    /// not fit. A message that is larger than half of a response is truncated unless it is the first
    /// message, because the caller may have requested only this message.
    mutating func reserveSpace(for item: MessageItem) -> MessageItem? {
        let size = item.jsonSize
        if size <= (isEmpty ? remainingBytes : Self.half) { return reserveSpace(for: item, size: size) }
        isTruncated = true
        return reserveSpace(for: item.abridged, size: item.abridged.jsonSize)
    }

    mutating func reserveSpace(for conversation: ConversationItem) -> ConversationItem? {
        reserveSpace(for: conversation, size: conversation.jsonSize)
    }

    /// Reserves space for the item and returns it, truncated if it is too large; `nil` if even the truncated
    /// item does not fit.
    /// Half of the response is reserved for truncated items, because the user needs the ID of an item to
    /// retry or cancel it.
    mutating func reserveSpace(for item: OutboxEntry) -> OutboxEntry? {
        for limit in [Self.half, 64 << 10] {
            let abridged = item.abridged(toByteCount: limit)
            let size = abridged.jsonSize
            guard size <= remainingBytes - Self.half else { continue }
            isTruncated = isTruncated || abridged.text != item.text
            return reserveSpace(for: abridged, size: size)
        }
        let short = item.abridged(toByteCount: 200)
        isTruncated = isTruncated || short.text != item.text
        return reserveSpace(for: short, size: short.jsonSize)
    }

    private mutating func reserveSpace<Item>(for item: Item, size: Int) -> Item? {
        guard size <= remainingBytes else {
            isTruncated = true
            return nil
        }
        remainingBytes -= size
        isEmpty = false
        return item
    }
}

nonisolated extension MessageItem {
    fileprivate var jsonSize: Int {
        let people = [account, message.senderType.rawValue, message.senderID, message.senderName]
        let texts = [message.id.rawValue, message.conversation.rawValue, message.senderAvatarURL]
        return fixedFieldSize + (people + texts + [message.text, message.type]).jsonSize
    }
}

nonisolated extension ConversationItem {
    fileprivate var jsonSize: Int {
        let conversation = record.conversation
        let texts = [
            account, conversation.id.rawValue, conversation.status.rawValue, conversation.title,
            conversation.category?.rawValue, conversation.priority?.rawValue, conversation.appName,
            record.lastMessage, record.lastSender?.rawValue,
        ]
        let people = [
            conversation.customerID, conversation.userID, conversation.userName,
            conversation.deviceID?.rawValue, conversation.assignedAdminID, conversation.appID,
        ]
        let tags = (conversation.tags ?? []).reduce(0) { $0 + $1.jsonSize }
        return fixedFieldSize + (texts + people).jsonSize + tags
    }
}

nonisolated extension Tag {
    fileprivate var jsonSize: Int { 80 + [id, conversation.rawValue, name, color].jsonSize }
}

nonisolated extension OutboxEntry {
    fileprivate func abridged(toByteCount limit: Int) -> OutboxEntry {
        var abridged = self
        abridged.text = text?.abridged(toByteCount: limit)
        return abridged
    }

    fileprivate var jsonSize: Int {
        let texts = [record.id, account, record.kind, record.conversation?.rawValue, text]
        let arguments = (record.error?.argumentFields ?? [:]).flatMap { [$0.key, $0.value] }
        let reason = [record.error?.english, record.error?.code?.rawValue] + arguments
        return fixedFieldSize + (texts + [record.state.rawValue] + reason).jsonSize
    }
}

/// The maximum size of the keys and the numbers of an item, in bytes.
private nonisolated let fixedFieldSize = 420

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
                // Short escapes exist for quote, backslash, backspace, tab, line feed, form feed and carriage
                // return.
                size += byte >= 0x20 || byte >= 0x08 && byte <= 0x0D && byte != 0x0B ? 1 : 5
            }
            return size
        }
    }

    /// Returns the text if it has at most `limit` bytes; otherwise its beginning and an ellipsis.
    func abridged(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        // Cut between scalars, because a single character may have millions of combining marks.
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end]) + "…"
    }
}
