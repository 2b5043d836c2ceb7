import ArgumentParser
import ControlAPI

struct ExplainVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Tell what happened to a message, and why it was (not) shown.")

    @Argument(help: "The message; `cutied ctl show` and `search` print their ids.")
    var message: String

    @Option(help: "Its conversation, where two have a message of this id.")
    var conversation: String?

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(
            Explain(message: message, conversation: conversation, account: account.name))
    }
}
