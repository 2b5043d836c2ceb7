import Config
import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Logging
import Store

/// Tells once, quietly, that no replies come for 5 minutes, and takes that back when they do. One pop-up for
/// all accounts; while all are connected it has no timer.
final class DisconnectionNotice {
    private static let key = "disconnection-notice"
    private static let retry = "reconnect"

    private let store: Store
    private let notifier: any PopupServer
    private let outages: () -> [Outage]
    private let reconnect: () throws -> Void
    private let policy: () -> Policy
    private let session: (NotificationServer) -> String
    private let surroundings: Surroundings
    private let logger: Logger
    /// Moves when a connection may have changed, or what may be shown.
    let changes = Head()
    private var clock: OutageClock
    private(set) var shown: UInt32?
    /// Of this outage; a person who closes the pop-up does not want another one.
    private var isTold = false
    /// Those that it said need a person.
    private var toldStopped: Set<AccountID> = []

    init(
        store: Store, notifier: any PopupServer, outages: @escaping () -> [Outage],
        reconnect: @escaping () throws -> Void, policy: @escaping () -> Policy,
        session: @escaping (NotificationServer) -> String, patience: Duration = .seconds(300),
        surroundings: Surroundings, logger: Logger
    ) {
        (self.store, self.notifier, self.policy, self.session) = (store, notifier, policy, session)
        (self.outages, self.reconnect) = (outages, reconnect)
        (self.surroundings, self.logger) = (surroundings, logger)
        clock = OutageClock(patience: patience)
    }

    func run() async throws {
        try await adopt()
        while true {
            let seen = changes.value
            let wait = try await turn()
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// After a resume the 5 minutes begin again, unless the outage was told already.
    func restart() {
        if !isTold { clock.restart(at: surroundings.timeAwake) }
        changes.advance()
    }

    /// Returns how long to wait at most.
    private func turn() async throws -> Duration? {
        let now = surroundings.timeAwake
        let (overdue, next) = clock.note(outages(), at: now)
        guard !overdue.isEmpty else {
            isTold = false
            try await withdraw()
            return next.map { $0 - now }
        }
        // While it is on the screen, whether a person must act has to be true there.
        if isTold, shown == nil || toldStopped == stopped(overdue) { return nil }
        let verdict = policy().verdictOnNotice(now: surroundings.moment)
        guard verdict == .show else { return verdict.end.map(surroundings.wait(until:)) }
        try await tell(overdue)
        return nil
    }

    /// Where nobody shows it, the next failed attempt to connect is the next occasion.
    private func tell(_ overdue: [Outage]) async throws {
        guard let server = await notifier.server() else { return }
        do {
            let id = try await notifier.show(popup(about: overdue), replacing: shown)
            (shown, isTold, toldStopped) = (id, true, stopped(overdue))
            try store.write { try $0.setSetting(Self.key, to: "\(id) " + session(server)) }
        } catch let error as NotifierError {
            if error == .cancelled { throw CancellationError() }
            logger.info("the outage was not shown", metadata: ["reason": "\(error)"])
        }
    }

    private func withdraw() async throws {
        guard let id = shown else { return }
        try forget()
        try? await notifier.close(id)
    }

    private func forget() throws {
        shown = nil
        try store.write { try $0.setSetting(Self.key, to: nil) }
    }

    /// What an earlier run has shown is still on the screen, if it is the same server's.
    private func adopt() async throws {
        guard let stored = try store.read({ try $0.setting(Self.key) }) else { return }
        let words = stored.split(separator: " ", maxSplits: 1)
        if let server = await notifier.server(), words.count == 2, words[1] == session(server) {
            shown = UInt32(words[0])
        } else {
            try forget()
        }
    }

    private func popup(about overdue: [Outage]) -> Popup {
        let causes = overdue.map { outage in
            let name =
                overdue.count > 1 || outage.name != AccountConfiguration.defaultName ? outage.name + ": " : ""
            return name + outage.cause
        }
        let body = causes + [advice(on: overdue) + " To see more, type in a terminal: cutied ctl status"]
        var popup = Popup.notice(
            "No connection to your feedback", body.joined(separator: "\n"), category: "network.disconnected")
        popup.urgency = .low
        popup.stackTag = "cutied-connection"
        popup.expireMilliseconds = 0
        popup.actions = [.init(id: Self.retry, label: "Try now")]
        return popup
    }

    /// What stopped needs a person, and is tried again rarely.
    private func advice(on overdue: [Outage]) -> String {
        let stopped = stopped(overdue)
        if stopped.isEmpty { return "It goes on trying." }
        let act = "check its App ID: type cutied setup in a terminal, then cutied ctl reconnect."
        if stopped.count == overdue.count { return "It looks again once an hour only: " + act }
        return "What stopped looks again once an hour only: " + act
    }

    private func stopped(_ outages: [Outage]) -> Set<AccountID> {
        Set(outages.filter(\.isStopped).map(\.account))
    }
}

extension DisconnectionNotice: PopupOwner {
    func act(_ action: String, on id: UInt32) -> (@MainActor @Sendable () async -> Void)? {
        // What it does not offer is another's, to whom a restarted server gave the id anew.
        guard id == shown, action == Self.retry else { return nil }
        do { try reconnect() } catch { logger.error("not reconnected", metadata: ["reason": "\(error)"]) }
        return {}
    }

    func closed(_ id: UInt32, because reason: CloseReason) throws {
        if id == shown { try forget() }
    }

    func serverLost() { shown = nil }
}
