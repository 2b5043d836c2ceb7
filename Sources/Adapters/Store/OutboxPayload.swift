public import CutieAPI

/// What an item of the outbox says to the API, as its row keeps it.
public enum OutboxPayload: Codable, Equatable, Sendable {
    case conversation(category: Category, title: String?, message: String)
    case message(String)
    /// Read up to this message, the newest one that was here.
    case read(upTo: Message.ID)
    /// A token of who signed out is to be revoked, an access or a refresh token as RFC 7009 calls it. The secret
    /// store has it under the item's id.
    case revocation(String)
    /// Of staff: what only they do.
    case staff(StaffWork)

    /// The kind as `outbox list` shows it.
    public var kind: String {
        switch self {
        case .conversation: "conversation"
        case .message: "message"
        case .read: "read"
        case .revocation: Self.revocationKind
        case .staff(let work): work.kind
        }
    }

    /// What goes to the issuer and not to the API.
    public static let revocationKind = "revocation"

    /// What a new conversation is to be called.
    public var title: String? {
        if case .conversation(_, let title, _) = self { title } else { nil }
    }

    /// The newest message that a mark-read covers.
    public var readBound: Message.ID? {
        if case .read(let newest) = self { newest } else { nil }
    }

    /// The person's words in it.
    public var text: String? {
        switch self {
        case .conversation(_, _, let message), .message(let message): message
        case .read, .revocation: nil
        case .staff(let work): work.text
        }
    }
}

/// What staff do besides answering.
public enum StaffWork: Codable, Equatable, Sendable {
    /// To an admin; nil: to nobody.
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

    /// The person's words in it.
    fileprivate var text: String? {
        switch self {
        case .note(let text): text
        case .add(let draft): draft.content
        case .assign, .change, .tag, .untag, .answer: nil
        }
    }
}
