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

/// How many rows of a list are wanted: at least one.
struct RowLimit: Hashable, Sendable, ExpressibleByArgument {
    var count: Int

    init?(argument: String) {
        guard let count = Int(argument), count > 0 else { return nil }
        self.count = count
    }
}

/// A duration as people type it: whole seconds, or `90s`, `5m`, `1h`, `2d`.
struct TimeSpan: Hashable, Sendable {
    var seconds: Int

    /// No one waits or pauses longer; it also keeps sums of times far from overflow.
    static let limit = TimeSpan(seconds: 10 * 366 * 86_400)
}

extension TimeSpan: ExpressibleByArgument {
    init?(argument: String) {
        guard let duration = Duration(parsing: argument) else { return nil }
        let seconds = Int(duration.components.seconds)
        guard seconds <= Self.limit.seconds else { return nil }
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
