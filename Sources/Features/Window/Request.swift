public import CutieAPI

/// The content that the window opens on launch, or on a later request from the command line.
public nonisolated enum WindowRequest: Hashable, Sendable {
    /// The window in its current state.
    case inbox
    /// A conversation. `reply`: whether to move the focus to the composer.
    case thread(ThreadLink, reply: Bool)
    /// The form for new feedback.
    case compose(account: String?)
    /// The page with this ID.
    case page(String)
    /// The dialog that adds the app of a link.
    case app(FeedbackToken, api: APIAddress? = nil)
    /// The setup page with the values of a link.
    case setup(appID: String, api: APIAddress?)

    /// Parses the command line.
    ///
    /// - Parameters:
    ///   - word: a `cutie://` link or a conversation ID.
    ///   - account: the account of the conversation or of new feedback. Ignored if a link contains an
    ///   account.
    /// - Throws: an error message if the arguments are invalid or contradictory.
    public init(
        _ word: String?, account: String? = nil, reply: Bool, compose: Bool, page: String? = nil
    ) throws(InvalidRequest) {
        if let page {
            guard Self.pages.contains(page) else {
                throw InvalidRequest(
                    "unknown page \(page); the pages are \(Self.pages.joined(separator: ", "))")
            }
            guard word == nil, !reply, !compose else {
                throw InvalidRequest("--page cannot be combined with other arguments")
            }
            self = .page(page)
            return
        }
        guard let word, !word.isEmpty else {
            guard !reply else { throw InvalidRequest("--reply needs a conversation") }
            self = compose ? .compose(account: account) : .inbox
            return
        }
        guard !compose else { throw InvalidRequest("--compose cannot be combined with a conversation") }
        switch try Self.parseLinkOrConversationID(word, account: account) {
        case .conversation(let id, let linked, let message):
            let link = ThreadLink(
                conversation: id.rawValue, account: linked ?? account, message: message?.rawValue)
            self = .thread(link, reply: reply)
        case .app(let token, let api):
            guard !reply else { throw InvalidRequest("this link is about an app; a reply is not possible") }
            self = .app(token, api: api)
        case .setup(let appID, let api):
            guard !reply else { throw InvalidRequest("this link sets up an app; a reply is not possible") }
            self = .setup(appID: appID, api: api)
        }
    }

    /// The IDs of all pages. A test compares them with `PageKind.all`.
    public static let pages = [
        "questions", "outbox", "devices", "hand-over", "apps", "pause", "settings", "setup", "add-account",
        "sign-in", "home", "statistics", "canned",
    ]

    /// Parses a link or a conversation ID. An ID is validated like an ID in a link.
    private static func parseLinkOrConversationID(_ word: String, account: String?) throws(InvalidRequest)
        -> DeepLink
    {
        let text = DeepLink.conversation(Conversation.ID(word), account: account).text
        do throws(DeepLink.ParseError) {
            return try DeepLink(word.contains("://") ? word : text)
        } catch {
            let problem = word.contains("://") ? "\(error)" : "this is not the ID of a conversation"
            throw InvalidRequest("\(problem); nothing was opened")
        }
    }

    /// The reason why a request is invalid.
    public nonisolated struct InvalidRequest: Error, Hashable, Sendable, CustomStringConvertible {
        /// An error message without a final period.
        public let description: String

        init(_ description: String) { self.description = description }
    }
}

/// The conversation and message of a link.
public nonisolated struct ThreadLink: Hashable, Sendable {
    public var conversation: String
    /// The account of the conversation; `nil` if only one account contains the conversation.
    public var account: String?
    /// The message to scroll to; `nil` if the link contains none.
    public var message: String?

    public init(conversation: String, account: String? = nil, message: String? = nil) {
        self.conversation = conversation
        self.account = account
        self.message = message
    }
}
