import AccessAPI

extension CutiE {
    /// The replies to the user, as they arrive after `configure`.
    ///
    /// After a restart of the daemon, the sequence continues after the last reply, without gaps or
    /// duplicates. The sequence does not end, but throws ``CutiEError/notConfigured`` if the user revokes the
    /// app's access. Each loop over the sequence receives all replies.
    public var messages: Messages { Messages(session: session) }

    /// The conversations that the user opens after `configure`: by clicking on a notification, by a
    /// `cutie://` link, or by ``showInbox(conversationId:)-method``.
    ///
    /// - Parameter handlingOpening: whether your app shows the conversations. If so, a click on a
    ///   notification does not open the window of cutied while a loop over the sequence runs. If your app is
    ///   not running, the window opens.
    public func openings(handlingOpening: Bool = false) -> Openings {
        Openings(session: session, handlesOpening: handlingOpening)
    }
}

/// A sequence of the replies to the user, as they arrive, which continues across restarts of the daemon. See
/// ``CutiE/messages-property``.
public struct Messages: AsyncSequence, Sendable {
    let session: AppSession

    /// An iterator that waits for the next reply.
    public struct Iterator: AsyncIteratorProtocol {
        private var entries: WatchEntries

        init(_ session: AppSession) { entries = WatchEntries(session, since: session.start) }

        /// Waits for the next reply. Throws a ``CutiEError`` if no further reply can arrive, and
        /// `CancellationError` if the task is cancelled.
        public mutating func next() async throws -> Message? {
            while true {
                if let message = try await entries.next().message, !message.own { return Message(message) }
            }
        }
    }

    /// Creates an iterator that starts at the time when this process configured the app.
    public func makeAsyncIterator() -> Iterator { Iterator(session) }
}

/// The conversations that the user opens. See ``CutiE/openings(handlingOpening:)-method``.
public struct Openings: AsyncSequence, Sendable {
    /// A conversation that the user opened.
    public struct Element: Hashable, Sendable {
        /// The ID of the conversation.
        public let conversationId: String
        /// The ID of the message to show first; `nil` for the end of the conversation.
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
        /// A call from the app itself.
        case app
    }

    let session: AppSession
    let handlesOpening: Bool

    /// An iterator that waits until the user opens a conversation.
    public struct Iterator: AsyncIteratorProtocol {
        private var entries: WatchEntries

        init(_ session: AppSession, handlesOpening: Bool) {
            entries = WatchEntries(session, since: session.start, handlesOpening: handlesOpening)
        }

        /// Waits until the user opens a conversation. Throws a ``CutiEError`` if no further event can arrive,
        /// and `CancellationError` if the task is cancelled.
        public mutating func next() async throws -> Element? {
            while true { if let opening = Element(try await entries.next()) { return opening } }
        }
    }

    /// Creates an iterator that starts at the time when this process configured the app.
    public func makeAsyncIterator() -> Iterator { Iterator(session, handlesOpening: handlesOpening) }
}
