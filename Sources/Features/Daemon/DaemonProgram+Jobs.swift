import Access
import Accounts
import EventLog
import Logging
import NotificationPolicy
import Notifications
import Platform
import Store

// MARK: - Jobs that run until the daemon ends

extension DaemonProgram {
    var coreJobs: [Job] {
        [
            Job("store") { [core] in for await damage in core.store.damage { throw damage } },
            Job("accounts") { [accountServices] in try await accountServices.supervisor.run() },
            Job("hand-over") { [accountServices] in try await accountServices.handOver.run() },
            makeRetryingJob(named: "unread outbox") { [self] in try await reportUnreadableOutbox() },
            Job("clicks") { [desktop] in
                try await desktop.notificationActions.handleEvents(desktop.notifier.events)
            },
            Job("status") { [reporter] in try await reporter.run() },
            Job("watchdog") { [reporter] in try await reporter.sendWatchdogKeepAlives() },
            makeRetryingJob(named: "activity") { [accountServices] in try await accountServices.pinger.run()
            },
            Job("avatars") { [desktop] in try await desktop.avatars.run() },
            Job("housekeeping") { [core] in try await core.housekeeping.run() },
            Job("idle memory") { [core] in
                try await IdleMemoryTrimmer(head: core.ingest.head, runtime: core.runtime) {
                    core.store.prepareForIdle()
                    Memory.releaseMemory()
                }
                .run()
            },
            Job("secrets") { [core] in try await core.secretMover.run() },
            makeRetryingJob(named: "replies") { [desktop] in try await desktop.queue.run() },
            makeRetryingJob(named: "hooks") { [hook] in try await hook.run() },
            makeRetryingJob(named: "holds") { [desktop] in try await desktop.holdReporter.run() },
            makeRetryingJob(named: "questions") { [desktop] in try await desktop.questions.run() },
            makeRetryingJob(named: "outages") { [desktop] in try await desktop.outages.run() },
            makeRetryingJob(named: "reminders") { [desktop] in try await desktop.reminders.run() },
            makeRetryingJob(named: "services") { [access] in try await access.run() },
            makeRetryingJob(named: "sign-in") { [signInNotice] in try await signInNotice.run() },
            makeRetryingJob(named: "consent") { [consentQuestion] in try await consentQuestion.run() },
        ]
    }

    /// The jobs that react to jumps of the clock, to network changes and to time zone changes.
    var watchJobs: [Job] {
        [
            Job("clock") { [self] in
                // Restart the outage timers, because the network is not available immediately after a resume.
                // Network changes do not restart the timers, because a network that appears and disappears
                // again is an outage.
                try await reconnectOnEvents(
                    reason: "the clock jumped", prepare: { [desktop] in desktop.outages.restartTimers() },
                    watch: { try ClockJumps.watch() })
            },
            Job("network") { [self] in
                try await reconnectOnEvents(
                    reason: "the network changed", watch: { try NetworkChanges.watch() })
            },
            Job("time zone") { [self] in await reevaluateOnZoneChange() },
        ]
    }

    func makeRetryingJob(named name: String, _ body: @escaping @MainActor () async throws -> Void) -> Job {
        Job(name) { [core] in
            try await retryOnStoreErrors(operation: name, runtime: core.runtime, logger: core.logger, body)
        }
    }

    /// Calls `prepare`, reevaluates the notification policy, and reconnects all accounts on each event.
    /// If
    /// the events are not available, the timeout of the connection detects a broken connection later.
    private func reconnectOnEvents(
        reason: String, prepare: () -> Void = {}, watch: () throws -> AsyncStream<Void>
    ) async throws {
        let events: AsyncStream<Void>
        do { events = try watch() } catch {
            return core.logger.notice(
                "system events are not available", metadata: ["event": "\(reason)", "reason": "\(error)"])
        }
        for await _ in events {
            core.logger.info("reconnecting", metadata: ["reason": "\(reason)"])
            prepare()
            // Reevaluate the policy, because a pause or quiet hours may have ended, or may now end at another
            // time.
            desktop.notificationController.requestReevaluation()
            for unit in core.accounts.units { unit.feed.reconnect() }
        }
    }

    /// Reevaluates the policy after each change of the time zone, because quiet hours follow the local time.
    private func reevaluateOnZoneChange() async {
        let changes = TimeZoneChanges.watchOrPoll { [core] failure in
            core.logger.warning(
                "the time zone cannot be watched; checking it periodically",
                metadata: ["reason": "\(failure)"])
        }
        for await _ in changes { desktop.notificationController.requestReevaluation() }
    }
}

/// A task that runs until it is cancelled.
struct Job {
    let name: String
    let body: @MainActor () async throws -> Void

    init(_ name: String, _ body: @escaping @MainActor () async throws -> Void) {
        self.name = name
        self.body = body
    }
}
