package import CutieAPI
package import Domain
package import EventLog
import Localization
package import Logging
import NotificationPolicy
package import Reasons

/// Shows one quiet notification after 5 minutes without a connection, for all accounts together, and closes
/// the notification when all accounts are connected again. No timer runs while all accounts are connected.
package final class OutageNotice {
    private let screen: NotificationScreen
    private let outages: () throws -> [Outage]
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    /// Notified when a connection or the policy may have changed.
    package let changes = ChangeSignal()
    private var clock: OutageClock
    /// Whether this outage was shown. A user who closed the notification does not want to see it again.
    private var isShown = false
    /// The accounts that the notification reported as stopped.
    private var shownStopped: Set<AccountID> = []

    package init(
        screen: NotificationScreen, outages: @escaping () throws -> [Outage],
        timeout: Duration = .seconds(300),
        runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.screen, self.outages) = (screen, outages)
        (self.runtime, self.logger) = (runtime, logger)
        clock = OutageClock(timeout: timeout)
        for signal in [screen.notificationController.changes, screen.changes] { changes.follow(signal) }
    }

    /// Reports outages until the task is cancelled.
    package func run() async throws {
        try await adoptShownNotice()
        while true {
            let seen = changes.count
            let wait = try await updateNotice()
            try await runtime.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// Restarts the 5-minute delay after a resume, unless the outage was already shown.
    package func restartTimers() {
        if !isShown { clock.restartTimers(at: runtime.timeAwake) }
        changes.notify()
    }

    /// Adopts the notification of a previous run if the same server still shows it; otherwise deletes its
    /// record.
    private func adoptShownNotice() async throws {
        guard try screen.hasStoredNotification(of: .outage) else { return }
        await screen.queryServerIfUnknown()
        if !screen.hasNotification(for: .outage) { try await screen.closeEarlierNotification(of: .outage) }
    }

    /// Shows or closes the notification. Returns the maximum time until the next update; `nil` for no limit.
    private func updateNotice() async throws -> Duration? {
        let now = runtime.timeAwake
        let (overdue, next) = clock.updateOutages(try outages(), at: now)
        guard !overdue.isEmpty else {
            isShown = false
            try await screen.closeNotification(of: .outage, because: .finished)
            return next.map { $0 - now }
        }
        // Return if this outage was shown, unless the shown advice no longer matches the stopped accounts.
        if isShown, !screen.hasNotification(for: .outage) || shownStopped == stoppedAccounts(in: overdue) {
            return nil
        }
        let verdict = screen.notificationController.policy.verdictForNotice(now: runtime.clockReading)
        guard verdict == .show else { return verdict.end.map(runtime.duration(until:)) }
        guard await !screen.notificationController.isHeldByScreenLock() else {
            return NotificationController.lockInterval
        }
        try await showNotice(about: overdue)
        return nil
    }

    /// Shows the notification. If there is no server, the notification is shown after the next failed
    /// connection attempt.
    private func showNotice(about outages: [Outage]) async throws {
        guard await screen.queryServer() != nil else { return }
        let outcome = try await screen.show(makeNotification(about: outages), for: .outage) { [self] in
            (isShown, shownStopped) = (true, stoppedAccounts(in: outages))
        }
        switch outcome {
        case .shown, .failed(nil): break
        case .refused(let reason): logger.info("the outage was not shown", metadata: ["reason": "\(reason)"])
        case .failed(let error?):
            logger.info("the outage was not shown", metadata: ["reason": "\(error)"])
        }
    }

    private func makeNotification(about outages: [Outage]) -> DesktopNotification {
        let causes = outages.map { outage in
            outage.title.map {
                localized("{account}: {sentence}", ["account": $0, "sentence": outage.cause])
            } ?? outage.cause
        }
        let more = localized(
            "For details, run this command in a terminal: {command}", ["command": "cutied ctl status"])
        let body = causes + [adviceText(for: outages) + " " + more]
        var notification = DesktopNotification.makeNotice(
            summary: RoleDependentText.outageTitle.text(for: screen.notificationController.reader()),
            body: body.joined(separator: "\n"),
            category: "network.disconnected")
        notification.urgency = .low
        notification.stackTag = "cutied-connection"
        notification.expireMilliseconds = 0
        notification.actions = [.init(.reconnect, label: localized("Try Now"))]
        return notification
    }

    /// Returns the advice. Stopped accounts retry only once an hour, and require the user to act.
    private func adviceText(for outages: [Outage]) -> String {
        let stopped = stoppedAccounts(in: outages)
        if stopped.isEmpty { return localized("Cuti-E keeps trying to connect.") }
        let commands: KeyValuePairs = ["setup": "cutied setup", "reconnect": "cutied ctl reconnect"]
        guard stopped.count == outages.count else {
            return localized(
                """
                Cuti-E retries stopped accounts only once an hour. Check the App ID: run {setup} in a \
                terminal, then {reconnect}.
                """, commands)
        }
        return localized(
            """
            Cuti-E retries only once an hour. Check the App ID: run {setup} in a terminal, then \
            {reconnect}.
            """, commands)
    }

    private func stoppedAccounts(in outages: [Outage]) -> Set<AccountID> {
        Set(outages.filter(\.isStopped).map(\.account))
    }
}

/// An account that is not connected.
package struct Outage: Hashable {
    let account: AccountID
    /// The display name of the account; `nil` if there is only one account.
    let title: String?
    var state = AccountState.offline
    /// The reason as `status` reports it.
    var reason: Reason?

    package init(
        account: AccountID, title: String?, state: AccountState = .offline, reason: Reason? = nil
    ) {
        (self.account, self.title, self.state, self.reason) = (account, title, state, reason)
    }

    /// Whether the account requires the user to act. Such an account retries once an hour.
    var isStopped: Bool { state == .stopped }

    /// The cause as `doctor` reports it, in the user's language.
    var cause: String {
        guard isStopped else { return (reason ?? Reason(.noAnswer)).localizedForNotification }
        let reason = (reason ?? Reason(.deviceRefused)).localizedForNotification
        return localized("stopped: {reason}", ["reason": reason])
    }
}

/// Decides which accounts have been disconnected long enough to report.
package struct OutageClock {
    let timeout: Duration
    /// The `timeAwake` at which each account was first seen disconnected.
    private var since: [AccountID: Duration] = [:]

    init(timeout: Duration) { self.timeout = timeout }

    /// Records the current outages. Returns the outages that have exceeded `timeout`, and the `timeAwake`
    /// at which the next outage exceeds `timeout`; `nil` if no other outage is pending.
    mutating func updateOutages(_ outages: [Outage], at now: Duration) -> (overdue: [Outage], next: Duration?)
    {
        let before = since
        since = Dictionary(outages.map { ($0.account, before[$0.account] ?? now) }) { first, _ in first }
        let overdue = outages.filter { now - (since[$0.account] ?? now) >= timeout }
        let next = since.values.map { $0 + timeout }.filter { $0 > now }.min()
        return (overdue, next)
    }

    /// Restarts the waiting time of each outage. After a suspend or a clock change, the previous waiting
    /// time says nothing about the current state of the network.
    mutating func restartTimers(at now: Duration) {
        for account in since.keys { since[account] = now }
    }
}
