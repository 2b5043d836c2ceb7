import ControlAPI

extension Search.Reply: Readable {
    var remark: String? {
        cut == true ? "one answer does not hold all that was found; search for more words" : nil
    }

    func text(on page: Page) -> String {
        if messages.isEmpty { return "nothing found\n" }
        let namesAccounts = Phrases.namesAccounts(messages.map(\.account))
        var table = Table(
            [.init("MESSAGE"), .init("CONVERSATION")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("FROM", limit: 24), .init("WHEN"), .init("TEXT")])
        for message in messages {
            table.append(
                [.init(message.messageId), .init(message.conversationId)]
                    + (namesAccounts ? [.init(message.account)] : [])
                    + [
                        .init(message.sender), .init(page.relative(message.createdAt)),
                        .init(message.message),
                    ])
        }
        return table.text(on: page)
    }
}
