public import Varlink

/// What those do who answer people.
public enum StaffInterface: SocketInterface {
    public static let name = "io.cutied.Staff"

    public static var description: String {
        String(decoding: PackageResources.io_cutied_Staff_varlink, as: UTF8.self)
    }

    public static let faults: [any Fault.Type] = [NotStaff.self]
}

/// A call of staff.
public protocol StaffMethod: ControlMethod where Interface == StaffInterface {}

/// The account is not one of staff.
public struct NotStaff: ControlFault, Hashable {
    public typealias Interface = StaffInterface

    public var account: String

    public init(account: String) { self.account = account }
}

/// What became of a call that goes by the outbox.
public struct StaffReceipt: Codable, Hashable, Sendable {
    /// The server does not have it yet.
    public var queued: Bool
    public var outboxId: String?

    public init(queued: Bool, outboxId: String? = nil) { (self.queued, self.outboxId) = (queued, outboxId) }
}

/// Assigns a conversation to an admin, with `me` to who is signed in, without either to nobody.
public struct Assign: StaffMethod, RepeatableMethod {
    public typealias Reply = StaffReceipt
    public var conversation: String
    public var admin: String?
    public var me: Bool?
    public var idempotencyKey: String?
    public var account: String?

    public init(conversation: String, admin: String? = nil, me: Bool? = nil, account: String? = nil) {
        (self.conversation, self.admin, self.me, self.account) = (conversation, admin, me, account)
    }
}

/// Changes what is not nil.
public struct UpdateConversation: StaffMethod, RepeatableMethod {
    public typealias Reply = StaffReceipt
    public var conversation: String
    public var status: String?
    public var priority: String?
    public var category: String?
    public var idempotencyKey: String?
    public var account: String?

    public init(
        conversation: String, status: String? = nil, priority: String? = nil, category: String? = nil,
        account: String? = nil
    ) {
        (self.conversation, self.status, self.priority) = (conversation, status, priority)
        (self.category, self.account) = (category, account)
    }
}

/// Writes an internal note: only staff read it.
public struct AddNote: StaffMethod, RepeatableMethod {
    public var conversation: String
    public var message: String
    public var idempotencyKey: String?
    public var account: String?

    public init(conversation: String, message: String, account: String? = nil) {
        (self.conversation, self.message, self.account) = (conversation, message, account)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var messageId: String?
        public var queued: Bool
        public var outboxId: String?

        public init(messageId: String? = nil, queued: Bool, outboxId: String? = nil) {
            (self.messageId, self.queued, self.outboxId) = (messageId, queued, outboxId)
        }
    }
}

/// Puts a tag on a conversation.
public struct AddTag: StaffMethod, RepeatableMethod {
    public typealias Reply = StaffReceipt
    public var conversation: String
    public var tag: String
    public var idempotencyKey: String?
    public var account: String?

    public init(conversation: String, tag: String, account: String? = nil) {
        (self.conversation, self.tag, self.account) = (conversation, tag, account)
    }
}

/// Takes a tag, by its name or its id, from a conversation.
public struct RemoveTag: StaffMethod, RepeatableMethod {
    public typealias Reply = StaffReceipt
    public var conversation: String
    public var tag: String
    public var idempotencyKey: String?
    public var account: String?

    public init(conversation: String, tag: String, account: String? = nil) {
        (self.conversation, self.tag, self.account) = (conversation, tag, account)
    }
}

/// Every tag of every conversation.
public struct ListTags: StaffMethod {
    public var account: String?

    public init(account: String? = nil) { self.account = account }

    public struct Reply: Codable, Hashable, Sendable {
        public var tags: [TagView]

        public init(tags: [TagView]) { self.tags = tags }
    }
}

/// Counts the conversations that began in the last so many days.
public struct GetStatistics: StaffMethod {
    public var days: Int?
    public var account: String?

    public init(days: Int? = nil, account: String? = nil) { (self.days, self.account) = (days, account) }

    public struct Reply: Codable, Hashable, Sendable {
        public var days: Int
        public var total: Int?
        public var byStatus: [String: Int]
        public var byCategory: [String: Int]
        public var byPriority: [String: Int]
        /// Conversations that have an answer.
        public var answered: Int?
        /// Seconds; nil where nothing was answered.
        public var averageFirstResponse: Double?

        public init(
            days: Int, total: Int?, byStatus: [String: Int], byCategory: [String: Int],
            byPriority: [String: Int], answered: Int?, averageFirstResponse: Double?
        ) {
            (self.days, self.total, self.byStatus) = (days, total, byStatus)
            (self.byCategory, self.byPriority) = (byCategory, byPriority)
            (self.answered, self.averageFirstResponse) = (answered, averageFirstResponse)
        }
    }
}
