import ControlAPI

extension ListOutbox.Reply: Readable {
    func text(on page: Page) -> String {
        if items.isEmpty { return "nothing waits to be sent\n" }
        let namesAccounts = Phrases.namesAccounts(items.map(\.account))
        var table = Table(
            [.init("ID")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [
                    .init("WHAT"), .init("CONVERSATION"), .init("STATE"),
                    .init("TRIES", alignsRight: true), .init("NEXT TRY"), .init("TEXT"),
                ])
        for item in items { table.append(item.row(on: page, namesAccount: namesAccounts)) }
        let errors = items.compactMap { item in
            item.error.map { PlainText.line("\(item.outboxId): \($0)") + "\n" }
        }
        return table.text(on: page) + (errors.isEmpty ? "" : "\n") + errors.joined()
    }
}

extension OutboxItem {
    fileprivate func row(on page: Page, namesAccount: Bool) -> [Table.Cell] {
        [.init(outboxId)] + (namesAccount ? [.init(account)] : [])
            + [
                .init(kind), .init(conversationId ?? "(new)"), .init(state, state == "failed" ? .red : nil),
                .init(String(attempts)), .init(page.relative(nextAttemptAt, otherwise: "")),
                .init(text ?? ""),
            ]
    }
}
