import Foundation
import TestSupport
import Testing

@Suite struct `A server that sends too much data, sends endlessly, or sends slowly` {
    /// The amount by which anonymous memory may grow during a test, in KiB.
    private static let keepsAtMost = 16 << 10

    @Test func `Thousands of small events neither delay other accounts nor increase memory permanently`()
        async throws
    {
        let count = Chaos.isLong ? 1_000_000 : 20_000
        let liar = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, number in
                connection.beginStream()
                guard number == 0 else { return connection.waitForClose() }
                for start in stride(from: 1, through: count, by: 1000) {
                    let events = (start..<start + 1000).map { #"data: {"id":"\#($0)"}"# + "\n\n" }
                    guard connection.write(events.joined()) else { return true }
                }
                connection.reply("last", "m1", in: "c1", #","message":"after the flood""#)
                return connection.waitForClose()
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            let before = try fixture.daemon.anonymousKiB()
            try await fixture.expectHonestServed()
            try await fixture.daemon.waitForStatus("the reply after the flood") {
                $0["liar"]?.badge.total == 1
            }
            try fixture.daemon.expectKept(since: before, atMost: Self.keepsAtMost)
        }
    }

    @Test func `An endless event is aborted at the size limit, reported and skipped`() async throws {
        let size = Chaos.isLong ? 100 << 20 : 9 << 20
        let liar = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, number in
                connection.beginStream()
                guard number == 0 else {
                    connection.reply("2", "m1", in: "c1", #","message":"the next""#)
                    return connection.waitForClose()
                }
                connection.write("data: ")
                let piece = String(repeating: "x", count: 64 << 10)
                for _ in 0..<size / piece.utf8.count { guard connection.write(piece) else { return true } }
                connection.write("\n\n")
                return connection.waitForClose()
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            let before = try fixture.daemon.anonymousKiB()
            try await fixture.daemon.waitForStatus("the next stream") { $0["liar"]?.badge.total == 1 }
            #expect(fixture.daemon.journal.contains("an event that is too large"))
            try await fixture.expectHonestServed()
            try fixture.daemon.expectKept(since: before, atMost: Self.keepsAtMost)
        }
    }

    /// A harmful response that the server sends once, to a request for the conversation list.
    enum Answer: String, CaseIterable {
        case headersWithoutEnd = "headers without end"
        case gzipBomb = "a gzip bomb"
        case deepJSON = "deep JSON"
        case largeJSON = "a list of a million nothings"
        case cutOff = "less than its length"

        /// The text that the error in the status and the journal must contain; empty if the daemon accepts the
        /// response.
        var complaint: String {
            switch self {
            case .headersWithoutEnd: "a response header that is too large"
            case .gzipBomb: "more than 67108864 bytes"
            case .deepJSON: "unreadable"
            case .largeJSON: ""
            case .cutOff: "was lost"
            }
        }

        func write(to connection: RawConnection, _ bomb: [UInt8]) {
            switch self {
            case .headersWithoutEnd:
                connection.write("HTTP/1.1 200 OK\r\n")
                while connection.write(String(repeating: "X-Filler: 0123456789\r\n", count: 100)) {}
            case .gzipBomb:
                let length = "Content-Length: \(bomb.count)"
                connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(length)\r\n\r\n")
                connection.write(bomb)
            case .deepJSON:
                connection.answer(body: #"{"conversations":"# + String(repeating: "[", count: 1_000_000))
            case .largeJSON:
                let nothings = String(repeating: "{},", count: 1_000_000)
                connection.answer(body: #"{"conversations":["# + nothings + "{}]}")
            case .cutOff:
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
                connection.close()
            }
        }
    }

    @Test(arguments: Answer.allCases)
    func `An account continues after only a short delay if a response is invalid`(_ answer: Answer)
        async throws
    {
        let bomb = try await Self.bomb()
        let liar = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, number in
                if number == 0 { answer.write(to: connection, bomb) }
                return number == 0
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            let before = try fixture.daemon.anonymousKiB()
            try await fixture.daemon.waitUntilConnected(by: "stream")
            #expect(answer.complaint.isEmpty || fixture.daemon.journal.contains(answer.complaint))
            try await fixture.expectHonestServed()
            try fixture.daemon.expectKept(since: before, atMost: Self.keepsAtMost)
        }
    }

    @Test func `A response header that arrives byte by byte does not delay other accounts`() async throws {
        let liar = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, number in
                if number > 0 { return false }
                connection.write("HTTP/1.1 200 OK\r\n")
                while connection.write("X: y\r\n") { usleep(500_000) }
                return true
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            try await fixture.expectHonestServed()
            try await fixture.daemon.waitForStatus("the account polls meanwhile") {
                $0["liar"]?.transport == "poll"
            }
            guard Chaos.isLong else { return }
            try await fixture.daemon.waitForStatus("the stream is abandoned") {
                $0["liar"]?.reason?.contains("no response within 30 s") == true
            }
        }
    }

    /// Returns 100 MiB of zeros, compressed.
    private static func bomb() async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let file = directory.file("bomb.gz")
        let shell = try ChildProcess("/bin/sh", ["-c", "head -c 100M /dev/zero | gzip -1 >\(file)"])
        #expect(try await shell.waitForExit() == 0)
        return [UInt8](try Data(contentsOf: URL(filePath: file)))
    }
}
