import ControlAPI

extension GetConversation.Reply: Readable {
    var remark: String? {
        cut == true ? "one answer does not hold all; older messages are left out, or long ones abridged" : nil
    }

    func text(on page: Page) -> String {
        let heading = page.paint(PlainText.line(conversation.heading), .bold)
        let head = heading + "  " + page.paint(PlainText.line(conversation.conversationId), .faint) + "\n"
        return head + PlainText.line(facts.joined(separator: " · ")) + "\n"
            + messages.map { "\n" + $0.paragraph(on: page) }.joined()
    }

    private var facts: [String] {
        let account = Phrases.namesAccounts([conversation.account]) ? conversation.account : nil
        let priority = conversation.priority.map { $0 + " priority" }
        let unread = conversation.unreadCount.map { "\($0) unread" }
        return [account, conversation.appName, conversation.category, conversation.status, priority, unread]
            .compactMap(\.self)
    }
}

extension MessageView {
    fileprivate func paragraph(on page: Page) -> String {
        let name = page.paint(PlainText.line(sender), senderType == "user" ? .faint : .bold)
        let time = "\(page.relative(createdAt)), \(page.clock.stamp(createdAt))"
        let head = "\(name)  \(page.paint("\(time)  \(PlainText.line(messageId))", .faint))\n"
        return head + PlainText.indented(message)
    }
}
