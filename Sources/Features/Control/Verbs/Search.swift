import ArgumentParser
import ControlAPI
import ControlClient

struct SearchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search messages, best match first.",
        discussion: "Searches the messages stored on this computer; works offline.")

    @Argument(help: "Search words; all must occur, the last one may be a prefix.")
    var words: [String]

    @Option(
        help: .init("At most this many; default: 50.", valueName: "n"), transform: WholeNumber.parseRowLimit)
    var limit: Int?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws { try words.requireSearchableText() }

    func run(in session: Session) async throws {
        try await session.printReply(
            to: Search(words: words.joined(separator: " "), limit: limit, account: account.name))
    }
}

extension Search.Reply: HumanReadable {
    var remark: String? {
        let remarks = [
            cut == true ? "the reply was too large; add words to narrow the search" : nil,
            indexing == true ? "older messages are still being indexed; search again in a minute" : nil,
        ]
        let present = remarks.compactMap(\.self)
        return present.isEmpty ? nil : present.joined(separator: "; ")
    }

    func text(in format: TextFormat) -> String {
        if messages.isEmpty { return "nothing found\n" }
        let namesAccounts = AccountColumn.isNeeded(for: messages.map(\.account))
        var table = Table(
            [.init("MESSAGE"), .init("CONVERSATION")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("FROM", limit: 24), .init("WHEN"), .init("TEXT")])
        for (index, message) in messages.enumerated() {
            table.append(
                [.init(message.messageId), .init(message.conversationId)]
                    + (namesAccounts ? [.init(message.account)] : [])
                    + [
                        .init(message.sender), .init(format.relativeTimeText(for: message.createdAt)),
                        .init(
                            message.message, matches: matchRanges(inMessageAt: index),
                            isTruncated: format.width < .max),
                    ])
        }
        return table.text(in: format)
    }
}

extension Table.Cell {
    /// The number of characters to show before the first match.
    private static let lead = 20

    /// Creates a cell with highlighted matches. If the line will be truncated, the text starts shortly before
    /// the first match.
    fileprivate init(_ message: String, matches: [Range<Int>], isTruncated: Bool) {
        let scalars = Array(message.unicodeScalars)
        let first = min(matches.first?.lowerBound ?? 0, scalars.count)
        var place = isTruncated && first > 2 * Self.lead ? first - Self.lead : 0
        self.init(place > 0 ? "…" : "")
        for match in matches where place <= match.lowerBound && match.upperBound <= scalars.count {
            appendScalars(scalars[place..<match.lowerBound])
            let start = text.unicodeScalars.count
            appendScalars(scalars[match])
            highlights.append(start..<text.unicodeScalars.count)
            place = match.upperBound
        }
        appendScalars(scalars[place...])
    }

    private mutating func appendScalars(_ scalars: ArraySlice<Unicode.Scalar>) {
        text += TerminalText.singleLine(scalars.text)
    }
}
