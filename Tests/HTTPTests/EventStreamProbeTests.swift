import Synchronization
import TestSupport
import Testing

/// Tests of the program `conformance sse`, run in the same way as by a conformance suite.
struct EventStreamProbeTests {
    @Test func `The probe reports events and errors, and reconnects as specified`() async throws {
        let requests = Mutex<[RawConnection.Request]>([])
        let server = try RawServer { connection, number in
            guard let request = connection.readRequest() else { return }
            requests.withLock { $0.append(request) }
            Self.script(connection, number)
        }
        let probe = try ChildProcess(
            try BuiltProduct.path(of: "conformance"),
            ["sse", server.url + "/x", "--delay-ms", "1", "-H", "A: b", "-X", "REPORT", "--body", "{}"])
        #expect(try await probe.waitForExit() == 0)
        #expect(probe.lines.count == 6)
        let expected = ["\"a\\nb\"", "\"comment\":", "error", "\"type\":\"x\"", "error", "204"]
        for (line, part) in zip(probe.lines, expected) { #expect(line.contains(part)) }
        let asked = requests.withLock(\.self)
        #expect(asked.map(\.line) == Array(repeating: "REPORT /x HTTP/1.1", count: 3))
        #expect(asked.map { $0.values(of: "Last-Event-ID") } == [[], ["7"], ["7"]])
        #expect(asked.allSatisfy { $0.body == Array("{}".utf8) && $0.values(of: "A") == ["b"] })
    }

    @Test func `Silence is reported as an error if the probe has a read timeout`() async throws {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            connection.waitForClose()
        }
        let probe = try ChildProcess(
            try BuiltProduct.path(of: "conformance"),
            ["sse", server.url, "--delay-ms", "1", "--read-timeout-ms", "200"])
        try await eventually("two errors and a third connection") {
            probe.lines.filter { $0.contains("\"error\"") }.count >= 2 && server.connectionCount >= 3
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

    private static func script(_ connection: RawConnection, _ number: Int) {
        switch number {
        case 0: connection.write(head + "id: 7\nretry: 5\ndata: a\ndata: b\n\n: hello\n")
        case 1: connection.write(head + "event: x\ndata: y\n\ndata: unfinished")
        default: connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
    }
}
