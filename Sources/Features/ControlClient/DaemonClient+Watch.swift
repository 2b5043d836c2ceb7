public import ControlAPI
import Runtime

/// An update for a program that follows the log.
public enum LogUpdate: Sendable {
    case entry(DaemonReply<Watch.Reply>)
    /// The daemon is not running, or has disconnected. The client tries again.
    case disconnected(DaemonUnavailable)
}

extension DaemonClient {
    /// Follows the log across restarts of the daemon. After a restart, continues without gaps after the
    /// last entry that `each` processed.
    ///
    /// If the daemon is not running, waits for it until the timeout of the client expires. After the first
    /// entry, the client reconnects with increasing delays and without a timeout.
    ///
    /// - Parameter since: the sequence number to start after; `nil` for new entries only.
    /// - Throws: the errors of `each`, for example a `DaemonUnavailable` that `each` received, and the
    ///   errors of `call`.
    public func watch(since: Int64? = nil, each: (LogUpdate) async throws -> Next) async throws {
        var (position, delays, hasBegun) = (LogPosition(since: since), ReconnectDelays(), false)
        while true {
            let daemon = hasBegun ? withoutRetries : self
            var (gone, isOver) = (DaemonUnavailable(path: path), false)
            do {
                try await daemon.followReplies(to: Watch(since: position.since)) { entry in
                    hasBegun = true
                    delays.reset()
                    isOver = try await each(.entry(entry)) == .stop
                    position.advance(past: entry.reply)
                    return isOver ? .stop : .proceed
                }
            } catch let error as DaemonUnavailable { gone = error }
            if isOver { return }
            if try await each(.disconnected(gone)) == .stop { return }
            try await EventLoop.shared.sleep(for: delays.nextDelay())
        }
    }
}

/// The position of a watcher in the log, used to continue after a disconnection.
struct LogPosition: Hashable, Sendable {
    /// The sequence number to continue after; `nil` if there is none yet.
    private(set) var since: Int64?

    init(since: Int64?) { self.since = since }

    /// Advances to an entry. Ignores the number of a snapshot if the caller requested a position: the
    /// snapshot contains the newest sequence number, although older entries may follow.
    mutating func advance(past entry: Watch.Reply) {
        if entry.type != .snapshot || since == nil { since = entry.sequence }
    }
}
