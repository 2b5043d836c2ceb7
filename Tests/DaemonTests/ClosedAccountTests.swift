import Config
import CutieAPI
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct ClosedAccountTests {
    /// The rest of the daemon would end with it.
    @Test func `An event for an account that was closed a moment ago ends nothing else`() async throws {
        let api = OneEventAPI()
        let server = try RawServer { connection, _ in api.serve(connection) }
        let desk = try Desk()
        let accounts = Accounts(store: desk.store)
        let keeper = try desk.keeper(of: accounts)
        var configuration = try AccountConfiguration.sample(at: server.url)
        try keeper.apply([configuration])
        let unit = try #require(accounts.units.first)
        try await running(keeper.run) {
            try await eventually("connected by stream") { unit.feed.status.transport == "stream" }
            try desk.ingest.open(only: [])
            api.event.signal()
            try await eventually("the stream is ended") { api.endedStreams == 1 }
            configuration.userName = "Bob"
            try keeper.apply([configuration])
            try await eventually("the next configuration is connected") {
                accounts.units.first?.feed.status.transport == "stream"
            }
        }
    }
}

/// An API whose streams send one event when a test says so.
private final class OneEventAPI: Sendable {
    let event = DispatchSemaphore(value: 0)
    private let ended = Mutex(0)

    var endedStreams: Int { ended.withLock { $0 } }

    func serve(_ connection: RawConnection) {
        while let request = connection.readRequest() {
            if request.line.contains("/v1/events/stream") { return stream(connection) }
            connection.answer(body: #"{"device_token":"token","conversations":[],"total_unread":0}"#)
        }
    }

    private func stream(_ connection: RawConnection) {
        connection.write(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        connection.writeChunk(": hello\n\n")
        event.wait()
        event.signal()
        let event = #"{"id":"e1","type":"badge","created_at":1,"data":{"total_unread":0}}"#
        connection.writeChunk("id: e1\nevent: badge\ndata: \(event)\n\n")
        connection.waitForClose()
        ended.withLock { $0 += 1 }
    }
}
