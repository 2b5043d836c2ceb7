import ArgumentParser
import ControlAPI

struct ShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one conversation, oldest message first.",
        discussion: """
            Shows all that is stored here, also offline, and marks nothing read. What you wrote and is not sent \
            yet stands at the end.
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Option(help: .init("Only the newest so many messages.", valueName: "n"))
    var limit: RowLimit?

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.show(
            GetConversation(conversation: conversation, limit: limit?.count, account: account.name))
    }
}
