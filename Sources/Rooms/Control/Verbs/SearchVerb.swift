import ArgumentParser
import ControlAPI

struct SearchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find messages by their words, best match first.",
        discussion: "Searches what is stored here, also offline.")

    @Argument(help: "The words, all of which must occur; the last may be the beginning of one.")
    var words: [String]

    @Option(help: .init("At most so many, else 50.", valueName: "n"))
    var limit: RowLimit?

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(
            Search(words: words.joined(separator: " "), limit: limit?.count, account: account.name))
    }
}
