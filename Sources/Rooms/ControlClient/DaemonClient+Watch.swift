public import ControlAPI
import Threads

/// What somebody who follows the log hears of.
public enum LogUpdate: Sendable {
    case entry(Answer<Watch.Reply>)
    /// The daemon is not there, or went away. It is tried again after this.
    case gone(DaemonGone)
}

extension DaemonClient {
    /// Follows the log over restarts of the daemon, from `since` on: the watch goes on behind the last entry that
    /// `each` took, so that nothing is missed. Ends when `each` has enough; throws what it throws, which may
    /// be a `DaemonGone` that it was handed, and as `call`.
    ///
    /// Only before the first entry a daemon that is not there is waited for; later the pauses between attempts
    /// do that.
    public func watch(since: Int64? = nil, each: (LogUpdate) async throws -> Next) async throws {
        var (position, delays, hasBegun) = (LogPosition(since: since), ReconnectDelays(), false)
        while true {
            let daemon = hasBegun ? impatient : self
            var (gone, isOver) = (DaemonGone(path: path), false)
            do {
                try await daemon.follow(Watch(since: position.since)) { entry in
                    hasBegun = true
                    delays.reset()
                    isOver = try await each(.entry(entry)) == .enough
                    position.pass(entry.reply)
                    return isOver ? .enough : .goOn
                }
            } catch let error as DaemonGone { gone = error }
            if isOver { return }
            if try await each(.gone(gone)) == .enough { return }
            try await EventLoop.shared.sleep(for: delays.next())
        }
    }
}

/// How much of the log was seen, so that a watcher that lost its daemon goes on where it was.
struct LogPosition: Hashable, Sendable {
    /// What to ask for: nil, where nothing was seen and nothing was asked for.
    private(set) var since: Int64?

    init(since: Int64?) { self.since = since }

    /// A snapshot tells the head, which lies after entries that are still to come: it only counts
    /// where nothing was asked for.
    mutating func pass(_ entry: Watch.Reply) {
        if entry.type != "snapshot" || since == nil { since = entry.sequence }
    }
}
