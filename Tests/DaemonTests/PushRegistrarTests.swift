import CutieAPI
import Store
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct PushRegistrarTests {
    private static let register = "POST /v1/notifications/register"
    private static let unregister = "DELETE /v1/notifications/unregister"
    private static let token = PushToken(rawValue: String(repeating: "ab", count: 20))

    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `An address that meets a server which is busy is told again while the stream lives`()
        async throws
    {
        let busy: FickleAPI.Answer = ("503 Service Unavailable", ["Retry-After: 1"])
        let api = try FickleAPI([Self.register: busy, Self.unregister: busy])
        try await desk.atWork(with: api) { unit in
            #expect(try await !unit.push.want(Self.token, within: .seconds(5)))
            try await eventually("registered", within: .seconds(10)) {
                try unit.push.status()?.state == "registered"
            }
            #expect(try await !unit.push.want(nil, within: .seconds(5)))
            try await eventually("taken back", within: .seconds(10)) { try unit.push.status() == nil }
            #expect(api.streams == 1 && unit.push.failure == nil)
            #expect(api.count(Self.register) == 2 && api.count(Self.unregister) == 2)
        }
    }

    @Test func `A connection that is back does not tell it before the time that the server asked for`()
        async throws
    {
        let api = try FickleAPI([Self.register: ("429 Too Many Requests", ["Retry-After: 3600"])])
        try await desk.atWork(with: api) { unit in
            #expect(try await !unit.push.want(Self.token, within: .seconds(5)))
            unit.feed.revalidate()
            try await unit.connected(api, streams: 2)
            let id = try unit.outbox.enqueue(.message("words"), in: "c")
            try await eventually("something later is sent") {
                try desk.store.read { try $0.outboxItem(id) } == nil
            }
            #expect(api.count(Self.register) == 1)
            // A person who wants it anew asks at once.
            #expect(try await unit.push.want(Self.token, within: .seconds(5)))
        }
    }
}
