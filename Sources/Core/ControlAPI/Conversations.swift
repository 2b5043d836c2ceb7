/// Returns the conversations, newest first.
public struct ListConversations: ControlMethod {
    /// Whether to return only conversations with unread messages.
    public var unread: Bool?
    public var limit: Int?
    public var account: String?
    /// Whether to return the number of each conversation that counts in the badge.
    public var badges: Bool?

    public init(
        unread: Bool? = nil, limit: Int? = nil, account: String? = nil, badges: Bool? = nil
    ) {
        self.unread = unread
        self.limit = limit
        self.account = account
        self.badges = badges
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversations: [ConversationView]
        public var badge: BadgeView
        /// Whether older conversations were left out because the reply has a size limit.
        public var cut: Bool?

        public init(conversations: [ConversationView], badge: BadgeView, cut: Bool? = nil) {
            self.conversations = conversations
            self.badge = badge
            self.cut = cut
        }
    }
}

/// Returns one conversation, oldest message first. Marks nothing as read.
public struct GetConversation: ControlMethod {
    public var conversation: String
    /// The maximum number of messages; the newest ones are returned.
    public var limit: Int?
    public var account: String?

    public init(conversation: String, limit: Int? = nil, account: String? = nil) {
        self.conversation = conversation
        self.limit = limit
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversation: ConversationView
        public var messages: [MessageView]
        /// Whether older messages were left out, or long ones abridged, because the reply has a size limit.
        public var cut: Bool?

        public init(conversation: ConversationView, messages: [MessageView], cut: Bool? = nil) {
            self.conversation = conversation
            self.messages = messages
            self.cut = cut
        }
    }
}

/// Searches the stored messages (full text). The best match is first; if there are more than 2000 matches,
/// the newest message is.
public struct Search: ControlMethod {
    /// The search words. The last one may be a prefix.
    public var words: String
    /// The maximum number of results; `nil` for 50.
    public var limit: Int?
    public var account: String?

    public init(words: String, limit: Int? = nil, account: String? = nil) {
        self.words = words
        self.limit = limit
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var messages: [MessageView]
        /// Whether messages were left out, or long ones abridged, because the reply has a size limit.
        public var cut: Bool?
        /// The matching parts of the messages, in order; at most 20 per message.
        public var matches: [Match]?
        /// Whether older messages are missing from the result because they are still being indexed.
        public var indexing: Bool?

        public init(
            messages: [MessageView], cut: Bool? = nil, matches: [Match]? = nil, indexing: Bool? = nil
        ) {
            self.messages = messages
            self.cut = cut
            self.matches = matches
            self.indexing = indexing
        }

        /// Returns the matching parts of a message as ranges of Unicode scalar offsets.
        public func ranges(ofMessage index: Int) -> [Range<Int>] {
            (matches ?? []).filter { $0.message == index && $0.start >= 0 && $0.length > 0 }
                .map { $0.start..<$0.start + $0.length }
        }
    }

    /// A part of a message that matches the search words.
    public struct Match: Codable, Hashable, Sendable {
        /// The index of the message in `messages`.
        public var message: Int
        /// The offset of the first character, in Unicode code points.
        public var start: Int
        /// The length, in Unicode code points.
        public var length: Int

        public init(message: Int, start: Int, length: Int) {
            (self.message, self.start, self.length) = (message, start, length)
        }
    }
}

/// Returns the steps of the processing of one message.
public struct Explain: ControlMethod {
    public var message: String
    /// The id of the conversation; required if the message id exists in two conversations.
    public var conversation: String?
    public var account: String?

    public init(message: String, conversation: String? = nil, account: String? = nil) {
        self.message = message
        self.conversation = conversation
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var message: MessageView?
        public var steps: [LedgerStep]
        /// Whether the message was abridged or left out because the reply has a size limit.
        public var cut: Bool?

        public init(message: MessageView? = nil, steps: [LedgerStep], cut: Bool? = nil) {
            self.message = message
            self.steps = steps
            self.cut = cut
        }
    }
}

/// A conversation without its messages. Times are Unix milliseconds.
public struct ConversationView: Codable, Hashable, Sendable {
    public var account: String
    public var conversationId: String
    public var status: String
    public var title: String?
    public var category: String?
    public var priority: String?
    public var customerId: String?
    public var userId: String?
    public var userName: String?
    public var deviceId: String?
    public var assignedAdminId: String?
    public var appId: String?
    public var appName: String?
    public var messageCount: Int?
    public var unreadCount: Int?
    /// The number of unread replies in this conversation since the badge was last cleared.
    public var badge: Int
    public var lastMessage: String?
    /// Unix milliseconds. The time of the newest message; `nil` if none is stored.
    public var lastMessageAt: Int64?
    public var tags: [TagView]?
    public var createdAt: Int64?
    /// Unix milliseconds. The server's time of the last change, including read marks.
    public var updatedAt: Int64?

    public init(
        account: String, conversationId: String, status: String, title: String? = nil,
        category: String? = nil, priority: String? = nil, appName: String? = nil, messageCount: Int? = nil,
        unreadCount: Int? = nil, badge: Int, lastMessage: String? = nil,
        lastMessageAt: Int64? = nil, createdAt: Int64? = nil, updatedAt: Int64? = nil
    ) {
        self.account = account
        self.conversationId = conversationId
        self.status = status
        self.title = title
        self.category = category
        self.priority = priority
        self.appName = appName
        self.messageCount = messageCount
        self.unreadCount = unreadCount
        self.badge = badge
        self.lastMessage = lastMessage
        self.lastMessageAt = lastMessageAt
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Unix milliseconds. The time for display and for sorting (newest first). Read marks do not change it.
    public var sortedAt: Int64? { lastMessageAt ?? createdAt ?? updatedAt }
}

/// A tag that support put on a conversation.
public struct TagView: Codable, Hashable, Sendable {
    public var tagId: String
    public var conversationId: String
    public var tagName: String
    public var tagColor: String?

    public init(tagId: String, conversationId: String, tagName: String, tagColor: String? = nil) {
        self.tagId = tagId
        self.conversationId = conversationId
        self.tagName = tagName
        self.tagColor = tagColor
    }
}

/// A message of a conversation.
public struct MessageView: Codable, Hashable, Sendable {
    public var account: String
    public var messageId: String
    public var conversationId: String
    /// `user`, `admin` or `system`.
    public var senderType: String
    public var senderId: String?
    public var senderName: String?
    public var senderAvatarUrl: String?
    /// The text.
    public var message: String
    public var messageType: String
    /// Whether the user of the account wrote the message; `nil` if an older daemon does not report it.
    public var own: Bool?
    /// Whether the message is an internal note, which only staff can read. It is never sent to the user.
    public var isInternalNote: Bool?
    /// Unix milliseconds.
    public var createdAt: Int64

    public init(
        account: String, messageId: String, conversationId: String, senderType: String,
        senderId: String? = nil, senderName: String? = nil, senderAvatarUrl: String? = nil, message: String,
        messageType: String, own: Bool? = nil, isInternalNote: Bool? = nil, createdAt: Int64
    ) {
        (self.own, self.isInternalNote) = (own, isInternalNote)
        self.account = account
        self.messageId = messageId
        self.conversationId = conversationId
        self.senderType = senderType
        self.senderId = senderId
        self.senderName = senderName
        self.senderAvatarUrl = senderAvatarUrl
        self.message = message
        self.messageType = messageType
        self.createdAt = createdAt
    }
}

extension MessageView {
    /// Whether the user of the account wrote the message.
    public var isOwn: Bool { own ?? (senderType == "user") }

    /// Whether only staff can read the message.
    public var isNote: Bool { isInternalNote == true }
}

/// A step in the processing of a message.
public struct LedgerStep: Codable, Hashable, Sendable {
    /// Unix milliseconds.
    public var at: Int64
    /// `received`, `stored`, `announcing`, `shown`, `held`, `closed` or `read`.
    public var stage: String
    public var detail: String?

    public init(at: Int64, stage: String, detail: String? = nil) {
        self.at = at
        self.stage = stage
        self.detail = detail
    }
}

/// Fixed values of `detail` that the daemon stores and that clients display differently.
extension LedgerStep {
    /// The complete detail of a message that was created by a call of this program.
    public static let answered = "answered to us"
    /// The prefix of the detail of a message that will never be shown. The reason follows.
    public static let notShown = "not shown: "
    /// The prefix of the detail of a message that is shown in a summary notification for several
    /// conversations.
    public static let summary = "summary"

    public var isAnswered: Bool { detail == Self.answered }
    public var isNotShown: Bool { detail?.hasPrefix(Self.notShown) == true }
    public var isInSummary: Bool { detail?.hasPrefix(Self.summary) == true }
}
