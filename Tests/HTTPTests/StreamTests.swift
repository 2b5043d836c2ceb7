import HTTP
import Reasons
import Synchronization
import TestSupport
import Testing

struct StreamTests {
    private let httpClient = HTTPClient()
    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func `A stream returns the headers before the first chunk, and then each chunk until the end`()
        async throws
    {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            for text in ["one", "two"] {
                gate.wait()
                connection.writeChunk(text)
            }
            gate.wait()
            connection.writeChunk("")
        }
        let stream = try await httpClient.openStream(for: HTTPRequest(server.url))
        #expect(stream.status == 200)
        #expect(stream.headers["content-type"] == "text/event-stream")
        let body = stream.body.makeAsyncIterator()
        gate.open()
        #expect(try await body.next() == Array("one".utf8))
        gate.open()
        #expect(try await body.next() == Array("two".utf8))
        gate.open()
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
    }

    @Test func `Bytes that arrive between two reads are returned as one chunk`() async throws {
        let gate = Gate()
        let written = Gate.Asynchronous()
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            guard request.line.contains("/stream") else { return _ = connection.answer() }
            connection.write(Self.head)
            for _ in 0..<100 { connection.writeChunk("0123456789") }
            written.open()
            gate.wait()
            connection.writeChunk("")
        }
        let stream = try await httpClient.openStream(for: HTTPRequest(server.url + "/stream"))
        await written.wait()
        // The server sends these responses after the bytes of the stream. When the responses have arrived,
        // the bytes have arrived too.
        for _ in 0..<3 { _ = try await httpClient.send(HTTPRequest(server.url)) }
        let body = stream.body.makeAsyncIterator()
        #expect(try await body.next()?.count == 1000)
        gate.open()
        #expect(try await body.next() == nil)
    }

    @Test func `A stream that is not read applies backpressure, and a later read returns all bytes`()
        async throws
    {
        let sent = Mutex(0)
        let total = 64 << 20
        let block = [UInt8](repeating: 120, count: 64 << 10)
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            while sent.withLock({ $0 }) < total, connection.write(block) {
                sent.withLock { $0 += block.count }
            }
        }
        let stream = try await httpClient.openStream(for: HTTPRequest(server.url))
        // Waits until the server has sent nothing for a hundred checks in a row, because the kernel's buffers
        // are then full.
        var last = -1, still = 0
        try await eventually("the server sends nothing more") {
            let now = sent.withLock { $0 }
            still = now == last ? still + 1 : 0
            last = now
            return still == 100
        }
        #expect(last < total / 2)
        var count = 0, largest = 0
        for try await bytes in stream.body {
            count += bytes.count
            largest = max(largest, bytes.count)
        }
        #expect(count == total)
        #expect(largest <= 512 << 10)
    }

    @Test func `A stream that ends too early returns its bytes and then an error`() async throws {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            connection.writeChunk("hello")
            connection.finishWriting()
            connection.waitForClose()
        }
        let body = try await httpClient.openStream(for: HTTPRequest(server.url)).body.makeAsyncIterator()
        #expect(try await body.next() == Array("hello".utf8))
        await #expect(throws: HTTPError(.interrupted, .text(""))) { try await body.next() }
    }

    @Test func `A connection reset within the body causes an error`() async throws {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            connection.writeChunk("hello")
            gate.wait()
            connection.reset()
        }
        let body = try await httpClient.openStream(for: HTTPRequest(server.url)).body.makeAsyncIterator()
        #expect(try await body.next() == Array("hello".utf8))
        gate.open()
        await #expect(throws: HTTPError(.interrupted, .text(""))) { try await body.next() }
    }

    @Test func `A body with neither a Content-Length nor chunks ends when the connection is closed`()
        async throws
    {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
        }
        let stream = try await httpClient.openStream(for: HTTPRequest(server.url))
        #expect(try await stream.body.collect(upTo: 100) == Array("hello".utf8))
    }

    @Test func `The body of an error response is read up to the limit`() async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let isLong = request.line.contains("/long")
                connection.answer("404 Not Found", body: isLong ? String(repeating: "x", count: 5000) : "{}")
            }
        }
        let short = try await httpClient.openStream(for: HTTPRequest(server.url))
        #expect(short.status == 404)
        #expect(try await short.body.collect(upTo: 100) == Array("{}".utf8))
        var request = HTTPRequest(server.url + "/long")
        request.responseLimit = 1000
        let long = try await httpClient.openStream(for: request)
        await #expect(throws: HTTPError(.tooLarge, .text(""))) { try await long.body.collect(upTo: 10_000) }
    }

    @Test func `The transfer timeout applies to responses and not to streams`() async throws {
        let gate = Gate()
        let server = try RawServer { connection, number in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head)
            guard number == 0 else { return _ = connection.waitForClose() }
            gate.wait()
            connection.writeChunk("late")
            connection.writeChunk("")
        }
        var request = HTTPRequest(server.url)
        request.transferTimeout = .milliseconds(1)
        let stream = try await httpClient.openStream(for: request)
        await #expect(throws: HTTPError(.timedOut, .text(""))) { try await httpClient.send(request) }
        gate.open()
        #expect(try await stream.body.collect(upTo: 100) == Array("late".utf8))
    }

    @Test func `A compressed stream is rejected if no compression was requested`() async throws {
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            guard request.values(of: "Accept-Encoding") == ["identity"] else { return }
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.waitForClose()
        }
        await #expect(throws: HTTPError(.unsupported, .text(""))) {
            try await httpClient.openStream(for: HTTPRequest(server.url))
        }
    }
}

/// Tests that a waiting long poll does not block the connection for other requests.
struct LongPollTests {
    private let httpClient = HTTPClient()

    @Test func `A request is sent without waiting for the response to an earlier request`() async throws {
        let asked = Gate.Asynchronous()
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            guard request.line.contains("/poll") else {
                connection.answer()
                return
            }
            asked.open()
            connection.waitForClose()
        }
        let poll = Task { try await httpClient.send(HTTPRequest(server.url + "/poll")) }
        await asked.wait()
        #expect(try await httpClient.send(HTTPRequest(server.url + "/message")).status == 200)
        poll.cancel()
    }

    @Test func `A TLS request does not wait while another request negotiates the HTTP version`()
        async throws
    {
        let certificates = try TestCertificates()
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root)
        let server = try await TLSServer(chain: try certificates.writeChain(leaf), keyFile: leaf.keyFile)
        let policy = TLSPolicy(caFile: root.file)
        let poll = Task { try await httpClient.send(HTTPRequest(server.url + "poll"), policy: policy) }
        try await eventually("the poll") { server.wasAsked }
        #expect(try await httpClient.send(HTTPRequest(server.url), policy: policy).status == 200)
        poll.cancel()
    }
}
