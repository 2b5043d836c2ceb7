import ControlAPI

extension ListOutbox.Reply: Readable {
    var remark: String? {
        cut == true ? "one answer does not hold all; long texts are abridged, or newer items left out" : nil
    }

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
    /// In the thread that it is for; empty for what has no words.
    func paragraph(on page: Page) -> String {
        guard let text else { return "" }
        let isFailed = state == "failed"
        let fate = page.paint(isFailed ? "could not be sent" : "waits to be sent", isFailed ? .red : .yellow)
        let id = page.paint(PlainText.line(outboxId), .faint)
        return "\n\(page.paint("you", .faint))  \(fate)  \(id)\n" + PlainText.indented(text)
    }

    fileprivate func row(on page: Page, namesAccount: Bool) -> [Table.Cell] {
        [.init(outboxId)] + (namesAccount ? [.init(account)] : [])
            + [
                .init(kind), .init(conversationId ?? "(new)"), .init(state, state == "failed" ? .red : nil),
                .init(String(attempts)), .init(page.relative(nextAttemptAt, otherwise: "")),
                .init(text ?? ""),
            ]
    }
}
