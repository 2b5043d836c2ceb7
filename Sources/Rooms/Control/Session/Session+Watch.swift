import ControlAPI
import Threads

extension Session {
    /// Prints the log as it grows, over restarts of the daemon. Ends only by an error or a closed pipe.
    func watch(since: Int64?, account: String?) async throws {
        var position = LogPosition(since: since)
        var delays = ReconnectDelays()
        var daemon = daemon
        var hasBegun = false
        // Somebody who hangs up on us each time is no daemon that restarts.
        var chances = 5
        while true {
            do {
                if account != nil, !hasBegun {
                    _ = try await daemon.call(GetStatus()).reply.narrowed(to: account)
                }
                // The first time a daemon that does not run is an error; later it is a restart.
                try await daemon.follow(Watch(since: position.since)) { entry in
                    hasBegun = true
                    delays.reset()
                    position.pass(entry.reply)
                    if entry.reply.concerns(account) { try print(entry) }
                    return .goOn
                }
            } catch let gone as DaemonGone {
                if hasBegun {
                    daemon = daemon.impatient
                } else {
                    // It was there, and went before its first word.
                    guard gone.cause == .left, chances > 0 else { throw gone }
                    chances -= 1
                }
            }
            try await EventLoop.shared.sleep(for: delays.next())
        }
    }
}

extension Watch.Reply {
    /// What is about no account in particular concerns them all.
    fileprivate func concerns(_ wanted: String?) -> Bool {
        wanted == nil || account == nil || account == wanted
    }
}
