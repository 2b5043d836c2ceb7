import AccessMethods
import AccessServer
import Accounts
import ControlServer
import EventLog
import Logging
import Platform
import Services
import Varlink
import VarlinkSocket

// MARK: - The socket for apps on this desktop

extension DaemonProgram {
    /// Returns the jobs of the access socket. If the socket cannot be opened, returns no jobs, because
    /// replies must work without the access socket.
    func makeAccessJobs() -> [Job] {
        do {
            var place: String?
            let listener = try ListeningSocket(for: .access, of: core.source.paths, at: &place)
            let server = try makeAccessServer(on: listener)
            let job = makeRetryingJob(named: "access") { try await server.run() }
            return [job] + (place.map { [makeSocketMonitorJob(for: server, at: $0)] } ?? [])
        } catch {
            core.logger.warning("apps cannot reach the daemon", metadata: ["reason": "\(error)"])
            return []
        }
    }

    private func makeAccessServer(on listener: consuming ListeningSocket) throws -> Server {
        let runtime = core.runtime
        let service = AccessService(
            hostApps: hostApps, services: ServiceAccess(provider: access),
            clock: .init(uptime: { runtime.uptime }, sleep: { try await runtime.sleep(for: $0) }),
            isEnabled: { [weak self] in self?.offersAccess == true })
        return try service.makeServer(
            on: listener,
            information: .init(
                vendor: "cutied", product: Product.name, version: Product.version,
                url: "https://github.com/cutied/cutied"),
            onEvent: { [logger = core.logger] in
                logger.notice("access socket", metadata: ["event": "\($0)"])
            },
            onFailure: { [logger = core.logger] in
                logger.error("an app's call failed", metadata: ["reason": "\($0)"])
            })
    }

    private var hostApps: HostApps {
        let service = HostAppService(
            ingest: core.ingest, accounts: core.accounts, questions: desktop.questions,
            added: accountServices.added, handOver: accountServices.handOver,
            consent: accountServices.consent,
            openings: core.openings,
            desktop: .init(opener: desktop.opener, environment: core.environment),
            runtime: core.runtime)
        return HostApps(
            service: service, ingest: core.ingest, accounts: core.accounts, presence: core.presence,
            runtime: core.runtime)
    }

    /// Returns the job that restores the file of a socket if the file is deleted.
    func makeSocketMonitorJob(for server: Server, at path: String) -> Job {
        let monitor = SocketMonitor(
            path: path, server: server, runtime: core.runtime, logger: core.logger)
        return Job("socket") { try await monitor.run() }
    }
}
