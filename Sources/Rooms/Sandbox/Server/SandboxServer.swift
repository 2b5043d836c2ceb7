import CutieAPI
import Hummingbird

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
        let client = try await archive.adoptClient(options.client)
        try await archive.change { [options] in try $0.database.set("app_id", to: options.appIDs.first ?? "")
        }
        let routes = Routes(options: options, archive: archive, signer: try await archive.signer())
        let listener = Listener(host: options.host, port: options.port, tls: options.tls)
        try await listener.run(routes.router(), until: stop) { url in
            await onListening(SandboxAddress(url: url, client: client))
        }
    }
}

/// Where a sandbox listens, and what its admin proves himself with.
public struct SandboxAddress: Hashable, Sendable {
    public let url: String
    public let client: OAuthClient
}
