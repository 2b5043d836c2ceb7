import ArgumentParser
import ControlAPI

struct NewVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Start a conversation and print its id.",
        discussion: """
            Waits up to 5 s for the API; then prints "queued" and ends with 75, and the daemon sends it later.
            Examples:
              cutied ctl new --category bug --title 'Crash on start' 'It closes at once.'
              git diff | cutied ctl new --category feedback -
            """)

    @Option(help: "What it is about.")
    var category: CategoryWord

    @Option(help: "A short title.")
    var title: String?

    @Argument(help: "The text; - reads it from standard input.")
    var message: String

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        let text = try MessageText.read(message, standardInput: session.standardInput)
        let reply = try await session.answerOnce(
            CreateConversation(
                category: category.rawValue, message: text, title: title, account: account.name))
        try session.end(queued: reply.queued)
    }
}
