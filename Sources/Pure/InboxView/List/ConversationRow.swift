import ControlAPI
import Localization

/// A conversation in the list.
public struct ConversationRow: Hashable, Sendable {
    public var key: ConversationKey
    public var title: String
    /// The beginning of the last words, on one line.
    public var lastWords: String
    /// `14:05`, `Yesterday`; empty where nobody knows.
    public var time: String
    public var unread: Int
    public var tags: [TagLabel]
    /// Named where there are several.
    public var account: String?
    /// Of the app it is about, where the service tells.
    public var app: String?
    public var mark: Mark?
    public var hasEnded: Bool
    /// Something was begun and not sent.
    public var hasDraft: Bool
    public var isChosen: Bool

    /// What the person wrote there has not arrived yet.
    public enum Mark: Hashable, Sendable { case queued, failed }

    /// The text for a screen reader. The row of the conversation that is looked at does not name its draft: its name would
    /// change, and be read, while the person types.
    public var spoken: String {
        var parts = [title]
        if unread > 0 {
            parts.append(
                localized(one: "{count} unread message", other: "{count} unread messages", count: unread))
        }
        switch mark {
        case .queued: parts.append(localized("waits to be sent"))
        case .failed: parts.append(localized("could not be sent"))
        case nil: break
        }
        if hasDraft, !isChosen { parts.append(localized("a draft")) }
        return (parts + [lastWords, time] + tags.map(\.name) + [account ?? ""]).filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}

extension ConversationView {
    /// What it is called, for a person.
    var heading: String {
        let title = plainLine(title ?? "", limit: 200)
        return title.isEmpty ? categoryWord(category) : title
    }

    var tagLabels: [TagLabel] {
        (tags ?? []).map {
            TagLabel(name: plainLine($0.tagName, limit: 40), colour: $0.tagColor.flatMap { .init($0) })
        }
    }
}

/// What a category is called; one that this version does not know stays as it is.
func categoryWord(_ category: String?) -> String {
    switch category {
    case "bug": localized("A problem")
    case "feature": localized("A wish")
    case "question": localized("A question")
    case "feedback": localized("Feedback")
    case "other": localized("Something else")
    case let other?: plainLine(other, limit: 40)
    case nil: localized("Conversation")
    }
}

/// What of the list is wanted.
public struct ListFilter: Hashable, Sendable {
    public var unreadOnly: Bool
    /// nil: of all.
    public var account: String?
    /// By its name.
    public var tag: String?

    public init(unreadOnly: Bool = false, account: String? = nil, tag: String? = nil) {
        (self.unreadOnly, self.account, self.tag) = (unreadOnly, account, tag)
    }

    func includes(_ view: ConversationView) -> Bool {
        (!unreadOnly || (view.unreadCount ?? 0) > 0) && (account == nil || account == view.account)
            && (tag == nil || (view.tags ?? []).contains { $0.tagName == tag })
    }
}

/// What the list shows.
public enum ListView: Hashable, Sendable {
    case loading
    /// `isCut`: older conversations are left out.
    case conversations(count: Int, isCut: Bool)
    /// Nothing was ever written.
    case empty
    case filteredToNothing(ListFilter)
    case searching(String)
    case results([SearchHit], isCut: Bool)
    case noResults(String)
    /// A sentence.
    case failed(String)
}

/// What a search found.
public struct SearchHit: Hashable, Sendable {
    /// nil: it is a service, which the page of apps and services shows.
    public var key: ConversationKey?
    /// nil: it is the conversation itself.
    public var messageId: String?
    public var title: String
    /// Of the message; of a conversation or a service, that it is one.
    public var sender: String
    /// The text on one line, from a little before the first match on.
    public var excerpt: String
    public var time: String
    /// `nil` if there is only one account.
    public var account: String?
    /// The matching parts of the excerpt, as offsets of scalars.
    var matches: [Range<Int>] = []
}
