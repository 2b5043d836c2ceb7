import ControlAPI
public import Domain
import Localization

/// A row in the conversation list.
public struct ConversationRow: Hashable, Sendable {
    public var key: ConversationKey
    public var title: String
    /// The beginning of the newest message, on one line.
    public var lastMessage: String
    /// The time of the newest message, such as `14:05` or `Yesterday`; empty if unknown.
    public var time: String
    public var unread: Int
    public var tags: [TagLabel]
    /// The account's title; `nil` if there is only one account.
    public var account: String?
    /// The app that the conversation is about; `nil` if the service did not send it.
    public var app: String?
    public var mark: Mark?
    public var hasEnded: Bool
    /// The beginning of the unsent draft, on one line; `nil` if there is no draft, or if the composer already
    /// shows the draft because the conversation is open.
    public var draft: String?
    public var isChosen: Bool
    /// `High` or `Urgent`, for support staff only; `nil` for all other priorities.
    public var priority: String?
    /// The text "Waiting since" with the time of the newest message. `nil` if the app's user does not wait
    /// for a reply, if the conversation is snoozed, or if the user of this window is not support staff.
    public var waiting: String?
    /// The formatted end of the snooze; `nil` if the conversation is not snoozed.
    public var snoozed: String?
    public var isMuted = false
    /// Whether the user marked the conversation as unread.
    public var isMarkedUnread = false

    /// The state of a message that the user wrote but the service has not received.
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
        case .queued: parts.append(localized("queued"))
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

/// Returns the display name of a category; an unknown category is returned unchanged.
func categoryLabel(_ category: String?) -> String {
    switch category {
    case "bug": localized("Problem")
    case "feature": localized("Feature Request")
    case "question": localized("Question")
    case "feedback": localized("Feedback")
    case "other": localized("Other")
    case let other?: plainLine(other, limit: 40)
    case nil: localized("Conversation")
    }
}

/// The filter of the conversation list. A conversation is shown if it matches all conditions.
public struct ListFilter: Hashable, Sendable {
    public var unreadOnly: Bool
    /// The account to show; `nil` for all accounts.
    public var account: String?
    /// The name of the tag to show; `nil` for all conversations.
    public var tag: String?
    /// The view for support staff to show; `nil` for all conversations.
    public var view: InboxView?

    public init(
        unreadOnly: Bool = false, account: String? = nil, tag: String? = nil, view: InboxView? = nil
    ) {
        (self.unreadOnly, self.account, self.tag, self.view) = (unreadOnly, account, tag, view)
    }

    /// Returns whether the filter includes a conversation.
    ///
    /// - Parameter ownAdminIDs: the signed-in user's admin ID in each staff account.
    func includes(_ view: ConversationView, ownAdminIDs: [String: String?]) -> Bool {
        if let queue = self.view {
            guard let me = ownAdminIDs[view.account],
                queue.containsConversation(
                    status: view.status, lastSender: view.lastSender, isSnoozed: view.snoozedUntil != nil,
                    assignee: view.assignedAdminId, ownAdminID: me)
            else { return false }
        }
        return (!unreadOnly || view.isUnread) && (account == nil || account == view.account)
            && (tag == nil || (view.tags ?? []).contains { $0.tagName == tag })
    }
}

/// The content of the list pane.
public enum ListView: Hashable, Sendable {
    case loading
    /// `isTruncated`: whether older conversations are omitted.
    case conversations(count: Int, isTruncated: Bool)
    case empty
    case noMatches(ListFilter)
    case searching(String)
    case results([SearchHit], isTruncated: Bool)
    case noResults(String)
    /// No conversation matches these search words.
    case noConversation(String)
    /// Loading failed. The value is the error message.
    case failed(String)
}

public struct SearchHit: Hashable, Sendable {
    /// The conversation of the search result; `nil` if the result is a service. A click on a service opens
    /// the page of apps and services.
    public var key: ConversationKey?
    /// The matching message; `nil` if the title or another property of the conversation matches.
    public var messageId: String?
    public var title: String
    /// The sender of a message, or the kind of the result ("conversation", "service").
    public var sender: String
    /// The text on one line; starts shortly before the first match.
    public var excerpt: String
    public var time: String
    /// The account's title; `nil` if there is only one account.
    public var account: String?
    /// The matches in the excerpt, as offsets of Unicode scalars.
    var matches: [Range<Int>] = []
    /// The matches in the title, as offsets of Unicode scalars.
    var titleMatches: [Range<Int>] = []
}
