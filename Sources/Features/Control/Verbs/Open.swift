import ArgumentParser
import ControlAPI
import ControlClient

struct OpenVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Show the inbox or one conversation in the window or the terminal.",
        discussion: """
            The window is cutied-inbox. Without a display, or if it is not installed, the output of `inbox` or \
            `show` is printed, and the conversation is marked as read (see open_marks_read in the config). \
            With --json, only the reply is printed and no window is opened.

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
        if await session.desktop?.showInbox(arguments: words) == true { return }
        let view = ThreadPager(thread: answer.reply, marked: nil, session: session)
        try await view.showInTerminal(keepsTerminalOpen: false)
    }

    private func showInbox(in session: Session) async throws {
        let words = account.name.map { ["--account", $0] } ?? []
        if !session.json, await session.desktop?.showInbox(arguments: words) == true { return }
        try await session.printReply(to: ListConversations(account: account.name))
    }
}
