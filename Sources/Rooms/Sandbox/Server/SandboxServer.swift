import CutieAPI
import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// The Cuti-E API for development: all of it, on this machine, forgetting or keeping as asked.
public struct SandboxServer: Sendable {
    private let options: SandboxOptions
    private let archive: Archive

    /// Opens the database. Throws `SandboxError`.
    public init(_ options: SandboxOptions) throws {
        self.options = options
        archive = try Archive(path: options.database, keptEvents: options.keptEvents)
    }

    /// Serves until `stop` returns, or where it is nil until SIGTERM or SIGINT. Open streams end within half
    /// a second. `onListening` is called once connections are accepted. Throws `SandboxError`.
    public func run(
        until stop: (@Sendable () async -> Void)? = nil,
        onListening: @escaping @Sendable (SandboxAddress) async -> Void
    ) async throws {
        var services = [Entry(service: try await application(onListening))]
        if let stop {
            let end = StopService(stop: stop)
            services.append(Entry(service: end, successTerminationBehavior: .gracefullyShutdownGroup))
        }
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: stop == nil ? [.sigterm, .sigint] : [],
            logger: Logger(label: "cutie-sandbox") { _ in SwiftLogNoOpLogHandler() })
        // A client that does not read its stream would keep the server for ever.
        configuration.maximumGracefulShutdownDuration = .milliseconds(500)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            throw refusedToListen(error)
        }
    }

    private typealias Entry = ServiceGroupConfiguration.ServiceConfiguration

    private func application(
        _ onListening: @escaping @Sendable (SandboxAddress) async -> Void
    ) async throws -> some ApplicationProtocol {
        let client = try await archive.adoptClient(options.client)
        try await archive.change { [options] in try $0.database.set("app_id", to: options.appIDs.first ?? "")
        }
        let routes = Routes(options: options, archive: archive, signer: try await archive.signer())
        return Application(
            router: routes.router(),
            server: try transport(),
            configuration: .init(address: .hostname(options.host, port: options.port)),
            onServerRunning: { [options] channel in
                let port = channel.localAddress?.port ?? options.port
                await onListening(SandboxAddress(options: options, port: port, client: client))
            },
            logger: Self.logger)
    }

    private func transport() throws -> HTTPServerBuilder {
        guard let files = options.tls else { return .http1() }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
            let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            tls.applicationProtocols = ["http/1.1"]
            return try .tls(.http1(), tlsConfiguration: tls)
        } catch {
            throw SandboxError(
                .badCertificate, "cannot use \(files.certificate) and \(files.key) for TLS: \(error)")
        }
    }

    private func refusedToListen(_ error: IOError) -> SandboxError {
        let address = "\(options.host):\(options.port)"
        if error.errnoCode == EADDRINUSE {
            return SandboxError(
                .addressInUse, "\(address) is in use; stop what listens there or give another --port")
        }
        return SandboxError(.cannotListen, "cannot listen on \(address): \(error)")
    }

    /// Only what went wrong inside, to stderr: requests and tokens are nobody's business.
    private static let logger: Logger = {
        var logger = Logger(label: "cutie-sandbox") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        return logger
    }()
}

/// Ends the group when its closure returns.
private struct StopService: Service {
    let stop: @Sendable () async -> Void

    func run() async throws { await stop() }
}

/// Where a sandbox listens, and what its admin proves himself with.
public struct SandboxAddress: Hashable, Sendable {
    public let url: String
    public let client: OAuthClient

    init(options: SandboxOptions, port: Int, client: OAuthClient) {
        let scheme = options.tls == nil ? "http" : "https"
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        url = "\(scheme)://\(host):\(port)"
        self.client = client
    }
}
