import ArgumentParser
import ControlAPI

struct SearchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find messages by their words, best match first.",
        discussion: "Searches what is stored here, also offline.")

    @Argument(help: "The words, all of which must occur; the last may be the beginning of one.")
    var words: [String]

    @Option(help: .init("At most so many, else 50.", valueName: "n"), transform: WholeNumber.rows)
    var limit: Int?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws { try words.requireText() }

    func run(in session: Session) async throws {
        try await session.answer(
            Search(words: words.joined(separator: " "), limit: limit, account: account.name))
    }
}

extension Search.Reply: HumanReadable {
    var remark: String? {
        cut == true ? "one answer does not hold all that was found; search for more words" : nil
    }

    func text(in format: TextFormat) -> String {
        if messages.isEmpty { return "nothing found\n" }
        let namesAccounts = AccountColumn.isNeeded(for: messages.map(\.account))
        var table = Table(
            [.init("MESSAGE"), .init("CONVERSATION")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("FROM", limit: 24), .init("WHEN"), .init("TEXT")])
        for message in messages {
            table.append(
                [.init(message.messageId), .init(message.conversationId)]
                    + (namesAccounts ? [.init(message.account)] : [])
                    + [
                        .init(message.sender), .init(format.relative(message.createdAt)),
                        .init(message.message),
                    ])
        }
        return table.text(in: format)
    }
}
