import ArgumentParser
import Config
import TextSearch

/// The options of every verb.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print the daemon's reply as JSON, one object per line.")
    var json = false

    @Flag(help: "Do not wait up to 2 s for a daemon that is starting.")
    var noWait = false
}

/// The option `--account` of the verbs for conversations and messages.
struct AccountOption: ParsableArguments {
    @Option(
        name: .customLong("account"),
        help: .init("The account; needed only if there are several.", valueName: "name"))
    var name: String?
}

/// The reason why an argument is invalid, with advice. The parser prepends the value and the option name.
struct InvalidValue: Error, CustomStringConvertible {
    let description: String
}

extension [String] {
    /// Throws if the words are empty or consist only of punctuation, because such a search matches no
    /// message.
    func requireSearchableText() throws {
        try requireVisibleText()
        guard SearchQuery(joined(separator: " ")) != nil else {
            throw ValidationError(
                "the search words consist only of punctuation; add a letter, a digit or an emoji")
        }
    }

    /// Throws if no word has a visible character. An empty search would otherwise succeed without results.
    func requireVisibleText() throws {
        guard contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw ValidationError("the search words are missing")
        }
    }
}

/// Parsers for whole numbers on the command line.
enum WholeNumber {
    /// Parses the maximum number of rows of a list.
    static func parseRowLimit(_ text: String) throws -> Int { try parseNumber(text, in: 1...Int.max) }

    /// Parses a number of days, at most ten years.
    static func parseDayCount(_ text: String) throws -> Int { try parseNumber(text, in: 1...3650) }

    /// Parses the sequence number of a log entry.
    static func parseSequenceNumber(_ text: String) throws -> Int64 {
        try parseNumber(text, in: 0...Int64.max)
    }

    private static func parseNumber<Number: FixedWidthInteger>(
        _ text: String, in range: ClosedRange<Number>
    ) throws(InvalidValue) -> Number {
        guard let number = Number(text), range.contains(number) else {
            let end = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            throw InvalidValue(description: "use a whole number from \(range.lowerBound) \(end)")
        }
        return number
    }
}

/// A duration as the user enters it on the command line: whole seconds, or `90s`, `5m`, `1h`, `2d`.
struct TimeSpan: Hashable, Sendable {
    var seconds: Int

    /// The maximum duration of a wait or a pause, low enough that sums cannot overflow.
    static let limit = TimeSpan(seconds: 10 * 366 * 86_400)
}

extension TimeSpan {
    init(typed text: String) throws {
        guard let duration = Duration(parsing: text) else {
            throw InvalidValue(description: "use whole seconds, or a duration such as 90s, 5m, 1h or 2d")
        }
        let seconds = Int(duration.components.seconds)
        guard seconds <= Self.limit.seconds else {
            throw InvalidValue(description: "use at most \(Self.limit.seconds / 86_400)d")
        }
        self.init(seconds: seconds)
    }
}

enum SwitchArgument: String, CaseIterable, ExpressibleByArgument {
    case on, off, status
}

/// The categories of the API, for shell completion and for a clear error message.
enum CategoryArgument: String, CaseIterable, ExpressibleByArgument {
    case bug, feature, question, feedback, other
}

// MARK: - Shell completions
//
// The completions query the daemon for IDs, and are empty if the daemon is not running.

extension CompletionKind {
    static var conversations: CompletionKind { idCompletion(fromListCommand: "inbox --limit 100") }
    static var outboxItems: CompletionKind { idCompletion(fromListCommand: "outbox") }

    static var apps: CompletionKind { nameCompletion(fromListCommand: "access") }
    static var services: CompletionKind { nameCompletion(fromListCommand: "service") }

    /// Returns a completion that offers the first column of each row.
    /// Apps and services choose their own names, and bash expands
    /// `$(...)` in completion words, so names with characters that do not occur in IDs are omitted.
    private static func nameCompletion(fromListCommand list: String) -> CompletionKind {
        .shellCommand(
            "cutied ctl \(list) list --no-wait 2>/dev/null | "
                + "awk -F '  +' 'NR > 1 && $1 ~ /^[A-Za-z0-9][A-Za-z0-9_.-]*$/ { print $1 }'")
    }

    /// Returns a completion that offers the first word of each row, without the unread mark.
    /// An empty line ends the list. Servers
    /// choose the IDs, and bash expands `$(...)` in completion words, so IDs with unsafe characters are
    /// omitted.
    private static func idCompletion(fromListCommand list: String) -> CompletionKind {
        .shellCommand(
            "cutied ctl \(list) --no-wait 2>/dev/null | "
                + "awk 'NR > 1 { if (!NF) exit; id = ($1 == \"●\") ? $2 : $1; "
                + "if (id ~ /^[A-Za-z0-9][A-Za-z0-9_.-]*$/) print id }'")
    }
}
