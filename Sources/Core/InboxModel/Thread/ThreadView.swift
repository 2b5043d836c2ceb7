import ControlAPI
import Localization

/// The content of the thread pane, except for the lines.
public enum ThreadView: Hashable, Sendable {
    /// No conversation is selected.
    case none
    case loading(title: String?)
    case messages(ThreadDetails)
    case notFound
    /// Several accounts contain the conversation of a link, so the user must choose one of these accounts.
    case ambiguous([String])
    /// Loading failed. The value is the error message.
    case failed(String)
    /// The user is signed out of the account with this name, so the conversation is not shown.
    case signedOut(String)
}

/// The contents of the thread pane except its lines: title, status, composer and tools of support staff.
public struct ThreadDetails: Hashable, Sendable {
    public var key: ConversationKey
    public var title: String
    /// The display name of the status, such as `Open` or `Resolved`.
    public var status: String
    /// The account's title; `nil` if there is only one account.
    public var account: String?
    /// The name of the app; `nil` if the name is unknown or part of the account's title.
    public var app: String?
    public var tags: [TagLabel]
    public var hasEarlier: Bool
    public var isLoadingEarlier: Bool
    /// Whether newer messages are loaded but not visible.
    public var hasLater: Bool
    /// The number of new messages below the visible messages.
    public var newMessagesBelow: Int
    /// Whether older messages exist that the window cannot load.
    public var isTruncated: Bool
    public var composer: ComposerState
    /// The audience of the text in the composer, for support staff; `nil` for other users.
    public var mode: WritingMode?
    /// The recipient of a reply from support staff.
    public var recipient: String
    public var staff: StaffTools?
    public var isMuted = false
    public var isSnoozed = false
    public var hasEnded = false
}

/// The state of the composer.
public enum ComposerState: Hashable, Sendable {
    /// The composer can be used. `revision`: incremented when `text` changes without input from the user.
    case box(text: String, revision: Int, canSend: Bool, problem: String?)
    /// The conversation has ended. The value is the text to show instead of the composer.
    case ended(String)
}

/// Returns the display name of a status; an unknown status is returned unchanged.
func statusLabel(_ status: String, for role: UserRole) -> String {
    switch status {
    case "open": localized("Open", context: "status")
    case "in_progress": localized("In progress")
    case "waiting_user": RoleDependentText.waitingForUser.text(for: role)
    case "waiting_admin": RoleDependentText.waitingForSupport.text(for: role)
    case "resolved": localized("Resolved")
    case "closed": localized("Closed")
    default: plainLine(status, limit: 40)
    }
}

/// Returns the text to show instead of the composer if the conversation has ended.
func messageForEndedConversation(withStatus status: String) -> String {
    status == "resolved"
        ? localized("This conversation is resolved.") : localized("This conversation is closed.")
}

/// The unsent drafts, by conversation and audience.
struct Drafts: Hashable, Sendable {
    private var texts: [DraftKey: String] = [:]
    /// Incremented when a draft changes without input from the user, so that the view reloads the draft.
    private(set) var revision = 0

    subscript(key: DraftKey) -> String { texts[key] ?? "" }

    func hasDraft(for key: ConversationKey) -> Bool {
        texts[DraftKey(key, .reply)] != nil || texts[DraftKey(key, .note)] != nil
    }

    /// Returns the beginning of the draft on one line; `nil` if there is no draft or the draft is blank. A
    /// draft of a reply takes precedence over a draft of a note.
    func preview(for key: ConversationKey) -> String? {
        let text = texts[DraftKey(key, .reply)] ?? texts[DraftKey(key, .note)]
        return text.map { plainLine($0, limit: 160) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func load(_ savedDrafts: [DraftKey: String]) {
        texts.merge(savedDrafts) { now, _ in now }
        revision += 1
    }

    /// Stores text that the user typed, which the view already shows. Returns whether the conversation's
    /// first draft was created or its last draft was deleted.
    mutating func updateDraft(_ text: String, for key: DraftKey) -> Bool {
        let before = hasDraft(for: key.conversation)
        texts[key] = text.isEmpty ? nil : text
        return hasDraft(for: key.conversation) != before
    }

    /// Replaces a draft, and increments `revision` so that the view reloads it.
    mutating func setDraft(_ text: String, for key: DraftKey) {
        _ = updateDraft(text, for: key)
        revision += 1
    }

    mutating func forceViewReload() { revision += 1 }
}
