package import Accounts
package import EventLog
import Store

/// Follows the log for one client.
package struct LogFollower {
    /// The maximum number of entries to read at a time, which limits the memory for a slow client.
    private static let batch = 100

    private let ingest: Ingest
    private let reader: LogReader

    package init(ingest: Ingest, accounts: AccountRegistry) {
        self.ingest = ingest
        reader = LogReader(store: ingest.store, accounts: accounts)
    }

    /// The values that a client receives.
    package enum Step {
        /// The client must read the current state; entries follow. The value is the sequence number of the
        /// newest entry.
        case snapshot(Int64)
        /// Entries that the client has not received were pruned, so the client must read the current state
        /// again. The value is the sequence number of the newest entry.
        case reset(Int64)
        case line(LogLine)
    }

    /// Sends all entries after `since` until cancelled; only new entries if `since` is `nil`. `send` waits
    /// for the client, so that a slow client does not fill the memory of the daemon. `check` runs before each
    /// batch; it throws if the client is no longer allowed to follow the log.
    package func follow(
        since: Int64?, check: () throws -> Void = {}, send: (Step) async throws -> Void
    ) async throws {
        var known = since ?? ingest.head.value
        try await send(.snapshot(ingest.head.value))
        if let since, try !ingest.store.read({ try $0.log.isContiguous(after: since) }) {
            known = ingest.head.value
            try await send(.reset(known))
        }
        while true {
            try Task.checkCancellation()
            try await ingest.head.waitUntilPast(known)
            try check()
            let head = ingest.head.value
            guard let lines = try reader.readLines(after: known, limit: Self.batch) else {
                known = head
                try await send(.reset(known))
                continue
            }
            // Skip the entries up to `head`, which were deleted together with their messages.
            if lines.isEmpty { known = head }
            for line in lines {
                try await send(.line(line))
                known = line.entry.sequence
            }
        }
    }
}
