import Synchronization
import Varlink
import VarlinkSocket

/// What answers the example interface, and what a test wants to know of it.
final class ExampleService: Sendable {
    struct Seen {
        var echoed: [String] = []
        var suspended = 0
        var resumed = 0
        var cancelled = 0
        var flooded = 0
        var notices: [Notice] = []
    }

    private struct Odd: Error {}

    private let seen = Mutex(Seen())
    private let (releases, release) = AsyncStream.makeStream(of: Void.self)

    var now: Seen { seen.withLock { $0 } }

    /// Lets one suspended handler go on.
    func releaseOne() { release.yield() }

    func notice(_ notice: Notice) { seen.withLock { $0.notices.append(notice) } }

    func implementation(
        admitting admit: @escaping @Sendable (Call) throws -> Void = { _ in }
    ) throws -> Implementation {
        Implementation(interface: try Interface(parsing: Example.text), admitting: admit)
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

    /// Sends without end; each reply is 64 KiB.
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
