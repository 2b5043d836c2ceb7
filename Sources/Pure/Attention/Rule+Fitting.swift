public import Config
internal import CutieAPI

extension Rule.Match {
    /// Returns whether all conditions hold. A condition on an unknown property does not hold.
    public func fits(_ subject: Subject) -> Bool {
        let (message, conversation) = (subject.message, subject.conversation)
        return Self.holds(category, for: conversation?.category?.rawValue)
            && Self.holds(priority, for: conversation?.priority?.rawValue)
            && Self.holds(status, for: conversation?.status.rawValue)
            && Self.holds(app, for: conversation?.appID, subject.appID, conversation?.appName)
            && Self.holds(self.conversation, for: message.conversation.rawValue)
            && Self.holds(sender, for: message.senderID, message.senderName)
    }

    /// Returns whether a value equals one of `wanted`, ignoring case. An empty `wanted` is no condition.
    private static func holds(_ wanted: [String], for values: String?...) -> Bool {
        guard !wanted.isEmpty else { return true }
        return values.contains { value in
            value.map { value in wanted.contains { $0 == value || $0.lowercased() == value.lowercased() } }
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
