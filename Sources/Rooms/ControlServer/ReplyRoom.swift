import ControlAPI
import Varlink

/// What one reply of the socket holds: a message of it is limited, and what is stored is not.
struct ReplyRoom {
    /// Something was left out or abridged.
    private(set) var isCut = false
    private var left: Int
    private var isEmpty = true

    /// More are not read: there is no room for so many, however short they are.
    static let mostConversations = MessageLimits().bytes / namesAndNumbers

    private static let half = MessageLimits().bytes / 2

    /// `beside`: the bytes of what else the reply has, but for a little.
    init(beside: Int = 0) { left = MessageLimits().bytes - (64 << 10) - beside }

    /// nil where it does not fit; abridged where it would leave no room for others, unless it is the first:
    /// that may be all that was asked for.
    mutating func fit(_ message: MessageView) -> MessageView? {
        let size = message.jsonSize
        if size <= (isEmpty ? left : Self.half) { return fit(message, of: size) }
        isCut = true
        return fit(message.abridged, of: message.abridged.jsonSize)
    }

    mutating func fit(_ conversation: ConversationView) -> ConversationView? {
        fit(conversation, of: conversation.jsonSize)
    }

    /// Whole texts have half of the room, and their beginnings the other: without its id an item can neither
    /// be tried again nor cancelled.
    mutating func fit(_ item: OutboxItem) -> OutboxItem? {
        for limit in [Self.half, 64 << 10] {
            let abridged = item.abridged(to: limit)
            let size = abridged.jsonSize
            guard size <= left - Self.half else { continue }
            isCut = isCut || abridged != item
            return fit(abridged, of: size)
        }
        let short = item.abridged(to: 200)
        isCut = isCut || short != item
        return fit(short, of: short.jsonSize)
    }

    private mutating func fit<View>(_ view: View, of size: Int) -> View? {
        guard size <= left else {
            isCut = true
            return nil
        }
        left -= size
        isEmpty = false
        return view
    }
}

extension MessageView {
    /// The beginning of the text.
    var abridged: MessageView {
        var abridged = self
        abridged.message = message.abridged(to: 64 << 10)
        return abridged
    }

    fileprivate var jsonSize: Int {
        let texts = [account, messageId, conversationId, senderType, senderId, senderName, senderAvatarUrl]
        return namesAndNumbers + (texts + [message, messageType]).jsonSize
    }
}

extension ConversationView {
    fileprivate var jsonSize: Int {
        let texts = [account, conversationId, status, title, category, priority, appName, lastMessage]
        let people = [customerId, userId, userName, deviceId, assignedAdminId, appId]
        return namesAndNumbers + (texts + people).jsonSize + (tags ?? []).reduce(0) { $0 + $1.jsonSize }
    }
}

extension TagView {
    fileprivate var jsonSize: Int { 80 + [tagId, conversationId, tagName, tagColor].jsonSize }
}

extension OutboxItem {
    fileprivate func abridged(to limit: Int) -> OutboxItem {
        var abridged = self
        abridged.text = text?.abridged(to: limit)
        return abridged
    }

    fileprivate var jsonSize: Int {
        namesAndNumbers + [outboxId, account, kind, conversationId, text, state, error].jsonSize
    }
}

/// At most, of one of the views.
private let namesAndNumbers = 400

extension [String?] {
    fileprivate var jsonSize: Int { reduce(0) { $0 + ($1?.jsonSize ?? 4) } }
}

extension String {
    /// Bytes of it as JSON, at most. Of megabytes, so in the fewest steps for what needs no escape.
    var jsonSize: Int {
        var text = self
        return text.withUTF8 { bytes in
            var size = 2 + bytes.count
            for byte in bytes where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                // Quote, backslash, backspace, tab, line end, form feed and return have escapes of their own.
                size += byte >= 0x20 || byte >= 0x08 && byte <= 0x0D && byte != 0x0B ? 1 : 5
            }
            return size
        }
    }

    /// Its beginning, of at most `limit` bytes, and a sign that there is more.
    func abridged(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        // Not by characters: one may have millions of accents.
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end]) + "…"
    }
}
