/// The person who reads the texts on this computer.
public enum Reader: Hashable, Sendable, CaseIterable {
    /// Writes feedback to the makers of apps.
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
    case permissionQuestion, permissionDetail
    case outageTitle
    case welcome
    case emptyList, noConversationChosen
    case about
    case waitingForUser, waitingForSupport

    /// Returns the text in the language in force.
    public func text(for reader: Reader) -> String {
        switch self {
        case .permissionQuestion, .permissionDetail: permission(for: reader)
        case .outageTitle:
            switch reader {
            case .user: localized("No connection to your feedback")
            case .staff: localized("No connection to your support inbox")
            case .both: localized("No connection to your inbox")
            }
        case .waitingForUser, .waitingForSupport: status(for: reader)
        case .welcome, .emptyList, .noConversationChosen, .about: inWindow(for: reader)
        }
    }

    private func permission(for reader: Reader) -> String {
        switch (self, reader) {
        case (.permissionQuestion, .user): localized("Show replies to your feedback here?")
        case (.permissionQuestion, .staff): localized("Show messages from your users here?")
        case (.permissionQuestion, .both): localized("Show new messages here?")
        case (_, .user):
            localized(
                """
                When somebody answers your feedback, a short message appears on this screen. \
                You can keep that, or turn it off now.
                """)
        case (_, .staff):
            localized(
                """
                When a user writes to you, a short message appears on this screen. \
                You can keep that, or turn it off now.
                """)
        case (_, .both):
            localized(
                """
                When a new message arrives, a short notification appears on this screen. \
                You can keep that, or turn it off now.
                """)
        }
    }

    /// A status is about one conversation, so a reader of both kinds has the role of its account.
    private func status(for reader: Reader) -> String {
        switch (self, reader) {
        case (.waitingForUser, .staff): localized("Waits for the user")
        case (.waitingForUser, _): localized("Waits for you")
        default: localized("Waits for support")
        }
    }

    private func inWindow(for reader: Reader) -> String {
        switch (self, reader) {
        case (.welcome, .staff):
            localized("Read what the users of your app write, and answer them here.")
        case (.welcome, _):
            localized(
                """
                Write to the makers of your app, and read their answers here. \
                They give you an App ID, or a link that holds one.
                """)
        case (.emptyList, .user): localized("Write to the makers of your app; their answers appear here.")
        case (.emptyList, .staff): localized("Messages from your users appear here.")
        case (.emptyList, .both):
            localized("Messages from your users and replies to your feedback appear here.")
        case (.noConversationChosen, .staff): localized("Choose one from the list.")
        case (.noConversationChosen, _): localized("Choose one from the list, or write new feedback.")
        case (_, .user): localized("Write to the makers of your apps, and read their answers.")
        case (_, .staff): localized("Read what the users of your app write, and answer them.")
        case (_, .both): localized("Write to the makers of your apps, and answer your users.")
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
