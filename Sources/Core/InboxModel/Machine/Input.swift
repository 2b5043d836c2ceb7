public import ControlAPI

/// An event from the daemon, from the window or from the user.
public enum Input: Sendable {
    // Events from the daemon
    case entry(Watch.Reply)
    case disconnected(DisconnectReason)
    case answered(Call, CallReply)
    case failed(Call, CallFailure)
    /// The service manager could not start the daemon. The value is the error message.
    case startFailed(String)
    /// The service manager started the daemon, which has not connected yet.
    case daemonStarted
    /// Whether the configuration contains an account.
    case configured(Bool)

    // Events from the window
    /// Whether the window has the focus and shows the thread; a narrow window shows either the list or the
    /// thread.
    case window(isFocused: Bool, showsThread: Bool)
    /// The user scrolled the thread. `isAtEnd`: whether the end of the thread is visible.
    case scrolled(isAtEnd: Bool)
    /// The day, the language or the time zone changed, so all text must be formatted again.
    case dayChanged
    /// Whether Enter sends the text in the composer, according to the configuration.
    case enterSends(Bool)
    /// The drafts that a previous window saved.
    case drafts([DraftKey: String])

    // Actions in the list
    case choose(ConversationKey?)
    /// Opens the next conversation in the list (1) or the previous conversation (-1).
    case selectNeighbor(Int)
    /// The user opened a `cutie://conversation` link or a notification.
    case open(conversation: String, account: String?, message: String?)
    case search(String)
    case filter(ListFilter)
    /// Whether the search field is used to open a conversation by its title or user, instead of searching
    /// messages.
    case setSearchSelectsConversation(Bool)
    /// Opens the first conversation that matches the text in the search field.
    case openFirstMatch(String)

    // Actions in the thread
    case showEarlier
    case showLater
    case showEnd
    case editDraft(String)
    /// `key`: the idempotency key, a new lowercase UUID. The key is not used if the composer is empty.
    case send(key: String)
    /// Like `send`, after the user confirmed sending the draft although a colleague has replied.
    case sendAnyway(key: String)
    case retry(outboxId: String)
    case cancel(outboxId: String)
    case reopen
    case markUnread
    case mute(Bool)
    /// Snoozes the open conversation; `nil` ends its snooze.
    case snooze(SnoozeLength?)
    /// The user chose the account for a link whose conversation exists in several accounts.
    case chooseAccount(String)

    // Actions of support staff
    case staff(StaffInput)

    // Actions in the form
    case form(FormInput)

    // Questions and commands
    /// `services`: the identifiers of the allowed services; `nil` if the question offers no services.
    case answer(questionId: String, allow: Bool, services: [String]? = nil)
    case pause(seconds: Int?, hidesText: Bool)
    case resume
    case turnOnNotifications
    case reconnect
    case startDaemon
}

/// The reason why the daemon is not connected.
public enum DisconnectReason: Hashable, Sendable {
    case notRunning
    /// The daemon did not respond in time.
    case tooSlow
    /// The connection was lost.
    case left
    /// The daemon's version is too old. The value is a message that names the unsupported feature.
    case tooOld(String)
    /// The socket is unusable until the user fixes the cause. The value is a message for the user.
    case unusable(String)
}

/// A user action in the form.
public enum FormInput: Hashable, Sendable {
    case open
    /// The user chose an account; `nil` if there is only one account.
    case account(String?)
    case category(String)
    case title(String)
    case text(String)
    case name(String)
    case contact(String)
    /// The device facts that the account may send, according to the configuration.
    case deviceFacts([DeviceFact])
    /// `key`: the idempotency key, a new lowercase UUID.
    case send(key: String)
    case close
    case discard
    case continueEditing
}

/// An effect that the caller performs. The caller performs the actions of one input in order.
public enum Action: Hashable, Sendable {
    case call(Call)
    /// Rows of the list were inserted, removed or moved.
    case rows(Splice<ConversationKey>)
    /// The content of a row changed.
    case row(ConversationKey)
    /// Lines of the thread were inserted, removed or changed.
    case lines(Splice<ThreadLine>)
    /// Scrolls the thread to the line with this ID, and selects the thread's conversation in the list.
    case scroll(toLine: String)
    case scrollToEnd
    /// Brings the window to the front. A narrow window then shows the thread instead of the list.
    case presentWindow
    /// Moves the keyboard focus to the composer as soon as the thread is loaded.
    case focusComposer
    /// Closes the search field after the user opened a conversation with it.
    case closeSearch
    case showToast(String)
    /// Shows a toast with this message, and with a button that reopens the conversation that was resolved
    /// last.
    case offerUndo(String)
    /// Asks the user whether to send the draft, because a colleague has just replied. The value is the
    /// question.
    case askToSend(String)
    case startDaemon
    /// Saves a draft, so that the next launch of the window restores it; `nil` deletes the draft.
    case saveDraft(DraftKey, String?)
    /// Reports the visible thread to the daemon, which then suppresses the thread's notifications; `nil` if
    /// no thread is visible.
    case attend(ConversationKey?)
    /// Announces a new message to a screen reader.
    case announceToScreenReader(String)
    /// Requests the facts about this device that a new form for the account would send.
    case deviceFacts(account: String?)
}

/// A change of an array, which replaces `removed` elements at index `at` with `added`. Splices are applied in
/// order, so the index of a splice refers to the array after the previous splices.
public struct Splice<Element: Hashable & Sendable>: Hashable, Sendable {
    public var at: Int
    public var removed: Int
    public var added: [Element]

    public init(at: Int, removed: Int, added: [Element]) {
        (self.at, self.removed, self.added) = (at, removed, added)
    }

    /// Creates the smallest splice that changes `old` into `new`; `nil` if both are equal. Elements at the
    /// start and at the end that are equal in both are not part of the splice.
    init?(from old: some RandomAccessCollection<Element>, to new: [Element]) {
        let most = Swift.min(old.count, new.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(most - start).count
        if old.count == new.count, start == new.count { return nil }
        self.init(at: start, removed: old.count - start - end, added: Array(new[start..<new.count - end]))
    }
}

/// The account and the ID of a conversation. IDs are unique only within an account.
public struct ConversationKey: Hashable, Sendable, Comparable {
    public var account: String
    public var conversation: String

    public init(account: String, conversation: String) {
        (self.account, self.conversation) = (account, conversation)
    }

    public static func < (one: ConversationKey, other: ConversationKey) -> Bool {
        (one.account, one.conversation) < (other.account, other.conversation)
    }
}

extension ConversationView {
    public var key: ConversationKey { ConversationKey(account: account, conversation: conversationId) }

    /// Whether the conversation has unread messages, or the user marked it as unread.
    var isUnread: Bool { (unreadCount ?? 0) > 0 || markedUnread == true }

    /// Whether the conversation is resolved or closed. If so, a reply must reopen the conversation.
    var hasEnded: Bool { status == "resolved" || status == "closed" }
}

extension MessageView {
    var key: ConversationKey { ConversationKey(account: account, conversation: conversationId) }
    var isSystem: Bool { senderType == "system" }
}
