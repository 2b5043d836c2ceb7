public import Config
internal import CutieAPI

extension Rule.Match {
    /// Returns whether all conditions match. A condition on an unknown property of the message does not
    /// match.
    public func matches(_ subject: NotificationSubject) -> Bool {
        let (message, conversation) = (subject.message, subject.conversation)
        return Self.matches(allowedValues: category, values: conversation?.category?.rawValue)
            && Self.matches(allowedValues: priority, values: conversation?.priority?.rawValue)
            && Self.matches(allowedValues: status, values: conversation?.status.rawValue)
            && Self.matches(
                allowedValues: app, values: conversation?.appID, subject.appID, conversation?.appName)
            && Self.matches(allowedValues: self.conversation, values: message.conversation.rawValue)
            && Self.matches(allowedValues: sender, values: message.senderID, message.senderName)
    }

    /// Returns whether one of `values` equals one of `allowed`, ignoring case; `true` if `allowed` is
    /// empty.
    private static func matches(allowedValues allowed: [String], values: String?...) -> Bool {
        guard !allowed.isEmpty else { return true }
        return values.contains { value in
            value.map { value in allowed.contains { $0 == value || $0.lowercased() == value.lowercased() } }
                ?? false
        }
    }
}

extension Rule.Match: CustomStringConvertible {
    /// The conditions as text, such as "category = question, priority = low or normal".
    public var description: String {
        let conditions = [
            ("category", category), ("priority", priority), ("status", status), ("app", app),
            ("conversation", conversation), ("sender", sender),
        ]
        let written = conditions.filter { !$0.1.isEmpty }
            .map { name, words in "\(name) = \(words.joined(separator: " or "))" }
        return written.isEmpty ? "everything" : written.joined(separator: ", ")
    }
}
