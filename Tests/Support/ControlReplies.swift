/// The parameters of the reply to `GetStatus`.
public struct StatusRecord: Decodable, Sendable {
    public let state: String
    public let badge: BadgeRecord
    public let sequence: Int64
    public let outbox: Int
    public let outboxFailed: Int
    public let notifications: Bool
    public let paused: Bool
    public let pausedUntil: Int64?
    public let `private`: Bool
    public let notifier: NotifierRecord
    public let holds: [HoldRecord]
    public let accounts: [AccountRecord]

    public subscript(account: String) -> AccountRecord? { accounts.first { $0.name == account } }
}

public struct HoldRecord: Decodable, Sendable {
    public let reason: String
}

public struct NotifierRecord: Decodable, Sendable {
    public let available: Bool
    public let server: String?
}

public struct AccountRecord: Decodable, Sendable {
    public let name: String
    public let state: String
    public let transport: String
    public let reason: String?
    public let apiUrl: String
    private let device: String?
    public let badge: BadgeRecord
    public let outbox: Int
    public let outboxFailed: Int
    public let warnings: [String]

    /// The device ID; an empty string if the account has no device.
    public var deviceId: String { device ?? "" }

    private enum CodingKeys: String, CodingKey {
        case name, state, transport, reason, apiUrl, badge, outbox, outboxFailed, warnings
        case device = "deviceId"
    }
}

public struct BadgeRecord: Decodable, Sendable, Equatable {
    public let total: Int?
    public let unread: Int?
    public let conversations: [String: Int]
}

/// The parameters of the reply to `GetConversation`.
public struct ThreadRecord: Decodable, Sendable {
    public let conversation: ConversationRecord
    public let messages: [MessageRecord]
}

public struct ConversationRecord: Decodable, Sendable {
    public let account: String
    public let conversationId: String
    public let status: String
    public let title: String?
    public let unreadCount: Int?
    public let badge: Int
}

public struct MessageRecord: Decodable, Sendable {
    public let messageId: String
    public let senderType: String
    public let message: String
}

/// The parameters of the reply to `ListConversations`.
public struct InboxRecord: Decodable, Sendable {
    public let conversations: [ConversationRecord]
    public let badge: BadgeRecord
}

/// The parameters of the reply to `Explain`.
public struct LedgerRecord: Decodable, Sendable {
    public let steps: [Step]

    public struct Step: Decodable, Sendable {
        public let stage: String
        public let detail: String?
    }

    public var stages: [String] { steps.map(\.stage) }
}

/// The parameters of the reply to `ListOutbox`.
public struct OutboxListRecord: Decodable, Sendable {
    public let items: [Item]

    public struct Item: Decodable, Sendable {
        public let outboxId: String
        public let kind: String
        public let state: String
        public let text: String?
    }
}

/// An event log entry in a reply to `Watch`.
public struct LogRecord: Decodable, Sendable {
    public let sequence: Int64
    /// The time of the entry in milliseconds, according to the daemon's clock.
    public let at: Int64
    public let type: String
    public let account: String?
    public let conversation: String?
    public let message: String?
    public let badge: BadgeRecord?
    public let state: String?
}
