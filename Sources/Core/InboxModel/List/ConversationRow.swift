import ControlAPI
public import Domain
import Localization

/// The content of a row in the conversation list.
public struct ConversationRow: Hashable, Sendable {
    public var key: ConversationKey
    public var title: String
    /// The beginning of the latest message, on one line.
    public var lastMessage: String
    /// `14:05` or `Yesterday`; empty if the time is unknown.
    public var time: String
    public var unread: Int
    public var tags: [TagLabel]
    /// `nil` if there is only one account.
    public var account: String?
    /// The app that the conversation is about; `nil` if the service did not send it.
    public var app: String?
    public var mark: Mark?
    public var hasEnded: Bool
    /// The beginning of an unsent draft, on one line; `nil` if there is none or the conversation is open, whose
    /// composer shows it.
    public var draft: String?
    public var isChosen: Bool
    /// `High` or `Urgent`, for support staff; `nil` for other priorities.
    public var priority: String?
    /// The time since which the user waits for an answer, for support staff.
    public var waiting: String?
    /// The end of the snooze, as a sentence; `nil` if the conversation is not snoozed.
    public var snoozed: String?
    public var isMuted = false
    /// Whether the user marked the conversation as unread.
    public var isMarkedUnread = false

    /// The state of an own message that has not reached the service.
    public enum Mark: Hashable, Sendable { case queued, failed }

    /// The text for a screen reader.
    public var accessibleText: String {
        var parts = [title]
        if unread > 0 {
            parts.append(
                localized(one: "{count} unread message", other: "{count} unread messages", count: unread))
        }
        if unread == 0, isMarkedUnread { parts.append(localized("unread")) }
        if isMuted { parts.append(localized("muted")) }
        switch mark {
        case .queued: parts.append(localized("sending when online"))
        case .failed: parts.append(localized("not sent"))
        case nil: break
        }
        if let draft { parts.append(localized("Draft: {text}", ["text": draft])) }
        return
            (parts + [priority, waiting, snoozed].compactMap(\.self) + [lastMessage, time] + tags.map(\.name)
            + [
                account ?? ""
            ]).filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}

extension ConversationView {
    /// The display title of the conversation.
    var heading: String {
        let title = plainLine(title ?? "", limit: 200)
        return title.isEmpty ? categoryLabel(category) : title
    }

    var tagLabels: [TagLabel] {
        (tags ?? []).map {
            TagLabel(name: plainLine($0.tagName, limit: 40), colour: $0.tagColor.flatMap { .init($0) })
        }
    }
}

/// Returns the display name of a category; a category that this version does not know is returned unchanged.
func categoryLabel(_ category: String?) -> String {
    switch category {
    case "bug": localized("Problem")
    case "feature": localized("Feature request")
    case "question": localized("Question")
    case "feedback": localized("Feedback")
    case "other": localized("Other")
    case let other?: plainLine(other, limit: 40)
    case nil: localized("Conversation")
    }
}

/// The filter of the conversation list.
public struct ListFilter: Hashable, Sendable {
    public var unreadOnly: Bool
    /// `nil` for all accounts.
    public var account: String?
    /// The name of the tag.
    public var tag: String?
    /// Only conversations of support staff; `nil` for all conversations.
    public var view: InboxView?

    public init(
        unreadOnly: Bool = false, account: String? = nil, tag: String? = nil, view: InboxView? = nil
    ) {
        (self.unreadOnly, self.account, self.tag, self.view) = (unreadOnly, account, tag, view)
    }

    /// - Parameter admins: the user's ID at the service for each account of support staff.
    func includes(_ view: ConversationView, admins: [String: String?]) -> Bool {
        if let queue = self.view {
            guard let me = admins[view.account],
                queue.contains(
                    status: view.status, isSnoozed: view.snoozedUntil != nil, assignee: view.assignedAdminId,
                    me: me)
            else { return false }
        }
        return (!unreadOnly || view.isUnread) && (account == nil || account == view.account)
            && (tag == nil || (view.tags ?? []).contains { $0.tagName == tag })
    }
}

/// The content of the list pane.
public enum ListView: Hashable, Sendable {
    case loading
    /// `isCut`: whether older conversations are left out.
    case conversations(count: Int, isCut: Bool)
    /// There are no conversations.
    case empty
    case noMatches(ListFilter)
    case searching(String)
    case results([SearchHit], isCut: Bool)
    case noResults(String)
    /// The words match no conversation.
    case noConversation(String)
    /// The error text.
    case failed(String)
}

/// A search result.
public struct SearchHit: Hashable, Sendable {
    /// `nil` if the result is a service, which the page of apps and services shows.
    public var key: ConversationKey?
    /// `nil` if the result is the conversation itself.
    public var messageId: String?
    public var title: String
    /// The sender of a message, or the kind of the result ("conversation", "service").
    public var sender: String
    /// The text on one line, starting shortly before the first match.
    public var excerpt: String
    public var time: String
    /// `nil` if there is only one account.
    public var account: String?
    /// The matching parts of the excerpt, as offsets of Unicode scalars.
    var matches: [Range<Int>] = []
    /// The matching parts of the title.
    var titleMatches: [Range<Int>] = []
}
