import Foundation
import Platform
import TestSupport
import Testing
import VarlinkSocket

@testable import ControlServer
@testable import EventLog

@MainActor
struct SocketMonitorTests {
    @Test func `A socket whose file cannot be watched is checked every 30 s, and the error is logged once`()
        async throws
    {
        let fixture = try IngestFixture(.never)
        let path = fixture.directory.file("control.sock")
        let server = try fixture.controlService().makeServer(
            on: ListeningSocket(bindingTo: path), logger: .silent)
        let log = RecordingLog()
        let error = SystemFailure(call: "inotify_init1", code: EMFILE)
        let monitor = SocketMonitor(
            path: path, server: server, runtime: fixture.runtime, logger: log.logger,
            watch: { _ in throw error })
        try await race({ try await server.run() }, { try await monitor.run() }) {
            for _ in 0..<3 {
                try await eventually("the timer is set") { fixture.time.sleeps.contains(.seconds(30)) }
                try FileManager.default.removeItem(atPath: path)
                fixture.time.pass(.seconds(30))
                try await eventually("the socket is back") { SocketProbe.hasListener(at: path) }
            }
        }
        let errors = log.lines.filter { $0.contains("Too many open files") }
        #expect(errors.count == 1)
        #expect(errors.first?.contains("the socket cannot be watched") == true)
        #expect(log.lines.count { $0.contains("was removed and was created again") } == 3)
        #expect(!log.lines.contains { $0.contains("cannot be created again") })
    }
}
