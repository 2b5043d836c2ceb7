import Accounts
import ControlAPI
import ControlServer
import Inbox
import Log
import Store
import Systemd

/// Reports the daemon's status to systemd: the state and the badge, without names.
final class Reporter {
    private let ingest: Ingest
    private let accounts: Accounts
    private let manager: ServiceManager
    private let surroundings: Surroundings
    private var told = ""

    init(ingest: Ingest, accounts: Accounts, manager: ServiceManager, surroundings: Surroundings) {
        (self.ingest, self.accounts) = (ingest, accounts)
        (self.manager, self.surroundings) = (manager, surroundings)
    }

    /// Reports READY: the store is open and the socket accepts connections. The network is not required.
    func ready() {
        told = text
        manager.ready(status: told)
    }

    /// Follows the log, because changes of state and badge are log entries. Reports at most once per second.
    func run() async throws {
        while true {
            let seen = ingest.head.value
            if text != told {
                told = text
                manager.status(told)
                try await surroundings.sleep(.seconds(1))
            }
            try await ingest.head.passed(seen)
        }
    }

    /// Sends keep-alive messages to systemd's watchdog. They stop when the main actor, which runs everything,
    /// is blocked.
    func keepAlive() async throws {
        guard let limit = manager.watchdogLimit else { return try await Signal().wait(past: 0) }
        while true {
            manager.keepAlive()
            try await surroundings.sleep(limit / 2)
        }
    }

    private var text: String {
        let unread = ingest.badge.total.map { ", badge \($0)" } ?? ""
        return accounts.state.rawValue + unread
    }
}
