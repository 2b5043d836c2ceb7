public import CutieAPI

/// What an item of the outbox says to the API, as its row keeps it.
public enum OutboxPayload: Codable, Equatable, Sendable {
    case conversation(category: Category, title: String?, message: String)
    case message(String)
    /// Read up to this message, the newest one that was here.
    case read(upTo: Message.ID)

    /// The kind as `outbox list` shows it.
    public var kind: String {
        switch self {
        case .conversation: "conversation"
        case .message: "message"
        case .read: "read"
        }
    }

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
        case .read: nil
        }
    }
}
