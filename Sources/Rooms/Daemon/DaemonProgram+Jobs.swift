import Access
import Accounts
import Desktop
import Log
import Logging
import Platform
import Screen
import Store

/// What lives as long as the daemon and needs nothing but its parts.
extension DaemonProgram {
    var ownJobs: [Job] {
        [
            Job("store") { [core] in for await damage in core.store.damage { throw damage } },
            Job("accounts") { [accountServices] in try await accountServices.keeper.run() },
            enduringJob("unread outbox") { [self] in try await tellOfUnreadOutbox() },
            Job("clicks") { [desktop] in try await desktop.clicks.run(desktop.notifier.events) },
            Job("status") { [reporter] in try await reporter.run() },
            Job("watchdog") { [reporter] in try await reporter.keepAlive() },
            enduringJob("activity") { [accountServices] in try await accountServices.pinger.run() },
            Job("avatars") { [desktop] in try await desktop.avatars.run() },
            Job("housekeeping") { [core] in try await core.housekeeping.run() },
            Job("idle memory") { [core] in
                try await IdleMemory(head: core.ingest.head, surroundings: core.surroundings) {
                    core.store.settle()
                    Memory.giveBack()
                }
                .run()
            },
            Job("secrets") { [accountServices] in try await accountServices.secretMover.run() },
            enduringJob("announcer") { [desktop] in try await desktop.announcer.run() },
            enduringJob("hooks") { [hook] in try await hook.run() },
            enduringJob("holds") { [desktop] in try await desktop.holdReporter.run() },
            enduringJob("questions") { [desktop] in try await desktop.questions.run() },
            enduringJob("outages") { [desktop] in try await desktop.outages.run() },
            enduringJob("services") { [access] in try await access.run() },
            enduringJob("sign-in") { [signInNotice] in try await signInNotice.run() },
            enduringJob("consent") { [consentQuestion] in try await consentQuestion.run() },
        ]
    }

    /// What listens to the machine.
    var watches: [Job] {
        [
            Job("clock") { [self] in
                // After a resume the network is not there yet; one that comes and goes is an outage all the same.
                try await revalidate(
                    because: "the clock jumped", first: { [desktop] in desktop.outages.restart() },
                    on: { try ClockJumps.watch() })
            },
            Job("network") { [self] in
                try await revalidate(because: "the network changed", on: { try NetworkChanges.watch() })
            },
            Job("time zone") { [self] in await reconsiderInAnotherZone() },
        ]
    }

    func enduringJob(_ name: String, _ body: @escaping @MainActor () async throws -> Void) -> Job {
        Job(name) { [core] in try await enduring(name, core.surroundings, core.logger, body) }
    }

    /// The one entry of all that makes connections doubtful.
    /// Where such events cannot be had, silence on the line still tells.
    private func revalidate(
        because reason: String, first prepare: () -> Void = {}, on watch: () throws -> AsyncStream<Void>
    ) async throws {
        let events: AsyncStream<Void>
        do { events = try watch() } catch {
            return core.logger.notice(
                "not told here", metadata: ["event": "\(reason)", "reason": "\(error)"])
        }
        for await _ in events {
            core.logger.info("starting the connections again", metadata: ["reason": "\(reason)"])
            prepare()
            // Pauses and quiet hours end by the wall clock.
            desktop.attention.reconsider()
            for unit in core.accounts.units { unit.feed.revalidate() }
        }
    }

    /// Quiet hours begin and end by the clock of the place.
    private func reconsiderInAnotherZone() async {
        let changes = TimeZoneChanges.follow { [core] failure in
            core.logger.warning(
                "the time zone cannot be watched; checking it at an interval",
                metadata: ["reason": "\(failure)"])
        }
        for await _ in changes { desktop.attention.reconsider() }
    }
}

/// Something with a life of its own. It ends when it is cancelled.
struct Job {
    let name: String
    let body: @MainActor () async throws -> Void

    init(_ name: String, _ body: @escaping @MainActor () async throws -> Void) {
        self.name = name
        self.body = body
    }
}
