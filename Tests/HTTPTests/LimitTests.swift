import Foundation
import HTTP
import Reasons
import TestSupport
import Testing

struct LimitTests {
    private let httpClient = HTTPClient()

    @Test func `A gzip body is decompressed`() async throws {
        let text = String(repeating: "cutie ", count: 1000)
        let server = try await compressingServer(Data(text.utf8))
        let response = try await httpClient.send(HTTPRequest(server.url))
        #expect(String(decoding: response.body, as: UTF8.self) == text)
    }

    @Test func `Decompression of a gzip bomb stops at the limit`() async throws {
        let server = try await compressingServer(Data(count: 64 << 20))
        await #expect(throws: HTTPError(.tooLarge, .text(""))) {
            try await httpClient.send(HTTPRequest(server.url))
        }
    }

    @Test func `A body larger than the limit is rejected, but a body of exactly the limit is accepted`()
        async throws
    {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.answer(body: "0123456789") }
        }
        var request = HTTPRequest(server.url)
        request.responseLimit = 10
        #expect(try await httpClient.send(request).body.count == 10)
        request.responseLimit = 9
        await #expect(throws: HTTPError(.tooLarge, .text(""))) { try await httpClient.send(request) }
    }

    @Test(arguments: ["X-Filler: 0123456789\r\n", "x", "X: \r\n"])
    func `An endless response header is rejected`(repeated: String) async throws {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nX-A: ")
            while connection.write(String(repeating: repeated, count: 1000)) {}
        }
        await #expect(throws: HTTPError(.tooLarge, .text(""))) {
            try await httpClient.send(HTTPRequest(server.url))
        }
        await #expect(throws: HTTPError(.tooLarge, .text(""))) {
            try await httpClient.openStream(for: HTTPRequest(server.url))
        }
    }

    @Test func `An endless sequence of interim responses is rejected`() async throws {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            while connection.write("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n") {}
        }
        await #expect(throws: HTTPError(.tooLarge, .text(""))) {
            try await httpClient.send(HTTPRequest(server.url))
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n"])
    func `A server that sends no response or an incomplete header causes a timeout`(beginning: String)
        async throws
    {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write(beginning)
            connection.waitForClose()
        }
        var request = HTTPRequest(server.url)
        request.timeout = .milliseconds(200)
        await #expect(throws: HTTPError(.timedOut, .text(""))) { try await httpClient.send(request) }
        await #expect(throws: HTTPError(.timedOut, .text(""))) {
            try await httpClient.openStream(for: request)
        }
    }

    @Test func `A response body that arrives too slowly causes a timeout`() async throws {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while connection.write("x") { usleep(10_000) }
        }
        var request = HTTPRequest(server.url)
        request.transferTimeout = .milliseconds(500)
        await #expect(throws: HTTPError(.timedOut, .text(""))) { try await httpClient.send(request) }
    }

    @Test(arguments: [
        "", "garbage", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Encoding: gzip\r\n\r\nabc",
        "HTTP/9.9 200 OK\r\n\r\n",
    ])
    func `A malformed or truncated response causes an error`(answer: String) async throws {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write(answer)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await httpClient.send(HTTPRequest(server.url))
        }
        #expect([.interrupted, .unsupported].contains(error?.code))
    }

    /// Starts a server that responds to each request with `content`, compressed with gzip.
    private func compressingServer(_ content: Data) async throws -> RawServer {
        let directory = try TemporaryDirectory()
        try content.write(to: directory.url.appending(path: "content"))
        #expect(try await ChildProcess("/usr/bin/gzip", [directory.file("content")]).waitForExit() == 0)
        let packed = [UInt8](try Data(contentsOf: directory.url.appending(path: "content.gz")))
        return try RawServer { connection, _ in
            guard connection.readRequest()?.values(of: "Accept-Encoding") == ["gzip"] else { return }
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
            connection.write(packed)
            connection.waitForClose()
        }
    }
}
