/// The conversations, newest first.
public struct ListConversations: ControlMethod {
    /// Only those with unread messages.
    public var unread: Bool?
    public var limit: Int?
    public var account: String?

    public init(unread: Bool? = nil, limit: Int? = nil, account: String? = nil) {
        self.unread = unread
        self.limit = limit
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversations: [ConversationView]
        public var badge: BadgeView
        /// One reply does not hold all: older conversations are left out.
        public var cut: Bool?

        public init(conversations: [ConversationView], badge: BadgeView, cut: Bool? = nil) {
            self.conversations = conversations
            self.badge = badge
            self.cut = cut
        }
    }
}

/// One thread, oldest message first. Marks nothing read.
public struct GetConversation: ControlMethod {
    public var conversation: String
    /// Keeps the newest ones.
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
        /// One reply does not hold all: older messages are left out, or long ones abridged.
        public var cut: Bool?

        public init(conversation: ConversationView, messages: [MessageView], cut: Bool? = nil) {
            self.conversation = conversation
            self.messages = messages
            self.cut = cut
        }
    }
}

/// Full-text search in the stored messages: best match first, or newest first if there are more than 2000 matches.
public struct Search: ControlMethod {
    /// The last one may be the beginning of a word.
    public var words: String
    /// nil: 50.
    public var limit: Int?
    public var account: String?

    public init(words: String, limit: Int? = nil, account: String? = nil) {
        self.words = words
        self.limit = limit
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var messages: [MessageView]
        /// One reply does not hold all: messages are left out, or long ones abridged.
        public var cut: Bool?
        /// The matching parts of the messages, in order; at most 20 per message.
        public var matches: [Match]?
        /// Older messages are not found yet, because they are still being indexed.
        public var indexing: Bool?

        public init(
            messages: [MessageView], cut: Bool? = nil, matches: [Match]? = nil, indexing: Bool? = nil
        ) {
            self.messages = messages
            self.cut = cut
            self.matches = matches
            self.indexing = indexing
        }

        /// The matching parts of a message, as offsets of Unicode scalars.
        public func ranges(ofMessage index: Int) -> [Range<Int>] {
            (matches ?? []).filter { $0.message == index && $0.start >= 0 && $0.length > 0 }
                .map { $0.start..<$0.start + $0.length }
        }
    }

    /// A part of a message's text that matches the words.
    public struct Match: Codable, Hashable, Sendable {
        /// Index in `messages`.
        public var message: Int
        /// Offset in Unicode code points.
        public var start: Int
        /// Unicode code points.
        public var length: Int

        public init(message: Int, start: Int, length: Int) {
            (self.message, self.start, self.length) = (message, start, length)
        }
    }
}

/// What happened to one message, step by step.
public struct Explain: ControlMethod {
    public var message: String
    /// Needed where two conversations have a message of this id.
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
        /// One reply does not hold the message: it is abridged, or left out.
        public var cut: Bool?

        public init(message: MessageView? = nil, steps: [LedgerStep], cut: Bool? = nil) {
            self.message = message
            self.steps = steps
            self.cut = cut
        }
    }
}

/// A thread, without its messages. Times are Unix milliseconds.
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
    /// Its unread replies since the last clear.
    public var badge: Int
    public var lastMessage: String?
    /// When the newest message was written; `nil` if none is stored.
    public var lastMessageAt: Int64?
    public var tags: [TagView]?
    public var createdAt: Int64?
    /// The server's time of the last change; a read changes it, too.
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

    /// The time that lists show and sort by, newest first. Reading does not change it.
    public var sortedAt: Int64? { lastMessageAt ?? createdAt ?? updatedAt }
}

/// What support put on a conversation to find it again.
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

/// One message of a thread.
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
    /// The account's person wrote it; nil: of a daemon that does not tell.
    public var own: Bool?
    /// Only staff read it: never sent to the user.
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
    /// Whether the account's person wrote it.
    public var isOwn: Bool { own ?? (senderType == "user") }

    /// Whether only staff read it.
    public var isNote: Bool { isInternalNote == true }
}

/// One step in the life of a message.
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

/// What the daemon writes into the ledger as a detail, and what is told otherwise where it says so.
extension LedgerStep {
    /// The whole detail of what one of our own calls made.
    public static let answered = "answered to us"
    /// Begins the detail of what will never be shown; the reason follows.
    public static let notShown = "not shown: "
    /// Begins the detail of what is shown in the pop-up for several conversations.
    public static let summary = "summary"

    public var isAnswered: Bool { detail == Self.answered }
    public var isNotShown: Bool { detail?.hasPrefix(Self.notShown) == true }
    public var isInSummary: Bool { detail?.hasPrefix(Self.summary) == true }
}
