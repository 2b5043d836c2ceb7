public import CutieAPI

/// What somebody who starts the window wants to see.
public nonisolated enum Request: Hashable, Sendable {
    /// The window, as it was.
    case inbox
    /// A thread. `reply`: with the cursor where an answer is written.
    case thread(ThreadLink, reply: Bool)
    /// The form for new feedback.
    case compose(account: String?)
    /// A page, by its name.
    case page(String)
    /// An app is to be added, with the token of its link.
    case app(FeedbackToken)
    /// An account is to be set up, as its link says.
    case setup(appID: String, api: APIAddress?)

    /// Reads what was given as one word: a `cutie://` link or the id of a conversation. `account` is for an id
    /// alone. Throws a sentence.
    public init(
        _ word: String?, account: String? = nil, reply: Bool, compose: Bool, page: String? = nil
    ) throws(Unreadable) {
        if let page {
            guard Self.pages.contains(page) else {
                throw Unreadable("there is no page \(page); there are \(Self.pages.joined(separator: ", "))")
            }
            guard word == nil, !reply, !compose else { throw Unreadable("a page is shown by itself") }
            self = .page(page)
            return
        }
        guard let word, !word.isEmpty else {
            guard !reply else { throw Unreadable("which conversation is to be answered is not said") }
            self = compose ? .compose(account: account) : .inbox
            return
        }
        guard !compose else { throw Unreadable("new feedback belongs to no conversation") }
        switch try Self.link(word, account: account) {
        case .conversation(let id, let linked, let message):
            let link = ThreadLink(
                conversation: id.rawValue, account: linked ?? account, message: message?.rawValue)
            self = .thread(link, reply: reply)
        case .app(let token):
            guard !reply else { throw Unreadable("this link is about an app; nobody can answer it") }
            self = .app(token)
        case .setup(let appID, let api):
            guard !reply else { throw Unreadable("this link sets up an app; nobody can answer it") }
            self = .setup(appID: appID, api: api)
        }
    }

    /// The names of all pages; a test compares them with `PageKind.all`.
    public static let pages = [
        "questions", "outbox", "devices", "hand-over", "apps", "pause", "settings", "setup", "add-account",
        "sign-in", "home", "statistics", "canned",
    ]

    /// An id is read as strictly as in a link.
    private static func link(_ word: String, account: String?) throws(Unreadable) -> DeepLink {
        let text = DeepLink.conversation(Conversation.ID(word), account: account).text
        do throws(DeepLink.Invalid) {
            return try DeepLink(word.contains("://") ? word : text)
        } catch {
            throw Unreadable("this link or id \(error); nothing was opened")
        }
    }

    /// Why nothing can be shown.
    public nonisolated struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        /// A sentence without its end.
        public let description: String

        init(_ description: String) { self.description = description }
    }
}

/// Which thread, and where in it.
public nonisolated struct ThreadLink: Hashable, Sendable {
    public var conversation: String
    /// nil: the one account that has it.
    public var account: String?
    /// The message that is meant.
    public var message: String?

    public init(conversation: String, account: String? = nil, message: String? = nil) {
        self.conversation = conversation
        self.account = account
        self.message = message
    }
}
