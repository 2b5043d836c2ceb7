import Accounts
import Config
import ControlServer
import Desktop
import Glibc
import Identity
import Logging
import NotificationPolicy
import Notifications
import Platform
import Reasons
import Store
import Systemd
import VarlinkSocket

extension DaemonProgram {
    /// Runs the daemon until a signal ends it. Throws `StartFailure` if the daemon cannot run.
    public static func run(_ options: DaemonOptions) async throws {
        Memory.shareHeapAcrossThreads()
        let signals = try openSignalQueue()
        let threshold = LogThreshold(options.level ?? .info)
        let destination = LogDestination(environment: options.environment)
        LoggingSystem.bootstrap { _ in JournalLogHandler(threshold: threshold, destination: destination) }
        let paths = Paths(environment: options.environment)
        let source = ConfigurationSource(paths: paths, options: options)
        let configuration = try loadConfiguration(from: source)
        let settings = Settings(configuration, options: options)
        threshold.level = settings.logLevel
        do {
            let directory = try PrivateDirectory(making: paths.stateDirectory)
            let lock = try StateLock(in: directory)
            let opening = try MessageStore.open(directory: directory.path)
            if let aside = opening.setAside { Logger(label: Product.name).error("\(aside.reason)") }
            // Raise the soft limit, because a thousand clients need more open files than the usual soft limit
            // allows.
            _ = OpenFileLimit.raise(to: 4096)
            var place: String?
            let listener = try ListeningSocket(for: .control, of: paths, at: &place)
            let program = try DaemonProgram(
                accounts: configuration.accounts, settings: settings, source: source, store: opening.store,
                threshold: threshold)
            do {
                try await program.serve(on: listener, atPath: place, handlingSignalsFrom: signals)
            } catch let error
                as StoreError
            {
                if error.code == .moved {
                    await program.desktop.screen.closeAllAfterDatabaseLoss()
                    LostDatabaseCleanup(store: opening.store).closeAndRemoveWAL()
                }
                throw Self.renameCorruptDatabase(of: opening.store, in: directory.path, after: error)
            }
            _ = consume lock
        } catch let error as StartFailure {
            throw error
        } catch let error as SecretFailure {
            throw StartFailure.invalidConfiguration(error.reason)
        } catch {
            throw StartFailure(Reason(describing: error))
        }
    }

    /// Renames the database if it is corrupt, so that the restarted daemon does not fail again.
    /// Returns the
    /// error to report.
    private static func renameCorruptDatabase(
        of store: MessageStore, in directory: String, after error: StoreError
    ) -> any Error {
        guard error.code == .damaged else { return error }
        store.close()
        do {
            let aside = try MessageStore.replaceIfDamaged(directory: directory)
            return StartFailure(aside.map { Reason.text($0.reason) } ?? error.reason)
        } catch { return error }
    }

    /// Loads the configuration. On failure, rejects the clients that wait at systemd's sockets; otherwise,
    /// systemd would start the daemon for these clients again and again.
    private static func loadConfiguration(from source: ConfigurationSource) throws -> Configuration {
        do { return try source.loadAtStartup() } catch {
            InheritedSockets.rejectPendingConnections()
            throw error
        }
    }

    /// Opens the signal descriptor. Must run before any thread starts and before READY is sent; otherwise, a
    /// SIGHUP immediately after READY would end the process.
    private static func openSignalQueue() throws -> SignalQueue {
        do { return try SignalQueue([SIGTERM, SIGINT, SIGHUP]) } catch {
            throw StartFailure(Reason(describing: error))
        }
    }

    /// Runs all jobs in one task group, so that a cancellation shuts down the daemon. `path`: the path of
    /// the socket; `nil` if the socket has no path.
    private func serve(
        on listener: consuming ListeningSocket, atPath path: String?, handlingSignalsFrom signals: SignalQueue
    ) async throws {
        let server = try controlService.makeServer(on: listener, logger: core.logger)
        reporter.reportReady()
        core.logger.notice("ready", metadata: ["version": "\(Product.version)"])
        if core.accounts.units.isEmpty {
            core.logger.notice(
                "no App ID is configured: the daemon waits for links and apps",
                metadata: ["advice": "run `cutied setup`, or open the link of an app"])
        }
        if !Notifier.isInstalled {
            core.logger.notice(
                "libnotify is not installed: no notification is shown",
                metadata: ["advice": "sudo apt install libnotify4"])
        }
        var jobs = [
            Job("control") { try await server.run() },
            Job("signals") { [self] in try await handleSignals(from: signals) },
        ]
        if let path { jobs.append(makeSocketMonitorJob(for: server, at: path)) }
        jobs += makeAccessJobs()
        try await run(jobs + coreJobs + watchJobs)
        manager.notifyStopping()
        core.logger.notice("stopped")
    }

    private var controlService: ControlService {
        ControlService(
            ingest: core.ingest, accounts: core.accounts, screen: desktop.screen,
            notificationController: desktop.notificationController, presence: core.presence,
            secrets: core.machine.secrets,
            questions: desktop.questions,
            consent: accountServices.consent,
            handOver: accountServices.handOver, added: accountServices.added, access: access,
            openings: core.openings,
            runtime: core.runtime,
            marksDisplayedAsRead: { [opener = desktop.opener] in opener.marksRead },
            reload: { [self] in try reloadConfiguration() })
    }

    /// Runs the jobs until a job fails or a signal ends the program.
    private func run(_ jobs: [Job]) async throws {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for job in jobs {
                    group.addTask { [logger = core.logger] in
                        do { try await job.body() } catch
                            where !(error is CancellationError || error is DaemonStopped)
                        {
                            logger.critical("ends", metadata: ["job": "\(job.name)", "reason": "\(error)"])
                            throw error
                        }
                    }
                }
            }
        } catch is DaemonStopped {}
    }

    /// The error that ends the jobs after a signal. Not a failure of the program.
    private struct DaemonStopped: Error {}

    /// Handles signals. SIGTERM and SIGINT end the program: throws `DaemonStopped`. SIGHUP reloads the
    /// configuration; if the configuration is invalid, `reloadConfiguration` logs the error and the previous
    /// configuration stays in use.
    private func handleSignals(from signals: SignalQueue) async throws {
        while try await signals.waitForNext() == SIGHUP {
            manager.notifyReloading()
            try? reloadConfiguration()
            reporter.reportReady()
        }
        throw DaemonStopped()
    }
}
