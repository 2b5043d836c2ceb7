import ControlAPI
import Varlink
public import VarlinkSocket

/// A real control socket whose replies the test defines.
public struct StandInDaemon: Sendable {
    public let directory: TemporaryDirectory
    public var socket: String { directory.file("control.sock") }

    public init() throws { directory = try TemporaryDirectory() }

    /// Serves the methods in `answers` while `body` runs.
    public func running(
        _ answers: (consuming Implementation) -> Implementation, while body: () async throws -> Void
    ) async throws {
        let interfaces = try ControlSocket.interfaces.map { try VarlinkInterface(parsing: $0.description) }
        let service = try Service(
            information: .init(vendor: "test", product: "test", version: "0", url: ""),
            interfaces: interfaces, implementations: [answers(Implementation())], allowsMissing: true,
            fault: { Failed(reason: "\($0)") })
        let server = Server(listener: try ListeningSocket(bindingTo: socket), service: service)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
