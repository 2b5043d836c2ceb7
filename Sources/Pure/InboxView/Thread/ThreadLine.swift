import Localization

/// A line of a thread, as the view shows it.
public struct ThreadLine: Hashable, Sendable, Identifiable {
    /// The same as long as it is the same line.
    public var id: String
    public var content: Content

    public enum Content: Hashable, Sendable {
        /// `Today`, `Monday`, `21 November`.
        case day(String)
        /// `3 unread messages`.
        case unread(String)
        /// What the service says by itself.
        case system(words: String, time: String)
        case bubble(Bubble)
    }

    /// What somebody wrote.
    public struct Bubble: Hashable, Sendable {
        /// nil: the service does not have it yet.
        public var messageId: String?
        public var isOwn: Bool
        /// Only support reads it.
        public var isNote = false
        /// Somebody else of the own side wrote it: they are named.
        public var isColleague = false
        public var sender: String
        /// Of the sender's picture.
        public var avatarUrl: String?
        public var text: String
        public var runs: [TextRun]
        /// `14:05`.
        public var time: String
        /// Of one's own.
        public var fate: Fate?
        /// What `retry` and `cancel` are about.
        public var outboxId: String?
        /// A link was about it.
        public var isHighlighted: Bool
        /// The one above is by the same sender, of a moment before: the name is not said again.
        public var continues: Bool
    }

    /// What a screen reader says.
    public var spoken: String {
        switch content {
        case .day(let words), .unread(let words): words
        case .system(let words, let time): "\(words), \(time)"
        case .bubble(let bubble): bubble.spoken
        }
    }
}

extension ThreadLine.Bubble {
    var spoken: String {
        let end: String? =
            switch fate {
            case .sending: localized("is being sent")
            case .waiting: localized("waits to be sent")
            case .failed: localized("could not be sent")
            case .sent, nil: nil
            }
        let note = isNote ? localized("Internal note") : nil
        return [note, sender, text, time, end].compactMap(\.self).joined(separator: ", ")
    }
}
