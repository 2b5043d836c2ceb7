import Accounts
import ControlAPI
import ControlServer
import Inbox
import Log
import Platform
import Store

/// Tells systemd how the daemon is: the state and the badge, without names.
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

    /// The store is open and the socket answers; the network is not waited for.
    func ready() {
        told = text
        manager.ready(status: told)
    }

    /// Follows the log: states and counts are entries of it. At most once a second, for a person's eyes.
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

    /// Keeps the watchdog quiet for as long as the main actor, where everything happens, has its turns.
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
