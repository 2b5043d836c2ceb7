import ArgumentParser
import ControlAPI

struct InboxVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "inbox", abstract: "List the conversations, newest first.",
        discussion: """
            Shows all that is stored here, also offline, and marks nothing read.
            Examples:
              cutied ctl inbox --unread
              cutied ctl inbox --limit 10
            """)

    @Flag(help: "Only those with unread messages.")
    var unread = false

    @Option(help: .init("At most so many.", valueName: "n"))
    var limit: RowLimit?

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(
            ListConversations(unread: unread ? true : nil, limit: limit?.count, account: account.name))
    }
}
