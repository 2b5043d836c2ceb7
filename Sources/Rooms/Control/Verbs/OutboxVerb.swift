import ArgumentParser
import ControlAPI

struct OutboxVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "List what waits or could not be sent, or try or drop it.",
        subcommands: [List.self, Retry.self, Cancel.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what waits and what could not be sent, oldest first.")

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(ListOutbox(account: account.name))
        }
    }

    struct Retry: Verb {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Send one now and print the message's id.",
            discussion: """
                Waits up to 5 s for the API; then prints "queued" and ends with 75, and the daemon sends it \
                later. One that is refused stays, and why is told.
                """)

        @Argument(help: "Its id in the list.", completion: .outboxItems)
        var id: String

        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            let reply = try await session.answer(RetryOutbox(outboxId: id))
            try session.end(queued: reply.queued)
        }
    }

    struct Cancel: Verb {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Drop one; its text is lost.")

        @Argument(help: "Its id in the list.", completion: .outboxItems)
        var id: String

        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(CancelOutbox(outboxId: id))
        }
    }
}
