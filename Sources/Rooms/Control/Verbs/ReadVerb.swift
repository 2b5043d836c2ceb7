import ArgumentParser
import ControlAPI

struct ReadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Mark read everywhere what is here now.",
        usage: "cutied ctl read (<conversation> | --all) [--account <name>] [--json] [--no-wait]")

    @Argument(help: "The conversation; `cutied ctl inbox --unread` lists them.", completion: .conversations)
    var conversation: String?

    @Flag(help: "All conversations.")
    var all = false

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func validate() throws {
        if all == (conversation != nil) {
            throw ValidationError("give a conversation or --all, and not both")
        }
    }

    func run(in session: Session) async throws {
        let reply = try await session.answer(MarkRead(conversation: conversation, account: account.name))
        try session.end(queued: reply.queued)
    }
}
