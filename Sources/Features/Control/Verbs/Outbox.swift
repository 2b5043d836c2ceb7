import ArgumentParser
import ControlAPI
import ControlClient

struct OutboxVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "List, send or cancel unsent messages.",
        subcommands: [List.self, Retry.self, Cancel.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List waiting and failed messages, oldest first.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ListOutbox(account: account.name))
        }
    }

    struct Retry: Verb {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Send one message now and print its id.",
            discussion: """
                Waits up to 5 s for the API. If it does not answer, prints "queued" and exits with 75; the \
                daemon sends the message later. A refused message stays in the outbox, and the reason is printed.
                """)

        @Argument(help: "Id of the item, as in the list.", completion: .outboxItems)
        var id: String

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let reply = try await session.printReply(to: RetryOutbox(outboxId: id))
            try session.throwIfQueued(reply.queued)
        }
    }

    struct Cancel: Verb {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Delete one unsent message and its text.")

        @Argument(help: "Id of the item, as in the list.", completion: .outboxItems)
        var id: String

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: CancelOutbox(outboxId: id))
        }
    }
}

extension ListOutbox.Reply: HumanReadable {
    var remark: String? {
        cut == true ? "the reply was too large; long texts are shortened, or newer items are omitted" : nil
    }

    func text(in format: TextFormat) -> String {
        if items.isEmpty { return "the outbox is empty\n" }
        let namesAccounts = AccountColumn.isNeeded(for: items.map(\.account))
        var table = Table(
            [.init("ID")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [
                    .init("WHAT"), .init("CONVERSATION"), .init("STATE"),
                    .init("TRIES", alignsRight: true), .init("NEXT TRY"), .init("TEXT"),
                ])
        for item in items { table.append(item.makeRow(in: format, showsAccount: namesAccounts)) }
        let errors = items.compactMap { item in
            item.error.map { TerminalText.singleLine("\(item.outboxId): \($0)") + "\n" }
        }
        return table.text(in: format) + (errors.isEmpty ? "" : "\n") + errors.joined() + advice
    }

    /// The advice for failed items. Pending items are sent automatically.
    private var advice: String {
        let failed = items.count { $0.state == "failed" }
        guard failed > 0 else { return "" }
        let ways = "`cutied ctl outbox retry ID` sends it again, `cancel ID` deletes it"
        return "\n\(failed) could not be sent: \(ways)\n"
    }
}

extension OutboxItem {
    /// Returns the item as a paragraph below its conversation; empty if the item has no text.
    func paragraph(in format: TextFormat) -> String {
        guard let text else { return "" }
        let isFailed = state == "failed"
        let fate = format.styled(
            isFailed ? "not sent" : "queued", as: isFailed ? .red : .yellow)
        let id = format.styled(TerminalText.singleLine(outboxId), as: .faint)
        return "\n\(format.styled("you", as: .faint))  \(fate)  \(id)\n" + TerminalText.indented(text)
    }

    fileprivate func makeRow(in format: TextFormat, showsAccount: Bool) -> [Table.Cell] {
        [.init(outboxId)] + (showsAccount ? [.init(account)] : [])
            + [
                .init(kind), .init(conversationId ?? "(new)"), .init(state, state == "failed" ? .red : nil),
                .init(String(attempts)), .init(format.relativeTimeText(for: nextAttemptAt, otherwise: "")),
                .init(text ?? ""),
            ]
    }
}

extension RetryOutbox.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        TerminalText.singleLine(queued ? "queued" : messageId ?? conversationId ?? "sent") + "\n"
    }
}

extension CancelOutbox.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "cancelled\n" }
}
