import ArgumentParser

/// Ids that the shell completes by asking the daemon; none while it does not run.
extension CompletionKind {
    static var conversations: CompletionKind { ids(in: "inbox --limit 100") }
    static var outboxItems: CompletionKind { ids(in: "outbox") }

    /// The first word of each row but for the mark of what is unread; what follows an empty line is no row.
    private static func ids(in list: String) -> CompletionKind {
        .shellCommand(
            "cutied ctl \(list) --no-wait 2>/dev/null | "
                + "awk 'NR > 1 { if (!NF) exit; print ($1 == \"●\") ? $2 : $1 }'")
    }
}
