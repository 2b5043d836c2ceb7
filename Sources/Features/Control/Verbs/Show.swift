import ArgumentParser
import ControlAPI
import ControlClient
import Localization

struct ShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one conversation, oldest message first.",
        discussion: """
            Shows all stored messages, works offline, and marks nothing as read. Your unsent messages are at \
            the end.
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Option(
        help: .init("Only this many of the newest messages.", valueName: "n"),
        transform: WholeNumber.parseRowLimit)
    var limit: Int?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    /// Prints a conversation. In text form, the user's pending messages follow, so that these messages do not
    /// seem lost.
    func run(in session: Session) async throws {
        let call = GetConversation(conversation: conversation, limit: limit, account: account.name)
        let conversation = try await session.printReply(to: call).conversation
        if session.json { return }
        let outbox = try await session.call(ListOutbox(account: conversation.account)).reply
        let format = session.format()
        for item in outbox.items where item.conversationId == conversation.conversationId {
            try session.output.write(item.paragraph(in: format))
        }
        if let remark = outbox.remark {
            try? session.remarks.write("cutied: unsent messages: \(remark)\n")
        }
    }
}

extension GetConversation.Reply: HumanReadable {
    var remark: String? {
        cut == true ? "the reply was too large; older messages are omitted, or long ones shortened" : nil
    }

    func text(in format: TextFormat) -> String { text(in: format, highlighting: nil).text }

    /// Returns the text with one message marked. `line`: the line number of the marked message, counted from
    /// 1; `nil` if the message is missing.
    func text(in format: TextFormat, highlighting messageID: String?) -> (text: String, line: Int?) {
        var (text, line) = (headerText(in: format), Int?.none)
        for message in messages {
            text += "\n"
            if message.messageId == messageID { line = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1 }
            text += message.paragraph(in: format, isMarked: message.messageId == messageID)
        }
        return (text, line)
    }

    /// Returns the text for a dialog: first the message `firstMessageID` and the later messages, then the
    /// earlier messages, because a dialog opens at the top of its text.
    func text(in format: TextFormat, startingAt firstMessageID: String?) -> String {
        guard let firstMessageID, let place = messages.firstIndex(where: { $0.messageId == firstMessageID }),
            place > 0
        else {
            return text(in: format)
        }
        func paragraphs(for messages: ArraySlice<MessageView>) -> String {
            messages.map { "\n" + $0.paragraph(in: format) }.joined()
        }
        return headerText(in: format) + paragraphs(for: messages[place...]) + "\n"
            + localized("Earlier messages:")
            + "\n"
            + paragraphs(for: messages[..<place])
    }

    /// Returns the title and the details of the conversation.
    func headerText(in format: TextFormat) -> String {
        let heading = format.styled(TerminalText.singleLine(conversation.heading), as: .bold)
        return heading + "  "
            + format.styled(TerminalText.singleLine(conversation.conversationId), as: .faint)
            + "\n"
            + TerminalText.singleLine(facts.joined(separator: " · ")) + "\n"
    }

    private var facts: [String] {
        let account = AccountColumn.isNeeded(for: [conversation.account]) ? conversation.account : nil
        let priority = conversation.priority.map {
            localized("{priority} priority", ["priority": fieldValueLabel($0)])
        }
        let unread = conversation.unreadCount.map {
            localized(one: "{count} unread", other: "{count} unread", count: $0)
        }
        let names = conversation.tagNames
        let tags = names.isEmpty ? nil : localized("tags: {names}", ["names": names])
        return [
            account, conversation.appName, conversation.category.map { fieldValueLabel($0) },
            fieldValueLabel(conversation.status), priority, unread, tags,
        ].compactMap(\.self)
    }
}

extension MessageView {
    func paragraph(in format: TextFormat, isMarked: Bool = false) -> String {
        let mark = isMarked ? format.styled("▶ ", as: .yellow) : ""
        let writer = format.styled(TerminalText.singleLine(sender), as: isOwn ? .faint : .bold)
        let name = isNote ? format.styled(Self.noteWord, as: .magenta) + "  " + writer : writer
        let time = "\(format.relativeTimeText(for: createdAt)), \(format.clock.timestampText(for: createdAt))"
        let head =
            "\(mark)\(name)  \(format.styled("\(time)  \(TerminalText.singleLine(messageId))", as: .faint))\n"
        return head + TerminalText.indented(message)
    }

    /// The label of internal notes, which are not visible to users.
    private static var noteWord: String { localized("INTERNAL NOTE") }
}
