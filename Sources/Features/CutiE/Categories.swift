/// The topic of a conversation.
public enum ConversationCategory: String, Codable, Sendable, CaseIterable {
    /// A report about a defect.
    case bug
    /// A request for a new feature.
    case feature
    /// A question about the app.
    case question
    /// An opinion about the app.
    case feedback
    /// Any other topic.
    case other

    /// The English name of the category.
    public var displayName: String {
        switch self {
        case .bug: "Bug Report"
        case .feature: "Feature Request"
        case .question: "Question"
        case .feedback: "Feedback"
        case .other: "Other"
        }
    }

    /// The English name of a color for the category, such as `red`.
    public var color: String {
        switch self {
        case .bug: "red"
        case .feature: "purple"
        case .question: "blue"
        case .feedback: "green"
        case .other: "gray"
        }
    }

    /// The name of the SF Symbol for the category. Linux desktops do not include the SF Symbols of Apple.
    public var sfSymbol: String {
        switch self {
        case .bug: "ladybug.fill"
        case .feature: "sparkles"
        case .question: "questionmark.circle.fill"
        case .feedback: "bubble.left.and.bubble.right.fill"
        case .other: "ellipsis.circle.fill"
        }
    }
}

/// The progress of a conversation.
public enum ConversationStatus: String, Codable, Sendable, CaseIterable {
    /// Support has not replied yet.
    case open
    /// Support is working on the conversation.
    case inProgress = "in_progress"
    /// Support waits for a message from the user.
    case waitingUser = "waiting_user"
    /// The user waits for a reply.
    case waitingAdmin = "waiting_admin"
    /// Support considers the conversation finished. A new message reopens it.
    case resolved
    /// Support has ended the conversation.
    case closed

    /// The English name of the status.
    public var displayName: String {
        switch self {
        case .open: "Open"
        case .inProgress: "In Progress"
        case .waitingUser: "Waiting for User"
        case .waitingAdmin: "Waiting for Admin"
        case .resolved: "Resolved"
        case .closed: "Closed"
        }
    }

    /// The English name of a color for the status, such as `blue`.
    public var color: String {
        switch self {
        case .open: "blue"
        case .inProgress: "orange"
        case .waitingUser: "yellow"
        case .waitingAdmin: "red"
        case .resolved: "green"
        case .closed: "gray"
        }
    }
}

/// The priority that your support staff set.
public enum ConversationPriority: String, Codable, Sendable, CaseIterable {
    /// Lower than the default.
    case low
    /// The default.
    case normal
    /// Higher than the default.
    case high
    /// Support should reply to this conversation first.
    case urgent

    /// The English name of the priority.
    public var displayName: String {
        switch self {
        case .low: "Low"
        case .normal: "Normal"
        case .high: "High"
        case .urgent: "Urgent"
        }
    }

    /// The English name of a color for the priority, such as `gray`.
    public var color: String {
        switch self {
        case .low: "gray"
        case .normal: "blue"
        case .high: "orange"
        case .urgent: "red"
        }
    }
}

/// The author of a message.
public enum SenderType: String, Codable, Sendable {
    /// The user, on this or another device.
    case user
    /// A member of your support staff.
    case admin
    /// The API itself, for example when it closes a conversation.
    case system
}
