import TestSupport
import Varlink
import VarlinkSocket

/// A server of the example interface for the time of one test.
struct RunningServer {
    let path: String
    let service: ExampleService

    func client() async throws -> Client { try await Client(path: path, faults: Example.faults) }

    static func with(
        limits: Limits = Limits(), policy: PeerPolicy = .sameUser,
        admitting admit: @escaping @Sendable (Call) throws -> Void = { _ in },
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let service = ExampleService()
        let server = try Server(
            listener: try ListeningSocket(bindingTo: path),
            information: .init(vendor: "v", product: "p", version: "1", url: "u"),
            implementations: [try service.implementation(admitting: admit)],
            peerPolicy: policy, limits: limits,
            fault: { Example.Failed(reason: "\($0)") }, notice: { service.notice($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await server.run() }
            try await body(RunningServer(path: path, service: service))
        }
        withExtendedLifetime(directory) {}
    }
}
