import ArgumentParser
import ControlAPI
import ControlClient

struct NewVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Start a conversation and print its id.",
        discussion: """
            Waits up to 5 s for the API. If it does not answer, prints "queued" and exits with 75; the daemon \
            sends the message later.
            Without arguments, opens the form of the window, cutied-inbox, if it is installed.

            Examples:
              cutied ctl new
              cutied ctl new --category bug --title 'Crash on start' 'It closes at once.'
              git diff | cutied ctl new --category feedback -
            """)

    @Option(help: "The category.")
    var category: CategoryArgument?

    @Option(help: "A short title.")
    var title: String?

    @Argument(help: "The text; - reads it from standard input.")
    var message: String?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard message == nil else {
            if category == nil { throw ValidationError("specify the category with --category") }
            return
        }
        if category != nil || title != nil { throw ValidationError("the text is missing") }
    }

    func run(in session: Session) async throws {
        guard let category, let message else { return try await showForm(in: session) }
        let text = try MessageArgument.resolve(message, readStandardInput: session.standardInput)
        let reply = try await session.printReplyWithRetry(
            to: CreateConversation(
                category: category.rawValue, message: text, title: title, account: account.name))
        try session.throwIfQueued(reply.queued)
    }

    private func showForm(in session: Session) async throws {
        let words = ["--compose"] + (account.name.map { ["--account", $0] } ?? [])
        if !session.json, await session.desktop?.showInbox(arguments: words) == true { return }
        throw CommandError(
            .usage, "the text is missing, and no window can be opened to enter it",
            advice: "run, for example, `cutied ctl new --category bug 'It closes at once.'`")
    }
}

struct ReplyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reply", abstract: "Reply to a conversation and print the message's id.",
        discussion: """
            Waits up to 5 s for the API. If it does not answer, prints "queued" and exits with 75; the daemon \
            sends the message later.
            A resolved or closed conversation needs --reopen; otherwise the command exits with 65.

            Examples:
              cutied ctl reply conv_42 'Works now, thank you!'
              cutied ctl reply conv_42 - < answer.txt
              cutied ctl reply --reopen conv_42 'It is back.'
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Argument(help: "The text; - reads it from standard input.")
    var message: String

    @Flag(help: "Send the message even if the conversation is resolved or closed.")
    var reopen = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let text = try MessageArgument.resolve(message, readStandardInput: session.standardInput)
        let reply = try await session.printReplyWithRetry(
            to: SendMessage(
                conversation: conversation, message: text, reopen: reopen ? true : nil, account: account.name)
        )
        try session.throwIfQueued(reply.queued)
    }
}

// `new` and `reply` print only the ID, for scripts.

extension CreateConversation.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { TerminalText.singleLine(conversationId ?? "queued") + "\n" }
}

extension SendMessage.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { TerminalText.singleLine(messageId ?? "queued") + "\n" }
}
