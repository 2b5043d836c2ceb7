import Glibc
import Synchronization
import TestSupport
import Varlink
import VarlinkSocket

/// An interface with one method for each kind of reply.
enum Example {
    static let text = """
        interface org.example.test
        method Echo(text: string, count: ?int) -> (text: string)
        method Suspend() -> ()
        method Count(to: int) -> (number: int)
        method Flood() -> (text: string)
        method Fail(how: string) -> ()
        method Unwritten() -> ()
        error Broken (reason: string)
        error Failed (reason: string)
        """

    struct Echo: ExampleMethod {
        var text: String
        var count: Int?
        struct Reply: Codable, Hashable, Sendable { var text: String }
    }

    struct Suspend: ExampleMethod {
        struct Reply: Codable, Hashable, Sendable {}
    }

    struct Count: ExampleMethod {
        var to: Int
        struct Reply: Codable, Hashable, Sendable { var number: Int }
    }

    struct Flood: ExampleMethod {
        struct Reply: Codable, Hashable, Sendable { var text: String }
    }

    struct Fail: ExampleMethod {
        var how: String
        struct Reply: Codable, Hashable, Sendable {}
    }

    struct Unwritten: ExampleMethod {
        struct Reply: Codable, Hashable, Sendable {}
    }

    struct Broken: Fault, Hashable {
        static let name = "org.example.test.Broken"
        var reason: String
    }

    struct Failed: Fault, Hashable {
        static let name = "org.example.test.Failed"
        var reason: String
    }

    static let faults = FaultCatalog([Broken.self, Failed.self])
}

protocol ExampleMethod: Method {}

extension ExampleMethod {
    static var name: String { "org.example.test." + String(describing: Self.self) }
}

/// A service with handlers for the example interface. It records events for the tests.
final class ExampleService: Sendable {
    struct Seen {
        var echoed: [String] = []
        var suspended = 0
        var resumed = 0
        var cancelled = 0
        var flooded = 0
        var notices: [ServerEvent] = []
    }

    private struct Odd: Error {}

    private let seen = Mutex(Seen())
    private let (releases, release) = AsyncStream.makeStream(of: Void.self)

    var now: Seen { seen.withLock { $0 } }

    /// Resumes one suspended handler.
    func releaseOne() { release.yield() }

    func notice(_ notice: ServerEvent) { seen.withLock { $0.notices.append(notice) } }

    func served(admitting admit: @escaping @Sendable (Call, Peer) async throws -> Void = { _, _ in }) throws
        -> Service
    {
        try Service(
            information: .init(vendor: "v", product: "p", version: "1", url: "u"),
            interfaces: [VarlinkInterface(parsing: Example.text)], implementations: [implementation()],
            allowsMissing: true, admitting: admit, fault: { Example.Failed(reason: "\($0)") })
    }

    func implementation() -> Implementation {
        Implementation()
            .on(Example.Echo.self) { call in
                self.seen.withLock { $0.echoed.append(call.parameters.text) }
                return .init(text: String(repeating: call.parameters.text, count: call.parameters.count ?? 1))
            }
            .on(Example.Suspend.self) { _ in
                try await self.suspend()
                return .init()
            }
            .on(Example.Fail.self) { call in
                if call.parameters.how == "fault" { throw Example.Broken(reason: "as asked") }
                throw Odd()
            }
            .onStream(Example.Count.self) { call, stream in
                if call.parameters.to < 0 { return }
                for number in 0..<call.parameters.to {
                    try await stream.send(.init(number: number))
                }
                if call.parameters.to > 100 { throw Example.Broken(reason: "too far") }
                try await stream.send(.init(number: call.parameters.to), continues: false)
            }
            .onStream(Example.Flood.self) { _, stream in try await self.flood(stream) }
    }

    private func suspend() async throws {
        seen.withLock { $0.suspended += 1 }
        for await _ in releases { break }
        seen.withLock { Task.isCancelled ? ($0.cancelled += 1) : ($0.resumed += 1) }
        try Task.checkCancellation()
    }

    /// Sends replies of 64 KiB without end.
    private func flood(_ stream: ReplyStream<Example.Flood>) async throws {
        let text = String(repeating: "x", count: 65536)
        do {
            while true {
                try await stream.send(.init(text: text))
                seen.withLock { $0.flooded += 1 }
            }
        } catch {
            seen.withLock { $0.cancelled += 1 }
            throw error
        }
    }
}

/// A server of the example interface that runs while a test body runs.
struct RunningServer {
    let path: String
    let service: ExampleService

    func client() async throws -> Client { try await Client(path: path, faults: Example.faults) }

    static func with(
        limits: ServerLimits = ServerLimits(), policy: PeerPolicy = .sameUser,
        admitting admit: @escaping @Sendable (Call, Peer) async throws -> Void = { _, _ in },
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let service = ExampleService()
        let server = Server(
            listener: try ListeningSocket(bindingTo: path), service: try service.served(admitting: admit),
            peerPolicy: policy, limits: limits, onEvent: { service.notice($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await server.run() }
            try await body(RunningServer(path: path, service: service))
        }
        withExtendedLifetime(directory) {}
    }
}

let effectiveUser = geteuid()
let ownProcess = getpid()
