public import ControlAPI

/// What happens: at the daemon, in the window, and what the person does.
public enum Input: Sendable {
    // The daemon
    case entry(Watch.Reply)
    case gone(Absence)
    case answered(Call, Answer)
    case failed(Call, CallFailure)
    /// The service manager did not start it: a sentence.
    case startFailed(String)
    /// Whether there is a configuration with an account in it.
    case configured(Bool)

    // The window
    /// Whether it has the focus, and whether the thread is on the screen (a narrow window shows the list or it).
    case window(isFocused: Bool, showsThread: Bool)
    /// The thread was scrolled to its end, or away from it.
    case scrolled(isAtEnd: Bool)
    /// A new day, another language or another time zone: every text that depends on it is written again.
    case dayChanged
    /// What was kept of an earlier window.
    case drafts([DraftKey: String])

    // The list
    case choose(ConversationKey?)
    /// A `cutie://conversation` link, or a notification.
    case open(conversation: String, account: String?, message: String?)
    case search(String)
    case filter(ListFilter)

    // The thread
    case earlier
    case later
    case toEnd
    case typed(String)
    /// `key`: a new UUID in lower case, also where nothing comes of it.
    case send(key: String)
    case retry(outboxId: String)
    case cancel(outboxId: String)
    case reopen
    /// After an ambiguous link.
    case chooseAccount(String)

    // Support
    case staff(StaffInput)

    // The form
    case form(FormInput)

    // What is asked and told
    /// `services`: the links of those that are allowed, where there is a choice.
    case answer(questionId: String, allow: Bool, services: [String]? = nil)
    case pause(seconds: Int?, hidesWords: Bool)
    case resume
    case turnOnNotifications
    case reconnect
    case startDaemon
    case dismissError
}

/// Why nobody answers.
public enum Absence: Hashable, Sendable {
    case notRunning
    /// It takes too long.
    case tooSlow
    /// It was there, and went.
    case left
    /// It runs in another version: a sentence of what it does not know.
    case tooOld(String)
    /// Its socket cannot be used, and no waiting heals that: a sentence.
    case unusable(String)
}

/// What the person does in the form.
public enum FormInput: Hashable, Sendable {
    case open
    /// nil: the daemon's only one.
    case account(String?)
    case category(String)
    case title(String)
    case text(String)
    case name(String)
    case contact(String)
    /// What goes along of the device, as the account is configured.
    case deviceFacts([DeviceFact])
    /// `key`: a new UUID in lower case.
    case send(key: String)
    case close
    case discard
    case keepWriting
}

/// What is to be done, in this order.
public enum Action: Hashable, Sendable {
    case call(Call)
    /// Rows of the list came, went or moved.
    case rows(Splice<ConversationKey>)
    /// What a row shows is another, in its place.
    case row(ConversationKey)
    /// Lines of the thread came, went or are others.
    case lines(Splice<ThreadLine>)
    /// The thread goes to this line, by its id, and the list shows whose it is.
    case scroll(toLine: String)
    case scrollToEnd
    /// The window comes to the front, and the thread is what a narrow one shows.
    case present
    /// In passing; what can be done about it is in the sentence.
    case tell(String)
    case startDaemon
    /// To be kept for the next window; nil: nothing is left.
    case keepDraft(DraftKey, String?)
    /// Told to the daemon as long as it holds: this thread is before the person's eyes; nil: none is.
    case attend(ConversationKey?)
    /// A new message, for a screen reader.
    case announce(String)
    /// The form begins: who the person is and what goes along is to be known.
    case deviceFacts(account: String?)
}

/// A change of an array: `removed` of them from `at` on went, and `added` came. Each is told after those before
/// it were done.
public struct Splice<Element: Hashable & Sendable>: Hashable, Sendable {
    public var at: Int
    public var removed: Int
    public var added: [Element]

    public init(at: Int, removed: Int, added: [Element]) {
        (self.at, self.removed, self.added) = (at, removed, added)
    }

    /// nil where nothing changed. What is the same at both ends stays.
    init?(from old: some RandomAccessCollection<Element>, to new: [Element]) {
        let most = Swift.min(old.count, new.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(most - start).count
        if old.count == new.count, start == new.count { return nil }
        self.init(at: start, removed: old.count - start - end, added: Array(new[start..<new.count - end]))
    }
}

/// A thread: its id is one of its account's.
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

    /// Resolved or closed: it takes a message only where the person insists.
    var hasEnded: Bool { status == "resolved" || status == "closed" }
}

extension MessageView {
    var key: ConversationKey { ConversationKey(account: account, conversation: conversationId) }
    var isSystem: Bool { senderType == "system" }
}
