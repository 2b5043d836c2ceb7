package import EventLog
import FeedPolicy
package import Logging
import Platform
package import VarlinkSocket

/// Restores a socket whose file was deleted.
///
/// systemd does not detect that the file of its socket was deleted, and a bound descriptor cannot be bound to
/// a path again. So the daemon binds a new socket to the path, and uses this socket until the socket unit is
/// restarted.
package struct SocketMonitor {
    let path: String
    let server: Server
    let runtime: RuntimeEnvironment
    let logger: Logger
    let watch: (String) throws -> AsyncStream<Void>

    package init(
        path: String, server: Server, runtime: RuntimeEnvironment, logger: Logger,
        watch: @escaping (String) throws -> AsyncStream<Void> = { try FileRemovals.watch($0) }
    ) {
        (self.path, self.server) = (path, server)
        (self.runtime, self.logger, self.watch) = (runtime, logger, watch)
    }

    /// The interval of checks if the directory of the socket cannot be watched.
    static let interval: Duration = .seconds(30)

    package func run() async throws {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(300))
        var canWatch = true
        while true {
            do {
                try await bindAndWaitForRemoval(lastWatchSucceeded: &canWatch)
                backoff.reset()
                continue
            } catch let failure as SystemFailure {
                reportFailure(failure)
            } catch let failure as SocketFailure {
                reportFailure(failure)
            } catch let error as StaleSocketError {
                reportFailure(error)
            }
            try await runtime.sleep(for: backoff.nextDelay(random: runtime.random()))
        }
    }

    /// Creates the socket if it is missing, and then waits until the socket file may have been removed.
    ///
    /// - Parameter lastWatchSucceeded: whether the last attempt to watch the socket succeeded. Updated by
    /// this function.
    private func bindAndWaitForRemoval(lastWatchSucceeded: inout Bool) async throws {
        // Bind a missing socket before the watch starts, because the watch needs the directory. Bind again
        // after the watch has started, because the watch does not report earlier removals.
        try bindIfMissing()
        guard let removals = makeRemovalStream(lastWatchSucceeded: &lastWatchSucceeded) else {
            return try await runtime.sleep(for: Self.interval)
        }
        try bindIfMissing()
        for await _ in removals { return }
        try Task.checkCancellation()
    }

    /// Returns a stream that reports when the socket is removed; `nil` if the socket cannot be watched, for
    /// example because the user's inotify instances are exhausted.
    /// Updates `lastWatchSucceeded`, and logs a failure only if `lastWatchSucceeded` was `true`.
    private func makeRemovalStream(lastWatchSucceeded: inout Bool) -> AsyncStream<Void>? {
        do {
            let removals = try watch(path)
            lastWatchSucceeded = true
            return removals
        } catch {
            if lastWatchSucceeded {
                logger.warning(
                    "the socket cannot be watched; checking it periodically",
                    metadata: ["path": "\(path)", "interval": "\(Self.interval)", "reason": "\(error)"])
            }
            lastWatchSucceeded = false
            return nil
        }
    }

    private func bindIfMissing() throws {
        guard !SocketProbe.hasListener(at: path) else { return }
        try server.switchListeningSocket(to: ListeningSocket(replacing: path))
        logger.notice("the socket was removed and was created again", metadata: ["path": "\(path)"])
    }

    private func reportFailure(_ error: any Error) {
        logger.warning(
            "the socket was removed and cannot be created again",
            metadata: ["path": "\(path)", "reason": "\(error)"])
    }
}

extension ListeningSocket {
    /// Takes over a path: removes the socket of a daemon that was killed, and binds a new socket. The caller
    /// must hold the state lock.
    package init(replacing path: String) throws {
        try StaleSocket.remove(at: path)
        try self.init(bindingTo: path)
    }
}
