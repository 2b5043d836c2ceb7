public import Varlink

/// The interface for support staff.
public enum StaffInterface: SocketInterface {
    public static let name = "io.cutied.Staff"

    public static var description: String {
        String(decoding: PackageResources.io_cutied_Staff_varlink, as: UTF8.self)
    }

    public static let faults: [any Fault.Type] = [NotStaff.self]
}

/// A method for support staff.
public protocol StaffMethod: ControlMethod where Interface == StaffInterface {}

/// The account is not a staff account.
public struct NotStaff: ControlFault, Hashable {
    public typealias Interface = StaffInterface

    public var account: String

    public init(account: String) { self.account = account }
}

/// The result of a call that is sent through the outbox.
public struct StaffReceipt: Codable, Hashable, Sendable {
    /// Whether the call is still pending on the server.
    public var queued: Bool
    public var outboxId: String?

    public init(queued: Bool, outboxId: String? = nil) { (self.queued, self.outboxId) = (queued, outboxId) }
}

/// Assigns a conversation to an admin, or to the signed-in user with `me`. Without either, removes the
/// assignment.
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

/// Updates the fields of a conversation that are not `nil`.
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

/// Adds an internal note, which only staff can read.
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

/// Adds a tag to a conversation.
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

/// Removes a tag, by name or id, from a conversation.
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

/// Returns the tags of all conversations.
public struct ListTags: StaffMethod {
    public var account: String?

    public init(account: String? = nil) { self.account = account }

    public struct Reply: Codable, Hashable, Sendable {
        public var tags: [TagView]

        public init(tags: [TagView]) { self.tags = tags }
    }
}

/// Returns statistics about the conversations that started in the last `days` days.
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
        /// The number of conversations with an answer.
        public var answered: Int?
        /// In seconds; `nil` if no conversation was answered.
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
