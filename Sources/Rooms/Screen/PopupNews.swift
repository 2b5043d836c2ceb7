import Attention
import CutieAPI
import Inbox
import Store

/// One conversation's messages that pop up together.
struct PopupNews {
    private let place: Place
    var messages: [MessageRecord]
    /// Who wrote what is on the screen already, newest first.
    var earlierNames: [String] = []
    /// Its messages are written to be announced, and were unread as of these reads; nil: not yet.
    var announcedAsOf: Int64?

    init(
        account: AccountID, id: Conversation.ID, conversation: Conversation?, appID: String?,
        messages: [MessageRecord], perspective: Perspective = .person
    ) {
        place = Place(account, id, conversation, appID, perspective)
        self.messages = messages
    }

    /// What no turn changes: one for all copies, as a conversation has twenty texts to count references of.
    private final class Place {
        let account: AccountID
        let id: Conversation.ID
        let conversation: Conversation?
        let appID: String?
        let perspective: Perspective

        init(
            _ account: AccountID, _ id: Conversation.ID, _ conversation: Conversation?, _ appID: String?,
            _ perspective: Perspective
        ) {
            (self.account, self.id, self.conversation) = (account, id, conversation)
            (self.appID, self.perspective) = (appID, perspective)
        }
    }

    var account: AccountID { place.account }
    var id: Conversation.ID { place.id }
    /// nil where its row is missing.
    var conversation: Conversation? { place.conversation }
    /// Of the account.
    var appID: String? { place.appID }
    /// Whose words they are, where nobody is named.
    var perspective: Perspective { place.perspective }
    var owner: PopupOwner { .reply(account, id) }

    /// Its messages with all that a rule may look at.
    var subjects: [Subject] { messages.map(subject) }

    func subject(_ record: MessageRecord) -> Subject {
        Subject(record.message, in: conversation, appID: appID)
    }

    var queued: ReplyQueue.Item { .init(owner, messages.map(\.key)) }
}

extension MessageRecord {
    var key: MessageKey { MessageKey(message.id, of: account) }
}

/// What a turn shows: new replies each at its conversation, released ones in one digest.
struct SortedPending {
    var news: [PopupNews] = []
    var digest: [PopupNews] = []
    /// More may be released than the digest has.
    var isPiece = false
    /// How many messages were looked at.
    var lookedAt = 0

    /// What was held of a conversation goes with its new replies: two pop-ups would end with the older words.
    mutating func release(_ item: PopupNews) {
        if let place = news.firstIndex(where: { $0.owner == item.owner }) {
            news[place].messages = (item.messages + news[place].messages).sorted { $0.sequence < $1.sequence }
        } else {
            digest.append(item)
        }
    }

    var isEmpty: Bool { news.isEmpty && digest.isEmpty }
    var all: [MessageRecord] { (news + digest).flatMap(\.messages) }
}
