import ArgumentParser
import ControlAPI

struct ReplyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reply", abstract: "Answer in a conversation and print the message's id.",
        discussion: """
            Waits up to 5 s for the API; then prints "queued" and ends with 75, and the daemon sends it later.
            A conversation that is resolved or closed takes an answer only with --reopen; else this ends with 65.
            Examples:
              cutied ctl reply conv_42 'Works now, thank you!'
              cutied ctl reply conv_42 - < answer.txt
              cutied ctl reply --reopen conv_42 'It is back.'
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Argument(help: "The text; - reads it from standard input.")
    var message: String

    @Flag(help: "Send it although the conversation is resolved or closed.")
    var reopen = false

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        let text = try MessageText.read(message, standardInput: session.standardInput)
        let reply = try await session.answerOnce(
            SendMessage(
                conversation: conversation, message: text, reopen: reopen ? true : nil, account: account.name)
        )
        try session.end(queued: reply.queued)
    }
}
