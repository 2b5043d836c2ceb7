import ControlAPI

extension ListConversations.Reply: Readable {
    var remark: String? {
        cut == true ? "one answer does not hold all of them; older ones are left out" : nil
    }

    func text(on page: Page) -> String {
        if conversations.isEmpty { return "no conversations\n" }
        let namesAccounts = Phrases.namesAccounts(conversations.map(\.account))
        let namesTags = conversations.contains { !$0.tagNames.isEmpty }
        var table = Table(
            [.init(""), .init("CONVERSATION")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [
                    .init("TITLE", limit: 32), .init("STATUS"), .init("UNREAD", alignsRight: true),
                    .init("UPDATED"),
                ] + (namesTags ? [.init("TAGS", limit: 20)] : []) + [.init("LAST MESSAGE")])
        for conversation in conversations {
            table.append(conversation.row(on: page, namesAccount: namesAccounts, namesTags: namesTags))
        }
        return table.text(on: page)
    }
}

extension ConversationView {
    fileprivate func row(on page: Page, namesAccount: Bool, namesTags: Bool) -> [Table.Cell] {
        let isUnread = (unreadCount ?? badge) > 0
        let ink: Ink? = isUnread ? .bold : nil
        return [.init(isUnread ? "●" : "", .yellow), .init(conversationId)]
            + (namesAccount ? [.init(account)] : [])
            + [
                .init(heading, ink), .init(status), .init(unreadCount.map(String.init) ?? "?", ink),
                .init(page.relative(updatedAt ?? createdAt, otherwise: "")),
            ] + (namesTags ? [.init(tagNames)] : []) + [.init(lastMessage ?? "")]
    }
}
