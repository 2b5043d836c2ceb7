import ControlAPI
import Inbox
import Platform
import Store

/// Tells systemd how the daemon is: the state and the badge, without names.
final class Reporter {
    private let service: ControlService
    private let manager: ServiceManager
    private var told = ""

    init(service: ControlService, manager: ServiceManager) {
        (self.service, self.manager) = (service, manager)
    }

    /// The store is open and the socket answers; the network is not waited for.
    func ready() {
        told = text
        manager.ready(status: told)
    }

    /// Follows the log: states and counts are entries of it. At most once a second, for a person's eyes.
    func run() async throws {
        while true {
            let seen = service.ingest.head.value
            if text != told {
                told = text
                manager.status(told)
                try await service.surroundings.sleep(.seconds(1))
            }
            try await service.ingest.head.passed(seen)
        }
    }

    /// Keeps the watchdog quiet for as long as the main actor, where everything happens, has its turns.
    func keepAlive() async throws {
        guard let limit = manager.watchdogLimit else { return try await Head().passed(0) }
        while true {
            manager.keepAlive()
            try await service.surroundings.sleep(limit / 2)
        }
    }

    private var text: String {
        let unread = service.ingest.badge.total.map { ", badge \($0)" } ?? ""
        return service.state.rawValue + unread
    }
}
