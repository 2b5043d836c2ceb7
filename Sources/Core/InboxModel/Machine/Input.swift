public import ControlAPI

/// An event from the daemon, from the window or from the user.
public enum Input: Sendable {
    // Events from the daemon
    case entry(Watch.Reply)
    case gone(DisconnectReason)
    case answered(Call, Answer)
    case failed(Call, CallFailure)
    /// The service manager could not start the daemon, with this error message.
    case startFailed(String)
    /// Whether the configuration contains an account.
    case configured(Bool)

    // Events from the window
    /// Whether the window has the focus and shows the thread; a narrow window shows either the list or the
    /// thread.
    case window(isFocused: Bool, showsThread: Bool)
    /// The user scrolled the thread to its end, or away from it.
    case scrolled(isAtEnd: Bool)
    /// The day, the language or the time zone changed, so all text must be formatted again.
    case dayChanged
    /// Whether Enter sends the text in the composer, according to the configuration.
    case enterSends(Bool)
    /// The drafts that a previous window saved.
    case drafts([DraftKey: String])

    // Actions in the list
    case choose(ConversationKey?)
    /// Opens another conversation relative to the open one: 1 for the next in the list, -1 for the previous.
    case step(Int)
    /// The user opened a `cutie://conversation` link or a notification.
    case open(conversation: String, account: String?, message: String?)
    case search(String)
    case filter(ListFilter)
    /// Whether the search field selects a conversation by its title or user, instead of searching messages.
    case goTo(Bool)
    /// Opens the first conversation that matches the text of the search field.
    case openFirstMatch(String)

    // Actions in the thread
    case earlier
    case later
    case toEnd
    case typed(String)
    /// `key`: a new lowercase UUID; unused if nothing is sent.
    case send(key: String)
    /// Like `send`, after the user confirmed sending although a colleague has replied.
    case sendAnyway(key: String)
    case retry(outboxId: String)
    case cancel(outboxId: String)
    case reopen
    case markUnread
    case mute(Bool)
    /// Snoozes the open conversation; `nil` ends the snooze.
    case snooze(SnoozeLength?)
    /// The user chose an account for a link that is ambiguous.
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
    case dismissError
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
    /// The user chose an account; `nil` for the only account.
    case account(String?)
    case category(String)
    case title(String)
    case text(String)
    case name(String)
    case contact(String)
    /// The device facts that the account is configured to send.
    case deviceFacts([DeviceFact])
    /// `key`: a new lowercase UUID.
    case send(key: String)
    case close
    case discard
    case continueEditing
}

/// An effect that the caller performs. The actions of one input are performed in order.
public enum Action: Hashable, Sendable {
    case call(Call)
    /// Rows of the list were inserted, removed or moved.
    case rows(Splice<ConversationKey>)
    /// The content of a row changed.
    case row(ConversationKey)
    /// Lines of the thread were inserted, removed or changed.
    case lines(Splice<ThreadLine>)
    /// Scrolls the thread to the line with this ID and selects its conversation in the list.
    case scroll(toLine: String)
    case scrollToEnd
    /// Presents the window, and shows the thread if the window is narrow.
    case present
    /// Moves the keyboard focus to the composer as soon as the thread is loaded.
    case write
    /// Closes the search field after it selected a conversation.
    case closeSearch
    case showToast(String)
    /// Shows a message in a toast with a button that reopens the last resolved conversation.
    case offerUndo(String)
    /// Asks the user, with this message, whether to send the draft although a colleague has just replied.
    case askToSend(String)
    case startDaemon
    /// Saves a draft for the next launch; `nil` deletes it.
    case saveDraft(DraftKey, String?)
    /// Reports to the daemon which thread the user sees, so that the daemon suppresses notifications for the
    /// thread; `nil` if no thread is visible.
    case attend(ConversationKey?)
    /// Announces a new message to a screen reader.
    case announce(String)
    /// Requests the device facts of an account for a new form.
    case deviceFacts(account: String?)
}

/// A change of an array: replaces `removed` elements at `at` with `added`. Splices are applied in order; each
/// index refers to the array after the previous splices.
public struct Splice<Element: Hashable & Sendable>: Hashable, Sendable {
    public var at: Int
    public var removed: Int
    public var added: [Element]

    public init(at: Int, removed: Int, added: [Element]) {
        (self.at, self.removed, self.added) = (at, removed, added)
    }

    /// Creates a splice from the difference, excluding the common prefix and suffix; `nil` if nothing
    /// changed.
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

    /// Whether the conversation is resolved or closed. A reply must then reopen the conversation.
    var hasEnded: Bool { status == "resolved" || status == "closed" }
}

extension MessageView {
    var key: ConversationKey { ConversationKey(account: account, conversation: conversationId) }
    var isSystem: Bool { senderType == "system" }
}
