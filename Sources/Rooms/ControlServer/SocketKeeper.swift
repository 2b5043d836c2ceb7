import Inbox
package import Log
package import Logging
import Platform
package import VarlinkSocket

/// Keeps a socket where people and scripts look for it: a file that somebody deletes comes back.
///
/// systemd does not notice that the file of its socket is gone, and nobody can give it another: the daemon then
/// listens there itself, until the socket's unit is started again.
package struct SocketKeeper {
    let path: String
    let server: Server
    let surroundings: Surroundings
    let logger: Logger

    package init(path: String, server: Server, surroundings: Surroundings, logger: Logger) {
        (self.path, self.server) = (path, server)
        (self.surroundings, self.logger) = (surroundings, logger)
    }

    package func run() async throws {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(300))
        while true {
            do {
                try await keepUntilRemoved()
                backoff.reset()
                continue
            } catch let failure as SystemFailure {
                tell(failure)
            } catch let failure as SocketFailure {
                tell(failure)
            } catch let error as StaleSocketError {
                tell(error)
            }
            try await surroundings.sleep(backoff.next(random: surroundings.random()))
        }
    }

    private func keepUntilRemoved() async throws {
        // Before the watch, which needs the directory, and after it: what happened before is not told.
        try bindWhereMissing()
        let removals = try FileRemovals.watch(path)
        try bindWhereMissing()
        for await _ in removals { return }
        try Task.checkCancellation()
    }

    private func bindWhereMissing() throws {
        guard !SocketProbe.isTaken(path) else { return }
        try StaleSocket.remove(at: path)
        try server.move(to: ListeningSocket(bindingTo: path))
        logger.notice("the socket was removed; it is back", metadata: ["path": "\(path)"])
    }

    private func tell(_ error: any Error) {
        logger.warning(
            "the socket was removed and cannot be made again",
            metadata: ["path": "\(path)", "reason": "\(error)"])
    }
}
