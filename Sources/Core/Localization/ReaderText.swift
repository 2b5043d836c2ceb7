/// The person who reads the texts on this computer.
public enum Reader: Hashable, Sendable, CaseIterable {
    /// Writes feedback to the developers of apps.
    case user
    /// Answers the feedback of users.
    case staff
    /// Has accounts of both kinds.
    case both

    /// A person without any account is about to write feedback.
    public init(isUser: Bool, isStaff: Bool) {
        self = isStaff ? (isUser ? .both : .staff) : .user
    }
}

/// The texts that differ for people who write feedback and people who answer it. Every such text is here.
public enum ReaderText: Hashable, Sendable, CaseIterable {
    case outageTitle
    case welcome
    case emptyList, noConversationChosen
    case about
    case waitingForUser, waitingForSupport
    case waitingReminder

    /// Returns the text in the current language.
    public func text(for reader: Reader) -> String {
        switch self {
        case .outageTitle:
            switch reader {
            case .user: localized("Cannot receive replies")
            case .staff: localized("No connection to your support inbox")
            case .both: localized("No connection to your inbox")
            }
        case .waitingForUser, .waitingForSupport: status(for: reader)
        case .waitingReminder:
            reader == .staff
                ? localized("The user is waiting for an answer.")
                : localized("Support is waiting for your answer.")
        case .welcome, .emptyList, .noConversationChosen, .about: inWindow(for: reader)
        }
    }

    /// A status is about one conversation, so a reader of both kinds has the role of its account.
    private func status(for reader: Reader) -> String {
        switch (self, reader) {
        case (.waitingForUser, .staff): localized("Waiting for the user")
        case (.waitingForUser, _): localized("Waiting for you")
        default: localized("Waiting for support")
        }
    }

    private func inWindow(for reader: Reader) -> String {
        switch (self, reader) {
        case (.welcome, .staff):
            localized("Read and answer messages from the users of your app here.")
        case (.welcome, _):
            localized(
                """
                Send feedback to the developers of your app and read their replies here. The developers \
                give you an App ID or a link.
                """)
        case (.emptyList, .user):
            localized("Send feedback to the developers of your app. Their replies appear here.")
        case (.emptyList, .staff): localized("Messages from your users appear here.")
        case (.emptyList, .both):
            localized("Messages from your users and replies to your feedback appear here.")
        case (.noConversationChosen, .staff): localized("Select a conversation from the list.")
        case (.noConversationChosen, _): localized("Select a conversation, or write new feedback.")
        case (_, .user): localized("Send feedback to the developers of your apps, and read their replies.")
        case (_, .staff): localized("Read and answer messages from the users of your app.")
        case (_, .both): localized("Send feedback to the developers of your apps, and answer your users.")
        }
    }
}

// MARK: - Texts with a count

extension ReaderText {
    /// Returns the count of new messages in one conversation.
    public static func new(_ count: Int, for reader: Reader) -> String {
        reader == .user
            ? localized(one: "{count} new reply", other: "{count} new replies", count: count)
            : localized(one: "{count} new message", other: "{count} new messages", count: count)
    }

    /// Returns the count of unread messages in several conversations.
    public static func unread(_ count: Int, for reader: Reader) -> String {
        reader == .user
            ? localized(one: "{count} unread reply", other: "{count} unread replies", count: count)
            : localized(one: "{count} unread message", other: "{count} unread messages", count: count)
    }
}
