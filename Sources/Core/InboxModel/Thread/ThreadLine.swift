import Localization
public import MessageText

/// A line of a thread, for the view.
public struct ThreadLine: Hashable, Sendable, Identifiable {
    /// Stable while the line exists.
    public var id: String
    public var content: Content

    public enum Content: Hashable, Sendable {
        /// `Today`, `Monday`, `21 November`.
        case day(String)
        /// `3 unread messages`.
        case unread(String)
        /// A message that the service generated.
        case system(text: String, time: String)
        case bubble(Bubble)
    }

    /// A message by a person.
    public struct Bubble: Hashable, Sendable {
        /// `nil` if the service has not received it.
        public var messageId: String?
        public var isOwn: Bool
        /// Whether only support staff can read the message.
        public var isNote = false
        /// Whether another staff member wrote it; their name is then shown.
        public var isColleague = false
        public var sender: String
        /// The sender's picture.
        public var avatarUrl: String?
        public var text: String
        public var runs: [TextRun]
        /// `14:05`.
        public var time: String
        /// The delivery state; only for own messages.
        public var deliveryState: DeliveryState?
        /// The outbox item that `retry` and `cancel` refer to.
        public var outboxId: String?
        /// Whether a link opened this message.
        public var isHighlighted: Bool
        /// Whether the previous message is by the same sender and recent, so that the name is not repeated.
        public var continues: Bool
    }

    /// The text for a screen reader.
    public var accessibleText: String {
        switch content {
        case .day(let words), .unread(let words): words
        case .system(let words, let time): "\(words), \(time)"
        case .bubble(let bubble): bubble.accessibleText
        }
    }
}

extension ThreadLine.Bubble {
    var accessibleText: String {
        let end: String? =
            switch deliveryState {
            case .sending: localized("sending")
            case .waiting: localized("sending when online")
            case .failed: localized("not sent")
            case .sent, nil: nil
            }
        let note = isNote ? localized("Internal note") : nil
        return [note, sender, runs.plainText, time, end].compactMap(\.self).joined(separator: ", ")
    }
}
