import ControlAPI
import Localization
import MessageText
import TextSearch

/// A writer that creates the lines of a thread from messages. The result depends only on the properties and
/// the arguments.
struct LineWriter: Sendable {
    var formatter: TimeFormatter
    /// The ID of the first unread message; `nil` if there is none. `unreadCount`: the number of unread
    /// messages.
    var firstUnread: String?
    var unreadCount = 0
    var highlighted: String?
    /// The user's admin ID if the user is support staff; otherwise `nil`.
    var ownAdminID: String?
    /// The search whose matches are highlighted; `nil` if nothing is highlighted.
    var query: SearchQuery?

    /// The maximum time in milliseconds between two messages of a group. Consecutive messages of one sender
    /// form a group; only the first message of a group shows the sender's name.
    private static let groupLimit: Int64 = 5 * 60_000

    /// Returns the lines for `messages`. `previous`: the message before the first of `messages`; `nil` if
    /// there is none.
    func lines(of messages: some Sequence<MessageView>, after previous: MessageView? = nil) -> [ThreadLine] {
        var lines: [ThreadLine] = []
        var previous = previous
        for message in messages {
            let opens = separatorLines(for: message, after: previous)
            lines += opens
            lines.append(
                line(
                    of: message,
                    continuesGroup: opens.isEmpty && isGroupContinued(by: message, after: previous)))
            previous = message
        }
        return lines
    }

    /// Returns the lines for the user's unsent messages, which are below all other lines of the thread.
    func lines(for outgoingItems: [OutgoingItem]) -> [ThreadLine] {
        outgoingItems.map { item in
            let isNote = item.kind == .note
            let bubble = ThreadLine.Bubble(
                isOwn: true, isNote: isNote, sender: localized("You"), text: item.text,
                runs: styledRuns(of: item.text), time: formatter.clockText(at: item.writtenAt),
                deliveryState: item.deliveryState,
                outboxId: item.id, isHighlighted: false, continues: !isNote)
            return ThreadLine(id: "own-" + item.id, content: .bubble(bubble))
        }
    }

    /// Returns the separators to insert above a message, for example for a new day.
    private func separatorLines(for message: MessageView, after previous: MessageView?) -> [ThreadLine] {
        var lines: [ThreadLine] = []
        let day = formatter.calendar.dateFields(at: message.createdAt).dayNumber
        if previous.map({ formatter.calendar.dateFields(at: $0.createdAt).dayNumber != day }) ?? true {
            lines.append(
                ThreadLine(
                    id: "day-\(day)-\(message.messageId)",
                    content: .day(formatter.dayText(for: message.createdAt)))
            )
        }
        if message.messageId == firstUnread {
            let count = localized(
                one: "{count} unread message", other: "{count} unread messages", count: unreadCount)
            lines.append(ThreadLine(id: "unread", content: .unread(count)))
        }
        return lines
    }

    private func isGroupContinued(by message: MessageView, after previous: MessageView?) -> Bool {
        guard let previous, !previous.isSystem else { return false }
        return previous.senderType == message.senderType && previous.senderId == message.senderId
            && previous.senderName == message.senderName && previous.isNote == message.isNote
            && message.createdAt - previous.createdAt < Self.groupLimit
    }

    private func styledRuns(of text: String) -> [TextRun] { TextRun.runs(of: text).markingMatches(of: query) }

    private func line(of message: MessageView, continuesGroup: Bool) -> ThreadLine {
        let time = formatter.clockText(at: message.createdAt)
        guard !message.isSystem else {
            return ThreadLine(id: message.messageId, content: .system(text: message.message, time: time))
        }
        let bubble = ThreadLine.Bubble(
            messageId: message.messageId, isOwn: message.isFromOwnSide(ownAdminID: ownAdminID),
            isNote: message.isNote,
            isColleague: message.isFromColleague(ownAdminID: ownAdminID),
            sender: message.senderName(ownAdminID: ownAdminID),
            avatarUrl: message.senderAvatarUrl, text: message.message,
            runs: styledRuns(of: message.message), time: time, deliveryState: message.isOwn ? .sent : nil,
            isHighlighted: message.messageId == highlighted, continues: continuesGroup)
        return ThreadLine(id: message.messageId, content: .bubble(bubble))
    }
}

extension MessageView {
    /// Returns the display name of the sender.
    ///
    /// - Parameter ownAdminID: the user's admin ID if the user is support staff; otherwise `nil`.
    func senderName(ownAdminID: String?) -> String {
        if isOwn, !isFromColleague(ownAdminID: ownAdminID) { return localized("You") }
        let name = plainLine(senderName ?? "", limit: 80)
        if !name.isEmpty { return name }
        return senderType == "user" ? localized("User") : localized("Support")
    }

    /// Returns whether another member of support staff wrote the message or the note. The daemon does not
    /// mark such messages as the user's own.
    ///
    /// - Parameter ownAdminID: the user's admin ID if the user is support staff; otherwise `nil`.
    func isFromColleague(ownAdminID: String?) -> Bool {
        guard senderType == "admin", let ownAdminID else { return false }
        return senderId != ownAdminID
    }

    /// Returns whether the user or a colleague of the user wrote the message or the note.
    ///
    /// - Parameter ownAdminID: the user's admin ID if the user is support staff; otherwise `nil`.
    func isFromOwnSide(ownAdminID: String?) -> Bool { isOwn || isFromColleague(ownAdminID: ownAdminID) }
}

/// Returns the messages of a thread as plain text, for export to a file.
func threadText(
    title: String, messages: some Sequence<MessageView>, ownAdminID: String?, formatter: TimeFormatter
) -> String {
    messages.reduce(title + "\n") { text, message in
        let note = message.isNote ? " (\(localized("Internal note")))" : ""
        let head =
            "\(formatter.timestampText(for: message.createdAt))  \(message.senderName(ownAdminID: ownAdminID))\(note)"
        let body = message.message.split(separator: "\n", omittingEmptySubsequences: false)
        return text + "\n" + head + "\n" + body.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    }
}
