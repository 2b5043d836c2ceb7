import CutieAPI
import FeedPolicy
import NotificationPolicy
import Store

/// The messages of one conversation that are shown in one notification.
struct ReplyGroup {
    private let context: Context
    var messages: [MessageRecord]
    /// The senders of messages that are already on the screen, newest first.
    var earlierNames: [String] = []
    /// The value of `reads.count` when the messages were recorded as announced and all of them were unread;
    /// `nil` if the messages have not been announced yet.
    var announcedAsOf: Int64?

    init(
        account: AccountID, id: Conversation.ID, conversation: Conversation?, appID: String?,
        messages: [MessageRecord], perspective: Perspective = .user
    ) {
        context = Context(
            account: account, id: id, conversation: conversation, appID: appID, perspective: perspective)
        self.messages = messages
    }

    /// The properties of a group that never change. All copies of the group share one object, because copying
    /// a conversation retains about twenty strings.
    private final class Context {
        let account: AccountID
        let id: Conversation.ID
        let conversation: Conversation?
        let appID: String?
        let perspective: Perspective

        init(
            account: AccountID, id: Conversation.ID, conversation: Conversation?, appID: String?,
            perspective: Perspective
        ) {
            (self.account, self.id, self.conversation) = (account, id, conversation)
            (self.appID, self.perspective) = (appID, perspective)
        }

        // The implicit `deinit` would be isolated to the main actor, and check the executor for each event.
        nonisolated deinit {}
    }

    var account: AccountID { context.account }
    var id: Conversation.ID { context.id }
    /// The conversation; `nil` if its row is missing.
    var conversation: Conversation? { context.conversation }
    /// The App ID of the account; `nil` if the account has none.
    var appID: String? { context.appID }
    /// The perspective of the account, which decides the name for an unnamed sender.
    var perspective: Perspective { context.perspective }
    var owner: NotificationOwner { .reply(account, id) }

    /// The messages with all properties that a rule may examine.
    var subjects: [NotificationSubject] { messages.map(makeSubject) }

    func makeSubject(for record: MessageRecord) -> NotificationSubject {
        NotificationSubject(record.message, in: conversation, appID: appID)
    }

    var queued: ReplyBatch.Item { .init(owner: owner, messages: messages.map(\.key)) }
}

extension MessageRecord {
    var key: MessageKey { MessageKey(message.id, of: account) }
}

/// The replies to show in one step of the queue: new replies in the notification of their conversation,
/// released replies in a digest.
struct SortedReplies {
    var news: [ReplyGroup] = []
    var digest: [ReplyGroup] = []
    /// Whether there may be more released messages than `digest` contains.
    var isPartial = false
    /// The number of messages that were examined.
    var examinedCount = 0

    /// Adds released messages. If the conversation also has new replies, one notification shows both. If
    /// there were two notifications, the notification with the older text would be shown last.
    mutating func addReleasedMessages(_ item: ReplyGroup) {
        if let index = news.firstIndex(where: { $0.owner == item.owner }) {
            news[index].messages = (item.messages + news[index].messages).sorted { $0.sequence < $1.sequence }
        } else {
            digest.append(item)
        }
    }

    var isEmpty: Bool { news.isEmpty && digest.isEmpty }
    var all: [MessageRecord] { (news + digest).flatMap(\.messages) }
}
