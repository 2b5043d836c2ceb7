public import Config
internal import CutieAPI

extension Rule.Match {
    /// Whether every condition holds. What is not known of a message fits no condition.
    public func fits(_ subject: Subject) -> Bool {
        let (message, conversation) = (subject.message, subject.conversation)
        return Self.holds(category, for: conversation?.category?.rawValue)
            && Self.holds(priority, for: conversation?.priority?.rawValue)
            && Self.holds(status, for: conversation?.status.rawValue)
            && Self.holds(app, for: conversation?.appID, subject.appID, conversation?.appName)
            && Self.holds(self.conversation, for: message.conversation.rawValue)
            && Self.holds(sender, for: message.senderID, message.senderName)
    }

    /// A name is the same in capitals.
    private static func holds(_ wanted: [String], for values: String?...) -> Bool {
        guard !wanted.isEmpty else { return true }
        return values.contains { value in
            value.map { value in wanted.contains { $0 == value || $0.lowercased() == value.lowercased() } }
                ?? false
        }
    }
}

extension Rule.Match: CustomStringConvertible {
    /// "category = question, priority = low or normal".
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
