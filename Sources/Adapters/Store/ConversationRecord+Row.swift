public import CutieAPI
import FoundationEssentials

extension ConversationRecord {
    static let columns = """
        account, id, status, title, category, priority, customer_id, user_id, user_name, device_id, \
        assigned_admin_id, app_id, app_name, message_count, unread_count, tags, created_at, updated_at, \
        unread, since_clear, as_of, polled, polled_updated_at, polled_unread, polled_messages, \
        last_message, newest_sequence
        """

    /// The condition of the index conversation_live, word for word, so that SQLite sees that it fits.
    static let isLive = "(unread > 0 OR since_clear > 0)"

    private static let previewLength = 200

    init(_ row: inout ColumnReader) {
        account = row.account()
        conversation = Conversation(row: &row)
        unread = row.int()
        sinceClear = row.int()
        asOf = row.optionalTime()
        let isPolled = row.flag()
        let mark = PolledMark(
            updatedAt: row.optionalTime(), unreadCount: row.optionalInt(), messageCount: row.optionalInt())
        polled = isPolled ? mark : nil
        lastMessage = row.optionalText()
        newestSequence = row.int64()
    }

    /// The values of `columns` and of sort_at, in this order.
    var values: Values {
        let own: Values = [
            unread.stored, sinceClear.stored, asOf?.stored, (polled != nil).stored, polled?.updatedAt?.stored,
            polled?.unreadCount?.stored, polled?.messageCount?.stored, preview?.stored, newestSequence.stored,
            sortedAt.stored,
        ]
        return [account.stored] + conversation.values + own
    }

    /// Counting characters is slow, and most texts are short.
    private var preview: String? {
        guard let lastMessage, lastMessage.utf8.count > Self.previewLength else { return lastMessage }
        let preview = lastMessage.prefix(Self.previewLength)
        // One character may have millions of accents.
        guard preview.utf8.count > 64 * Self.previewLength else { return String(preview) }
        return String(preview.unicodeScalars.prefix(Self.previewLength))
    }

    /// What lists are sorted by, newest first.
    public var sortedAt: Timestamp {
        conversation.updatedAt ?? conversation.createdAt ?? asOf ?? .epoch
    }
}

extension Conversation {
    fileprivate init(row: inout ColumnReader) {
        self.init(id: row.id(), status: Status(row.text()))
        title = row.optionalText()
        category = row.optionalText().map(Category.init(rawValue:))
        priority = row.optionalText().map(Priority.init(rawValue:))
        customerID = row.optionalText()
        userID = row.optionalText()
        userName = row.optionalText()
        deviceID = row.optionalID()
        assignedAdminID = row.optionalText()
        appID = row.optionalText()
        appName = row.optionalText()
        messageCount = row.optionalInt()
        unreadCount = row.optionalInt()
        tags = row.optionalText().flatMap(Self.tags(stored:))
        createdAt = row.optionalTime()
        updatedAt = row.optionalTime()
    }

    fileprivate var values: Values {
        [
            id.stored, status.rawValue.stored, title?.stored, category?.rawValue.stored,
            priority?.rawValue.stored, customerID?.stored, userID?.stored, userName?.stored,
            deviceID?.stored, assignedAdminID?.stored, appID?.stored, appName?.stored, messageCount?.stored,
            unreadCount?.stored, tags.flatMap(Self.stored(_:))?.stored, createdAt?.stored, updatedAt?.stored,
        ]
    }

    private static func tags(stored text: String) -> [Tag]? {
        try? JSONDecoder().decode([Tag].self, from: Data(text.utf8))
    }

    private static func stored(_ tags: [Tag]) -> String? {
        (try? JSONEncoder().encode(tags)).map { String(decoding: $0, as: UTF8.self) }
    }
}
