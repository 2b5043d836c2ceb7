import CutieAPI
import Hummingbird

/// A local server for development that implements the complete Cuti-E API. Stores its data in memory or in a
/// file.
public struct SandboxServer: Sendable {
    private let options: SandboxOptions
    private let archive: Archive

    /// Opens the database.
    ///
    /// - Throws: `SandboxError`.
    public init(_ options: SandboxOptions) throws {
        self.options = options
        archive = try Archive(path: options.database, retainedEvents: options.retainedEvents)
    }

    /// Serves requests until `stop` returns. If `stop` is `nil`, serves until SIGTERM or SIGINT. Closes open
    /// streams within 0.5 seconds.
    ///
    /// - Parameter onListening: called when the server is ready for connections.
    /// - Throws: `SandboxError`.
    public func run(
        until stop: (@Sendable () async -> Void)? = nil,
        onListening: @escaping @Sendable (SandboxAddress) async -> Void
    ) async throws {
        let client = try await archive.findOrStoreClient(preferring: options.client)
        try await archive.change { [options] in
            try $0.database.storeSetting("app_id", value: options.appIDs.first ?? "")
        }
        let routes = Routes(options: options, archive: archive, signer: try await archive.loadSigner())
        let listener = Listener(host: options.host, port: options.port, tls: options.tls)
        try await listener.serve(routes.makeRouter(), until: stop) { url in
            await onListening(SandboxAddress(url: url, client: client))
        }
    }
}

/// The address of a sandbox and the credentials of its admin.
public struct SandboxAddress: Hashable, Sendable {
    public let url: String
    public let client: OAuthClient
}
