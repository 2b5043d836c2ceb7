import ControlAPI
import Threads

extension Session {
    /// Prints a line now and at each change, also while there is no daemon.
    func watchForWaybar(account: String?) async throws {
        var printer = WaybarPrinter(session: self, account: account)
        var delays = ReconnectDelays()
        while true {
            do {
                try await printer.followDaemon { delays.reset() }
            } catch is DaemonGone {}
            try printer.print(.daemonGone)
            try await EventLoop.shared.sleep(for: delays.next())
        }
    }
}
