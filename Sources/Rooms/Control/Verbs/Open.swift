import ArgumentParser
import ControlAPI
import ControlClient

struct OpenVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Show the inbox or one conversation in the window, else here.",
        discussion: """
            The window is cutied-inbox. Without a display, or where it is not installed, this shows what `inbox` or \
            `show` show, and a conversation is marked read then (open_marks_read in the config). With --json \
            nothing but the reply is printed, and no window comes.
            Examples:
              cutied ctl open
              cutied ctl open conv_42
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        guard let conversation else { return try await showInbox(in: session) }
        let call = GetConversation(conversation: conversation, limit: nil, account: account.name)
        let answer = try await session.call(call)
        if session.json { return try session.print(answer) }
        let found = answer.reply.conversation
        let words = [found.conversationId, "--account", found.account]
        if await session.desktop?.showInbox(words) == true { return }
        let view = ThreadView(thread: answer.reply, marked: nil, session: session)
        try await view.showHere(holding: false)
    }

    private func showInbox(in session: Session) async throws {
        let words = account.name.map { ["--account", $0] } ?? []
        if !session.json, await session.desktop?.showInbox(words) == true { return }
        try await session.answer(ListConversations(account: account.name))
    }
}
