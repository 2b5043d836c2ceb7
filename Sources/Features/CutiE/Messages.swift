import AccessAPI

extension CutiE {
    /// The replies as they arrive, starting with `configure`.
    ///
    /// After a restart of the daemon, the sequence continues after the last reply: none is missed or
    /// repeated. It does not end; it throws ``CutiEError/notConfigured`` if the user revokes the app's
    /// access. Each loop over it receives all replies.
    public var messages: Messages { Messages(session: session) }

    /// The conversations that the user opens, starting with `configure`: with a click on a notification, with
    /// a `cutie://` link, or with ``showInbox(conversationId:)-method``.
    ///
    /// - Parameter handlingOpening: whether your app shows the conversations. While a loop over the sequence
    ///   runs, a click on a notification then does not open the window of cutied. If your app is not running,
    ///   the window opens.
    public func openings(handlingOpening: Bool = false) -> Openings {
        Openings(session: session, handlesOpening: handlingOpening)
    }
}

/// The replies to the user as they arrive, across restarts of the daemon. See ``CutiE/messages-property``.
public struct Messages: AsyncSequence, Sendable {
    let session: AppSession

    /// Waits for the next reply.
    public struct Iterator: AsyncIteratorProtocol {
        private var entries: WatchEntries

        init(_ session: AppSession) { entries = WatchEntries(session, since: session.start) }

        /// Returns the next reply. Throws a ``CutiEError`` if no more can arrive, and `CancellationError`.
        public mutating func next() async throws -> Message? {
            while true {
                if let message = try await entries.next().message, !message.own { return Message(message) }
            }
        }
    }

    /// Starts at the position at which this process configured the app.
    public func makeAsyncIterator() -> Iterator { Iterator(session) }
}

/// The conversations that the user opens. See ``CutiE/openings(handlingOpening:)-method``.
public struct Openings: AsyncSequence, Sendable {
    /// A conversation that the user opened.
    public struct Element: Hashable, Sendable {
        /// The id of the conversation.
        public let conversationId: String
        /// The id of the message to show first; `nil` for the end of the conversation.
        public let messageId: String?
        /// The way in which the user opened the conversation.
        public let source: Source

        init?(_ entry: Watch.Reply) {
            guard entry.type == .opened, let conversation = entry.conversation else {
                return nil
            }
            (conversationId, messageId) = (conversation, entry.openedMessage)
            source = entry.openedBy.flatMap(Source.init(rawValue:)) ?? .link
        }
    }

    /// A way to open a conversation.
    public enum Source: String, Hashable, Sendable {
        /// A click on a notification.
        case notification
        /// A `cutie://` link.
        case link
        /// The app itself.
        case app
    }

    let session: AppSession
    let handlesOpening: Bool

    /// Waits until the user opens a conversation.
    public struct Iterator: AsyncIteratorProtocol {
        private var entries: WatchEntries

        init(_ session: AppSession, handlesOpening: Bool) {
            entries = WatchEntries(session, since: session.start, handlesOpening: handlesOpening)
        }

        /// Returns the next conversation. Throws a ``CutiEError`` if no more can arrive, and
        /// `CancellationError`.
        public mutating func next() async throws -> Element? {
            while true { if let opening = Element(try await entries.next()) { return opening } }
        }
    }

    /// Starts at the position at which this process configured the app.
    public func makeAsyncIterator() -> Iterator { Iterator(session, handlesOpening: handlesOpening) }
}
