import Localization
public import MessageText

/// A line of a thread, for the view.
public struct ThreadLine: Hashable, Sendable, Identifiable {
    /// The ID, which does not change while the line exists.
    public var id: String
    public var content: Content

    public enum Content: Hashable, Sendable {
        /// A day separator, such as `Today`, `Monday` or `21 November`.
        case day(String)
        /// A separator above unread messages, such as `3 unread messages`.
        case unread(String)
        /// A message that the service generated.
        case system(text: String, time: String)
        case bubble(Bubble)
    }

    /// A message from a user or from support staff.
    public struct Bubble: Hashable, Sendable {
        /// The ID of the message; `nil` if the service has not received it.
        public var messageId: String?
        public var isOwn: Bool
        /// Whether only support staff can read the message.
        public var isNote = false
        /// Whether another member of support staff wrote the message. If so, the sender's name is shown.
        public var isColleague = false
        public var sender: String
        /// The URL of the sender's picture; `nil` if there is none.
        public var avatarUrl: String?
        public var text: String
        public var runs: [TextRun]
        /// The time of the message, such as `14:05`.
        public var time: String
        /// The delivery state of a message that the user wrote; `nil` for other messages.
        public var deliveryState: DeliveryState?
        /// The outbox item to retry or cancel; `nil` if there is none.
        public var outboxId: String?
        /// Whether the message is highlighted after the user opened a link to the message.
        public var isHighlighted: Bool
        /// Whether the message belongs to the group of the previous message, so that the sender's name is not
        /// repeated.
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
            case .waiting: localized("queued")
            case .failed: localized("not sent")
            case .sent, nil: nil
            }
        let note = isNote ? localized("Internal note") : nil
        return [note, sender, runs.plainText, time, end].compactMap(\.self).joined(separator: ", ")
    }
}
