public import ControlAPI
import Localization

/// What support changes of a conversation.
public enum StaffWork: Hashable, Sendable {
    case assign(Assignee)
    case set(ConversationField, String)
    case tag(String)
    case untag(String)
}

/// Who is to answer a conversation.
public enum Assignee: Hashable, Sendable {
    case me
    case nobody
    /// By their id at the service.
    case admin(String)
}

/// What has one of several values.
public enum ConversationField: Hashable, Sendable, CaseIterable {
    case status, priority, category

    /// What the service knows.
    public var values: [String] {
        switch self {
        case .status: ["open", "in_progress", "waiting_user", "waiting_admin", "resolved", "closed"]
        case .priority: ["low", "normal", "high", "urgent"]
        case .category: FormState.categories
        }
    }

    /// For support; a value that this version does not know stays as it is.
    public func words(for value: String) -> String {
        switch (self, value) {
        case (.status, _): statusWord(value, for: .staff)
        case (.priority, "low"): localized("Low", context: "priority")
        case (.priority, "normal"): localized("Normal", context: "priority")
        case (.priority, "high"): localized("High", context: "priority")
        case (.priority, "urgent"): localized("Urgent", context: "priority")
        case (.category, _): categoryWord(value)
        default: plainLine(value, limit: 40)
        }
    }

    func value(of view: ConversationView) -> String? {
        switch self {
        case .status: view.status
        case .priority: view.priority
        case .category: view.category
        }
    }
}

extension StaffWork {
    /// In the outbox, for the person.
    var words: String {
        switch self {
        case .assign(.me): localized("Assign it to you")
        case .assign(.nobody): localized("Assign it to nobody")
        case .assign(.admin(let id)):
            localized("Assign it to {admin}", ["admin": plainLine(id, limit: 60)])
        case .set(.status, let value):
            localized("Status: {value}", ["value": ConversationField.status.words(for: value)])
        case .set(.priority, let value):
            localized("Priority: {value}", ["value": ConversationField.priority.words(for: value)])
        case .set(.category, let value):
            localized("Category: {value}", ["value": ConversationField.category.words(for: value)])
        case .tag(let name): localized("Add the tag “{tag}”", ["tag": plainLine(name, limit: 40)])
        case .untag(let name): localized("Remove the tag “{tag}”", ["tag": plainLine(name, limit: 40)])
        }
    }
}

/// A change under its key.
public struct StaffChange: Hashable, Sendable {
    /// A UUID: the same call is done once. The outbox item has it as its id.
    public var key: String
    public var conversation: ConversationKey
    public var work: StaffWork
}

/// A canned response that is sent.
public struct OwnResponse: Hashable, Sendable {
    /// As of `StaffChange`.
    public var key: String
    public var conversation: ConversationKey
    public var responseId: String
    public var variables: [String: String]
}

/// A canned response that is new.
public struct NewResponse: Hashable, Sendable {
    /// As of `StaffChange`.
    public var key: String
    public var account: String
    public var title: String
    public var content: String
}

/// Who reads what the person writes.
public enum WritingMode: Hashable, Sendable {
    /// The user does.
    case reply
    /// Only support does.
    case note
}

/// What is begun in a conversation, for whom.
public struct DraftKey: Hashable, Sendable {
    public var conversation: ConversationKey
    public var mode: WritingMode

    public init(_ conversation: ConversationKey, _ mode: WritingMode = .reply) {
        (self.conversation, self.mode) = (conversation, mode)
    }
}

/// What the person does as support.
public enum StaffInput: Hashable, Sendable {
    /// `key`: a new UUID in lower case.
    case change(StaffWork, key: String)
    /// Whom the words in the box are for.
    case write(WritingMode)
    /// Sends a canned response, which is `text` with these values.
    case respond(CannedResponseView, variables: [String: String], text: String, key: String)
    /// Takes a text into the box, behind what stands there.
    case draft(String)
    case add(title: String, content: String, key: String)
}
