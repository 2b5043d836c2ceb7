/// The topic of a conversation.
public enum ConversationCategory: String, Codable, Sendable, CaseIterable {
    /// A defect.
    case bug
    /// A feature request.
    case feature
    /// A question.
    case question
    /// An opinion.
    case feedback
    /// Anything else.
    case other

    /// The name of the category, in English.
    public var displayName: String {
        switch self {
        case .bug: "Bug Report"
        case .feature: "Feature Request"
        case .question: "Question"
        case .feedback: "Feedback"
        case .other: "Other"
        }
    }

    /// The name of a color for the category.
    public var color: String {
        switch self {
        case .bug: "red"
        case .feature: "purple"
        case .question: "blue"
        case .feedback: "green"
        case .other: "gray"
        }
    }

    /// The name of Apple's symbol for the category, which a Linux desktop does not have.
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
    /// Not answered yet.
    case open
    /// Your staff is working on it.
    case inProgress = "in_progress"
    /// Your staff waits for the user.
    case waitingUser = "waiting_user"
    /// The user waits for your staff.
    case waitingAdmin = "waiting_admin"
    /// Answered. A new message opens the conversation again.
    case resolved
    /// Ended.
    case closed

    /// The name of the status, in English.
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

    /// The name of a color for the status.
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

/// The priority that your staff set.
public enum ConversationPriority: String, Codable, Sendable, CaseIterable {
    /// Less important than others.
    case low
    /// The default.
    case normal
    /// More important than others.
    case high
    /// The conversation should be answered first.
    case urgent

    /// The name of the priority, in English.
    public var displayName: String {
        switch self {
        case .low: "Low"
        case .normal: "Normal"
        case .high: "High"
        case .urgent: "Urgent"
        }
    }

    /// The name of a color for the priority.
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
    /// A member of your staff.
    case admin
    /// The API itself, for example when it closes a conversation.
    case system
}
