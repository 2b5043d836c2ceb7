import ArgumentParser
import Config

/// What every verb takes.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print the daemon's reply as JSON, one object a line.")
    var json = false

    @Flag(help: "Do not wait up to 2 s for a daemon that is starting.")
    var noWait = false
}

/// What verbs about conversations and messages take.
struct AccountOption: ParsableArguments {
    @Option(
        name: .customLong("account"), help: .init("The account, where there are several.", valueName: "name"))
    var name: String?
}

/// Why a typed value cannot be used, and what to write. The parser puts the value and the name of its option in front.
struct InvalidValue: Error, CustomStringConvertible {
    let description: String
}

extension [String] {
    /// Throws if none of the words has a visible character: a search for nothing would find nothing, and succeed.
    func requireText() throws {
        guard contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw ValidationError("the words to search for are missing")
        }
    }
}

/// Reads whole numbers as people type them.
enum WholeNumber {
    /// Returns how many rows of a list are wanted.
    static func rows(_ text: String) throws -> Int { try read(text, in: 1...Int.max) }

    /// Returns a number of days, at most ten years.
    static func days(_ text: String) throws -> Int { try read(text, in: 1...3650) }

    /// Returns the sequence of a log entry.
    static func sequence(_ text: String) throws -> Int64 { try read(text, in: 0...Int64.max) }

    private static func read<Number: FixedWidthInteger>(
        _ text: String, in range: ClosedRange<Number>
    ) throws(InvalidValue) -> Number {
        guard let number = Number(text), range.contains(number) else {
            let end = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            throw InvalidValue(description: "write a whole number from \(range.lowerBound) \(end)")
        }
        return number
    }
}

/// A duration as people type it: whole seconds, or `90s`, `5m`, `1h`, `2d`.
struct TimeSpan: Hashable, Sendable {
    var seconds: Int

    /// The longest wait or pause, far from an overflow in sums of times.
    static let limit = TimeSpan(seconds: 10 * 366 * 86_400)
}

extension TimeSpan {
    init(typed text: String) throws {
        guard let duration = Duration(parsing: text) else {
            throw InvalidValue(description: "write whole seconds, or 90s 5m 1h 2d")
        }
        let seconds = Int(duration.components.seconds)
        guard seconds <= Self.limit.seconds else {
            throw InvalidValue(description: "write at most \(Self.limit.seconds / 86_400)d")
        }
        self.init(seconds: seconds)
    }
}

enum SwitchArgument: String, CaseIterable, ExpressibleByArgument {
    case on, off, status
}

/// The categories of the API, for completion and for a clear refusal.
enum CategoryArgument: String, CaseIterable, ExpressibleByArgument {
    case bug, feature, question, feedback, other
}

/// Ids that the shell completes by asking the daemon; none while it does not run.
extension CompletionKind {
    static var conversations: CompletionKind { ids(in: "inbox --limit 100") }
    static var outboxItems: CompletionKind { ids(in: "outbox") }

    static var apps: CompletionKind { names(in: "access") }
    static var services: CompletionKind { names(in: "service") }

    /// The first column of each row, where it is one word of the characters that `ids` lets through: apps and services
    /// choose their names.
    private static func names(in list: String) -> CompletionKind {
        .shellCommand(
            "cutied ctl \(list) list --no-wait 2>/dev/null | "
                + "awk -F '  +' 'NR > 1 && $1 ~ /^[A-Za-z0-9][A-Za-z0-9_.-]*$/ { print $1 }'")
    }

    /// The first word of each row but for the mark of what is unread; what follows an empty line is no row.
    /// Servers choose ids, and bash runs what stands in `$(...)` among the words that it completes: nothing but
    /// these characters may come through.
    private static func ids(in list: String) -> CompletionKind {
        .shellCommand(
            "cutied ctl \(list) --no-wait 2>/dev/null | "
                + "awk 'NR > 1 { if (!NF) exit; id = ($1 == \"●\") ? $2 : $1; "
                + "if (id ~ /^[A-Za-z0-9][A-Za-z0-9_.-]*$/) print id }'")
    }
}
