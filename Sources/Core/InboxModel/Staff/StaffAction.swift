public import ControlAPI
import Localization

/// A change of a conversation by support staff.
public enum StaffAction: Hashable, Sendable {
    case assign(Assignee)
    case set(ConversationField, String)
    case tag(String)
    case untag(String)
}

public enum Assignee: Hashable, Sendable {
    case me
    case unassigned
    /// A member of support staff, by admin ID.
    case admin(String)
}

/// A field of a conversation with a fixed set of values.
public enum ConversationField: Hashable, Sendable, CaseIterable {
    case status, priority, category

    /// The values of the field that the service accepts.
    public var values: [String] {
        switch self {
        case .status: ["open", "in_progress", "waiting_user", "waiting_admin", "resolved", "closed"]
        case .priority: ["low", "normal", "high", "urgent"]
        case .category: FormState.categories
        }
    }

    /// Returns the display name of a value; an unknown value is returned unchanged.
    public func label(for value: String) -> String {
        switch (self, value) {
        case (.status, _): statusLabel(value, for: .staff)
        case (.priority, "low"): localized("Low", context: "priority")
        case (.priority, "normal"): localized("Normal", context: "priority")
        case (.priority, "high"): localized("High", context: "priority")
        case (.priority, "urgent"): localized("Urgent", context: "priority")
        case (.category, _): categoryLabel(value)
        default: plainLine(value, limit: 40)
        }
    }

    func currentValue(in view: ConversationView) -> String? {
        switch self {
        case .status: view.status
        case .priority: view.priority
        case .category: view.category
        }
    }
}

extension StaffAction {
    /// The description of the change in the list of unsent items, for the user.
    var label: String {
        switch self {
        case .assign(.me): localized("Assign to me")
        case .assign(.unassigned): localized("Unassign")
        case .assign(.admin(let id)):
            localized("Assign to {admin}", ["admin": plainLine(id, limit: 60)])
        case .set(.status, let value):
            localized("Status: {value}", ["value": ConversationField.status.label(for: value)])
        case .set(.priority, let value):
            localized("Priority: {value}", ["value": ConversationField.priority.label(for: value)])
        case .set(.category, let value):
            localized("Category: {value}", ["value": ConversationField.category.label(for: value)])
        case .tag(let name): localized("Add the tag “{tag}”", ["tag": plainLine(name, limit: 40)])
        case .untag(let name): localized("Remove the tag “{tag}”", ["tag": plainLine(name, limit: 40)])
        }
    }
}

/// A change of a conversation with its idempotency key.
public struct StaffChange: Hashable, Sendable {
    /// The idempotency key, a UUID; also the ID of the outbox item.
    public var key: String
    public var conversation: ConversationKey
    public var action: StaffAction
}

/// A canned response that is being sent.
public struct OutgoingResponse: Hashable, Sendable {
    /// The idempotency key, a UUID; also the ID of the outbox item.
    public var key: String
    public var conversation: ConversationKey
    public var responseId: String
    public var variables: [String: String]
}

/// A new canned response that is being stored at the service.
public struct NewResponse: Hashable, Sendable {
    /// The idempotency key, a UUID; also the ID of the outbox item.
    public var key: String
    public var account: String
    public var title: String
    public var content: String
}

/// The audience of the text in the composer: the app's user, or only support staff.
public enum WritingMode: Hashable, Sendable {
    /// Visible to the user of the app.
    case reply
    /// Visible only to support staff.
    case note
}

/// The key of a draft: a conversation can have one draft per audience.
public struct DraftKey: Hashable, Sendable {
    public var conversation: ConversationKey
    public var mode: WritingMode

    public init(_ conversation: ConversationKey, _ mode: WritingMode = .reply) {
        (self.conversation, self.mode) = (conversation, mode)
    }
}

/// An action of support staff.
public enum StaffInput: Hashable, Sendable {
    /// `key`: the idempotency key, a new lowercase UUID.
    case change(StaffAction, key: String)
    /// Selects the audience of the text in the composer.
    case write(WritingMode)
    /// Sends a canned response. `text`: the text of the response with the values of `variables` filled in.
    case respond(CannedResponseView, variables: [String: String], text: String, key: String)
    /// Appends text to the draft.
    case draft(String)
    case add(title: String, content: String, key: String)
    /// Resolves the open conversation and opens the next conversation. If the open conversation has ended,
    /// reopens it instead.
    case resolve(key: String)
    /// Sends the draft and resolves the conversation.
    case sendAndResolve(key: String, resolution: String)
    /// Reopens the conversation that was resolved last.
    case undo(key: String)
}
