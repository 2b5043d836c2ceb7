import Logging
import ServiceLifecycle

/// Something with a life of its own in the service group. It ends when it is cancelled.
@MainActor
struct Job: Service {
    let name: String
    let body: @MainActor () async throws -> Void

    init(_ name: String, _ body: @escaping @MainActor () async throws -> Void) {
        self.name = name
        self.body = body
    }

    func run() async throws {
        do { try await body() } catch is CancellationError {}
    }
}
