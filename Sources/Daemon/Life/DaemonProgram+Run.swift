import Config
import ControlAPI
import Desktop
import Glibc
import Identity
import Logging
import Platform
import Store
import VarlinkSocket

extension DaemonProgram {
    /// `FileDescriptorName=` of cutied.socket.
    fileprivate static let activationName = "varlink"

    /// Runs until a signal ends it. Throws `StartFailure` where it cannot start.
    public static func run(_ options: DaemonOptions) async throws {
        Heap.share()
        let signals = try takeSignals()
        let threshold = LogThreshold(options.level ?? .info)
        let destination = LogDestination(environment: options.environment)
        LoggingSystem.bootstrap { _ in JournalLogHandler(threshold: threshold, destination: destination) }
        let paths = Paths(environment: options.environment)
        let source = ConfigurationSource(paths: paths, options: options)
        let configuration = try loadOrTurnAway(source)
        threshold.level = options.level ?? configuration.level
        do {
            let directory = try PrivateDirectory(making: paths.stateDirectory)
            let lock = try StateLock(in: directory)
            let opening = try Store.open(directory: directory.path)
            if let aside = opening.setAside { Logger(label: Product.name).error("\(aside.reason)") }
            // A thousand clients do not fit into the usual soft limit.
            _ = OpenFileLimit.raise(to: 4096)
            let listener = try ListeningSocket(for: paths)
            let program = try DaemonProgram(
                configuration, source: source, store: opening.store, threshold: threshold)
            try await program.serve(listener, until: signals)
            _ = consume lock
        } catch let error as StartFailure {
            throw error
        } catch let error as SecretFailure {
            throw StartFailure.configuration("\(error)")
        } catch {
            throw StartFailure(1, "\(error)")
        }
    }

    /// Who waits at systemd's socket must not make it start an unconfigured daemon again and again.
    private static func loadOrTurnAway(_ source: ConfigurationSource) throws -> Configuration {
        do { return try source.load() } catch {
            try? ActivationSocket.take(named: activationName)?.turnAway()
            throw error
        }
    }

    /// Before any thread starts, and before READY: a reload that follows it at once would kill us.
    private static func takeSignals() throws -> SignalInbox {
        do { return try SignalInbox([SIGTERM, SIGINT, SIGHUP]) } catch { throw StartFailure(1, "\(error)") }
    }

    /// Everything with a life, in one group: cancelling it is the shutdown.
    private func serve(_ listener: consuming ListeningSocket, until signals: SignalInbox) async throws {
        let service = ControlService(
            ingest: ingest, accounts: accounts, announcer: announcer, switches: switches,
            secrets: machine.secrets, questions: questions, consent: consent, handOver: handOver,
            added: added,
            surroundings: surroundings, reload: { [self] in try reload() })
        let server = try service.server(on: listener, logger: logger)
        let reporter = Reporter(service: service, manager: manager)
        let clicks = Clicks(
            announcer: announcer, accounts: accounts, opener: opener, others: [questions, disconnection],
            logger: logger)
        let pinger = ActivityPinger(
            consent: consent, accounts: accounts, ingest: ingest, transport: transport, logger: logger)
        let jobs = [
            Job("control") { try await server.run() },
            Job("accounts") { [keeper] in try await keeper.run() },
            Job("announcer") { [self] in
                try await enduring("announcer", surroundings, logger) { try await announcer.run() }
            },
            Job("hooks") { [self] in
                try await enduring("hooks", surroundings, logger) { try await hook.run() }
            },
            Job("avatars") { [avatars] in try await avatars.run() },
            Job("clicks") { [notifier] in try await clicks.run(notifier.events) },
            Job("questions") { [self] in
                try await enduring("questions", surroundings, logger) { try await questions.run() }
            },
            Job("disconnection") { [self] in
                try await enduring("disconnection", surroundings, logger) { try await disconnection.run() }
            },
            Job("consent") { [self] in
                try await enduring("consent", surroundings, logger) { try await consent.run() }
            },
            Job("activity") { [self] in
                try await enduring("activity", surroundings, logger) { try await pinger.run() }
            },
            Job("status") { try await reporter.run() },
            Job("watchdog") { try await reporter.keepAlive() },
            Job("housekeeping") { [housekeeping] in try await housekeeping.run() },
            Job("secrets") { [secretMover] in try await secretMover.run() },
            Job("signals") { [self] in try await obey(signals, reporter) },
            Job("clock") { [self] in
                // After a resume the network is not there yet; one that comes and goes is an outage all the same.
                try await revalidate(
                    because: "the clock jumped", first: { [disconnection] in disconnection.restart() },
                    on: { try ClockJumps.watch() })
            },
            Job("network") { [self] in
                try await revalidate(because: "the network changed", on: { try NetworkChanges.watch() })
            },
            Job("time zone") { [self] in await reconsiderInAnotherZone() },
        ]
        reporter.ready()
        logger.notice("ready", metadata: ["version": "\(Product.version)"])
        try await run(jobs)
        manager.stopping()
        logger.notice("stopped")
    }

    /// Until one of them ends the program or fails.
    private func run(_ jobs: [Job]) async throws {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for job in jobs {
                    group.addTask { [logger] in
                        do { try await job.body() } catch
                            where !(error is CancellationError || error is Ended)
                        {
                            logger.critical("ends", metadata: ["job": "\(job.name)", "reason": "\(error)"])
                            throw error
                        }
                    }
                }
            }
        } catch is Ended {}
    }

    /// A signal ended the program, as it should.
    private struct Ended: Error {}

    /// Throws `Ended` on a signal that ends the program. SIGHUP reads the configuration again: a refused one
    /// was told in the log, and the old one stays.
    private func obey(_ signals: SignalInbox, _ reporter: Reporter) async throws {
        while try await signals.next() == SIGHUP {
            manager.reloading()
            try? reload()
            reporter.ready()
        }
        throw Ended()
    }

    /// The one entry of all that makes connections doubtful.
    /// Where such events cannot be had, silence on the line still tells.
    private func revalidate(
        because reason: String, first prepare: () -> Void = {}, on watch: () throws -> AsyncStream<Void>
    ) async throws {
        let events: AsyncStream<Void>
        do { events = try watch() } catch {
            return logger.notice("not told here", metadata: ["event": "\(reason)", "reason": "\(error)"])
        }
        for await _ in events {
            logger.info("starting the connections again", metadata: ["reason": "\(reason)"])
            prepare()
            // Pauses and quiet hours end by the wall clock.
            announcer.reconsider()
            for unit in accounts.units { unit.feed.revalidate() }
        }
    }
}

extension DaemonProgram {
    /// Quiet hours begin and end by the clock of the place.
    fileprivate func reconsiderInAnotherZone() async {
        do {
            for await _ in try TimeZoneChanges.watch() { announcer.reconsider() }
        } catch {
            logger.notice("not told here", metadata: ["event": "another time zone", "reason": "\(error)"])
        }
    }
}

extension ListeningSocket {
    /// systemd's, where it hands one over; else our own. The state lock is held: a socket at the path is stale.
    fileprivate init(for paths: Paths) throws {
        if let activated = try ActivationSocket.take(named: DaemonProgram.activationName) {
            try self.init(adopting: activated.release())
        } else {
            let path = try paths.controlSocket()
            try StaleSocket.remove(at: path)
            try self.init(bindingTo: path)
        }
    }
}
