import Config
package import EventLog
package import NotificationPolicy

/// Ends pauses on time, and writes a log entry when the holds or the preview change without a user
/// action: quiet hours begin or end, the notification server appears or disappears, or the
/// configuration is reloaded. While no client follows the log, the only timer is for the end of a
/// pause.
package final class HoldReporter {
    /// The minimum time between two log entries about the server. Each entry causes a query of the server.
    /// The query may start a D-Bus service that exits immediately, and this exit would cause the next
    /// entry.
    private static let serverInterval: Duration = .seconds(30)

    private let screen: NotificationScreen
    private let runtime: RuntimeEnvironment
    private var notificationController: NotificationController { screen.notificationController }
    private let wakes = ChangeSignal()
    private var loggedServer = true
    private var loggedPreview: NotificationConfiguration.Preview?
    private var serverLoggedAt: Duration?

    package init(screen: NotificationScreen, runtime: RuntimeEnvironment) {
        (self.screen, self.runtime) = (screen, runtime)
        let notificationController = screen.notificationController
        for signal in [
            notificationController.changes, notificationController.arrivals, screen.disconnections,
            screen.adoptions,
        ] {
            wakes.follow(signal)
        }
    }

    /// Ends an expired pause and reports changes, until the task is cancelled.
    package func run() async throws {
        while true {
            let seen = wakes.count
            try notificationController.endExpiredPause()
            try reportHoldsIfChanged()
            try await runtime.wait(for: wakes, past: seen, atMost: timeToNextCheck)
        }
    }

    private func reportHoldsIfChanged() throws {
        let (policy, now) = (notificationController.policy, runtime.clockReading)
        let holds = policy.currentHolds(at: now, hasServer: true)
        let hasServer = isServerCheckDue(at: now.uptime) ? screen.mayHaveServer : loggedServer
        let preview = policy.previewWhenUnlocked(at: now)
        guard
            !holds.isEquivalent(to: notificationController.loggedHolds) || hasServer != loggedServer
                || preview != loggedPreview ?? preview
        else {
            loggedPreview = preview
            return
        }
        if notificationController.watcherCount > 0 {
            try notificationController.saveChange { _ in }
            if hasServer != loggedServer { serverLoggedAt = now.uptime }
        }
        (notificationController.loggedHolds, loggedServer, loggedPreview) = (holds, hasServer, preview)
    }

    private func isServerCheckDue(at uptime: Duration) -> Bool {
        serverLoggedAt.map { uptime >= $0 + Self.serverInterval } ?? true
    }

    /// The time until the next check; `nil` if only a signal can change the holds.
    private var timeToNextCheck: Duration? {
        let now = runtime.clockReading
        guard notificationController.watcherCount > 0 else {
            return notificationController.currentPause(at: now)?.end.map { max(.zero, $0 - now.uptime) }
        }
        let server =
            screen.mayHaveServer == loggedServer ? nil : serverLoggedAt.map { $0 + Self.serverInterval }
        return [
            notificationController.policy.timeUntilNextHoldChange(at: now),
            server.map { max(.zero, $0 - now.uptime) },
        ]
        .compactMap(\.self).min()
    }
}

extension NotificationScreen {
    /// The current holds, the most important reason first.
    package var holds: [NotificationHold] {
        notificationController.policy.currentHolds(at: runtime.clockReading, hasServer: mayHaveServer)
    }

    /// Whether a notification server is present, or was not queried yet.
    var mayHaveServer: Bool { state.phase == .unknown || hasServer }
}
