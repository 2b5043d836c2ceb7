import ArgumentParser
import ControlAPI

struct ReplyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reply", abstract: "Answer in a conversation and print the message's id.",
        discussion: """
            Waits up to 5 s for the API; then prints "queued" and ends with 75, and the daemon sends it later.
            Examples:
              cutied ctl reply conv_42 'Works now, thank you!'
              cutied ctl reply conv_42 - < answer.txt
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Argument(help: "The text; - reads it from standard input.")
    var message: String

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        let text = try MessageText.read(message, standardInput: session.standardInput)
        let reply = try await session.answer(
            SendMessage(conversation: conversation, message: text, account: account.name))
        try session.end(queued: reply.queued)
    }
}
