import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// A local HTTP server.
struct Listener: Sendable {
    let host: String
    /// The TCP port of the server; 0 selects a free port.
    let port: Int
    var tls: SandboxOptions.TLSFiles?

    /// Serves requests until `stop` returns. If `stop` is `nil`, serves until SIGTERM or SIGINT.
    ///
    /// - Parameter onListening: called with the URL when the server is ready for connections.
    /// - Throws: `SandboxError`.
    func serve(
        _ router: Router<BasicRequestContext>, until stop: (@Sendable () async -> Void)?,
        onListening: @escaping @Sendable (String) async -> Void
    ) async throws {
        let application = Application(
            router: router, server: try makeTransport(),
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                await onListening(url(port: channel.localAddress?.port ?? port))
            }, logger: Self.logger)
        var services = [Entry(service: application)]
        if let stop {
            let end = StopService(stop: stop)
            services.append(Entry(service: end, successTerminationBehavior: .gracefullyShutdownGroup))
        }
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: stop == nil ? [.sigterm, .sigint] : [],
            logger: Logger(label: "cutie-sandbox") { _ in SwiftLogNoOpLogHandler() })
        // Without this limit, a client that does not read its stream could block the shutdown forever.
        configuration.maximumGracefulShutdownDuration = .milliseconds(500)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            throw makeListenError(from: error)
        }
    }

    private typealias Entry = ServiceGroupConfiguration.ServiceConfiguration

    private func url(port: Int) -> String {
        "\(tls == nil ? "http" : "https")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    private func makeTransport() throws -> HTTPServerBuilder {
        guard let files = tls else { return .http1() }
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

    private func makeListenError(from error: IOError) -> SandboxError {
        let address = "\(host):\(port)"
        if error.errnoCode == EADDRINUSE {
            return SandboxError(
                .addressInUse,
                "\(address) is in use; stop the program that listens there, or specify another --port")
        }
        return SandboxError(.cannotListen, "cannot listen on \(address): \(error)")
    }

    /// The logger of internal errors, which writes to standard error. Requests and tokens are not logged.
    private static let logger: Logger = {
        var logger = Logger(label: "cutie-sandbox") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        return logger
    }()
}

/// A service that shuts down its service group when `stop` returns.
private struct StopService: Service {
    let stop: @Sendable () async -> Void

    func run() async throws { await stop() }
}
