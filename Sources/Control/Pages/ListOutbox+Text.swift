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
        return table.text(on: page) + (errors.isEmpty ? "" : "\n") + errors.joined() + advice
    }

    /// What waits goes by itself.
    private var advice: String {
        let failed = items.count { $0.state == "failed" }
        guard failed > 0 else { return "" }
        let ways = "`cutied ctl outbox retry ID` tries again, `cancel ID` drops its text"
        return "\n\(failed) could not be sent: \(ways)\n"
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
