import Accounts
import Domain
import EventLog
import FeedPolicy
import Store
import Systemd

/// Reports the daemon's status to systemd: the state and the badge, without names.
final class ServiceStatusReporter {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let manager: ServiceManager
    private let runtime: RuntimeEnvironment
    private var lastStatus = ""

    init(ingest: Ingest, accounts: AccountRegistry, manager: ServiceManager, runtime: RuntimeEnvironment) {
        (self.ingest, self.accounts) = (ingest, accounts)
        (self.manager, self.runtime) = (manager, runtime)
    }

    /// Reports READY: the store is open and the socket accepts connections. The network is not required.
    func reportReady() {
        lastStatus = text
        manager.notifyReady(status: lastStatus)
    }

    /// Reports changes until cancelled, at most once per second. Follows the log, because each change of
    /// the state or the badge adds a log entry.
    func run() async throws {
        var earliest = runtime.uptime
        while true {
            let seen = ingest.head.value
            if text != lastStatus {
                // Wait before reporting, not afterwards, so that a single change wakes the daemon only once.
                let wait = earliest - runtime.uptime
                if wait > .zero { try await runtime.sleep(for: wait) }
                lastStatus = text
                manager.setStatus(lastStatus)
                earliest = runtime.uptime + .seconds(1)
            }
            try await ingest.head.waitUntilPast(seen)
        }
    }

    /// Sends keep-alive messages to systemd's watchdog. If the main actor, which runs the daemon, is blocked,
    /// the messages stop, and systemd restarts the daemon.
    func sendWatchdogKeepAlives() async throws {
        guard let limit = manager.watchdogLimit else { return try await ChangeSignal().wait(past: 0) }
        while true {
            manager.pingWatchdog()
            try await runtime.sleep(for: limit / 2)
        }
    }

    private var text: String {
        let unread = ingest.badge.total.map { ", badge \($0)" } ?? ""
        return accounts.state.rawValue + unread
    }
}
