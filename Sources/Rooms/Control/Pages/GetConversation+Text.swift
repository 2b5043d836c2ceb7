import ControlAPI

extension GetConversation.Reply: Readable {
    var remark: String? {
        cut == true ? "one answer does not hold all; older messages are left out, or long ones abridged" : nil
    }

    func text(on page: Page) -> String { text(on: page, marking: nil).text }

    /// With a mark at one message; `line` is where that begins, counted from 1, and nil where it is not here.
    func text(on page: Page, marking marked: String?) -> (text: String, line: Int?) {
        var (text, line) = (head(on: page), Int?.none)
        for message in messages {
            text += "\n"
            if message.messageId == marked { line = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1 }
            text += message.paragraph(on: page, isMarked: message.messageId == marked)
        }
        return (text, line)
    }

    /// For a window that shows the beginning of a text: one message and what followed it, then the earlier ones.
    func text(on page: Page, from first: String?) -> String {
        guard let first, let place = messages.firstIndex(where: { $0.messageId == first }), place > 0 else {
            return text(on: page)
        }
        func paragraphs(_ messages: ArraySlice<MessageView>) -> String {
            messages.map { "\n" + $0.paragraph(on: page) }.joined()
        }
        return head(on: page) + paragraphs(messages[place...]) + "\nWhat was before that:\n"
            + paragraphs(messages[..<place])
    }

    /// The title and what is known of the conversation.
    func head(on page: Page) -> String {
        let heading = page.paint(PlainText.line(conversation.heading), .bold)
        return heading + "  " + page.paint(PlainText.line(conversation.conversationId), .faint) + "\n"
            + PlainText.line(facts.joined(separator: " · ")) + "\n"
    }

    private var facts: [String] {
        let account = Phrases.namesAccounts([conversation.account]) ? conversation.account : nil
        let priority = conversation.priority.map { $0 + " priority" }
        let unread = conversation.unreadCount.map { "\($0) unread" }
        let tags = conversation.tagNames.isEmpty ? nil : "tags: " + conversation.tagNames
        return [
            account, conversation.appName, conversation.category, conversation.status, priority, unread, tags,
        ].compactMap(\.self)
    }
}

extension MessageView {
    func paragraph(on page: Page, isMarked: Bool = false) -> String {
        let mark = isMarked ? page.paint("▶ ", .yellow) : ""
        let name = page.paint(PlainText.line(sender), senderType == "user" ? .faint : .bold)
        let time = "\(page.relative(createdAt)), \(page.clock.stamp(createdAt))"
        let head = "\(mark)\(name)  \(page.paint("\(time)  \(PlainText.line(messageId))", .faint))\n"
        return head + PlainText.indented(message)
    }
}
