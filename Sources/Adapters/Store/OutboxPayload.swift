public import CutieAPI

/// The content of an outbox item, stored as JSON: the action of the user.
public enum OutboxPayload: Codable, Equatable, Sendable {
    case conversation(category: Category, title: String?, message: String)
    case message(String)
    /// Marks messages as read, up to and including this message.
    case read(upTo: Message.ID)
    /// Revokes a token after a sign-out. The value is the token type (`access_token` or `refresh_token`, RFC
    /// 7009). The token is in the secret store under the ID of the item.
    case revocation(String)
    /// An action of support staff.
    case staff(QueuedStaffAction)

    /// The kind of the item, as printed by `outbox list`.
    public var kind: String {
        switch self {
        case .conversation: "conversation"
        case .message: "message"
        case .read: "read"
        case .revocation: Self.revocationKind
        case .staff(let work): work.kind
        }
    }

    /// The kind of a revocation, which is sent to the issuer instead of the API.
    public static let revocationKind = "revocation"

    /// The title of a new conversation; `nil` for a conversation without a title and for other kinds of
    /// items.
    public var title: String? {
        if case .conversation(_, let title, _) = self { title } else { nil }
    }

    /// The newest message that a read mark covers; `nil` for other kinds of items.
    public var readBound: Message.ID? {
        if case .read(let newest) = self { newest } else { nil }
    }

    /// The text that the user wrote; `nil` if the item contains no such text.
    public var text: String? {
        switch self {
        case .conversation(_, _, let message), .message(let message): message
        case .read, .revocation: nil
        case .staff(let work): work.text
        }
    }
}

/// An action of support staff that is not a message to a user.
public enum QueuedStaffAction: Codable, Equatable, Sendable {
    /// Assigns the conversation to a member of support staff; `nil` removes the assignment.
    case assign(to: String?)
    case change(ConversationChange)
    case note(String)
    case tag(String)
    case untag(String)
    case answer(response: String, variables: [String: String])
    case add(CannedResponse.Draft)

    fileprivate var kind: String {
        switch self {
        case .assign: "assign"
        case .change: "update"
        case .note: "note"
        case .tag, .untag: "tag"
        case .answer: "canned"
        case .add: "canned"
        }
    }

    /// The text that the user wrote; `nil` if the action contains no such text.
    fileprivate var text: String? {
        switch self {
        case .note(let text): text
        case .add(let draft): draft.content
        case .assign, .change, .tag, .untag, .answer: nil
        }
    }
}
