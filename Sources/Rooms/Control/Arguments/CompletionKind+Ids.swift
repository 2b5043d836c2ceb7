import ArgumentParser

/// Ids that the shell completes by asking the daemon; none while it does not run.
extension CompletionKind {
    static var conversations: CompletionKind { ids(in: "inbox --limit 100") }
    static var outboxItems: CompletionKind { ids(in: "outbox") }

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
