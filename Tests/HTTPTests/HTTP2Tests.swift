import HTTP
import TestSupport
import Testing

struct HTTP2Tests {
    private let httpClient = HTTPClient()
    private let certificates: TestCertificates
    private let policy: TLSPolicy
    private let leaf: TestCertificates.Certificate

    init() async throws {
        certificates = try TestCertificates()
        let root = try await certificates.makeRoot()
        leaf = try await certificates.makeLeaf(by: root)
        policy = TLSPolicy(caFile: root.file, pins: [root.pin])
    }

    @Test func `Concurrent requests share one connection if the server offers HTTP 2`()
        async throws
    {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                connection.answer(body: "\(request.line.prefix(7)) \(request.body.count)")
            }
        }
        let proxy = try await HTTP2Proxy(leaf, to: server)
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for number in 10..<60 {
                group.addTask {
                    try await httpClient.send(
                        HTTPRequest("POST", "\(proxy.url)\(number)", body: [1, 2, 3]), policy: policy)
                }
            }
            for try await response in group {
                #expect(response.httpVersion == .http2)
                #expect(response.status == 200)
                #expect(String(decoding: response.body, as: UTF8.self).hasSuffix(" 3"))
            }
        }
    }

    @Test func `Releasing a stream closes the stream on the server, and other requests continue`()
        async throws
    {
        let closed = Gate.Asynchronous()
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                guard request.line.contains("/stream") else {
                    connection.answer()
                    continue
                }
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                connection.writeChunk("hello")
                connection.waitForClose()
                closed.open()
            }
        }
        let proxy = try await HTTP2Proxy(leaf, to: server)
        do {
            let stream = try await httpClient.openStream(
                for: HTTPRequest(proxy.url + "stream"), policy: policy)
            #expect(stream.httpVersion == .http2)
            #expect(try await stream.body.makeAsyncIterator().next() == Array("hello".utf8))
        }
        await closed.wait()
        #expect(try await httpClient.send(HTTPRequest(proxy.url), policy: policy).status == 200)
    }

    @Test func `A stream that is not read neither delays other requests nor increases memory usage`()
        async throws
    {
        let total = 48 << 20
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                guard request.line.contains("/stream") else {
                    connection.answer(body: "hello")
                    continue
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
                connection.write([UInt8](repeating: 120, count: total))
            }
        }
        let proxy = try await HTTP2Proxy(leaf, to: server)
        let stream = try await httpClient.openStream(for: HTTPRequest(proxy.url + "stream"), policy: policy)
        for _ in 0..<5 {
            let response = try await httpClient.send(HTTPRequest(proxy.url), policy: policy)
            #expect(response.body == Array("hello".utf8))
        }
        var count = 0, largest = 0
        for try await bytes in stream.body {
            count += bytes.count
            largest = max(largest, bytes.count)
        }
        #expect(count == total)
        #expect(largest <= 512 << 10)
    }

    @Test func `Existing streams keep their connection open when the TLS policy is retired`() async throws {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                guard request.line.contains("/stream") else {
                    connection.answer()
                    continue
                }
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                gate.wait()
                connection.writeChunk("late")
                connection.writeChunk("")
            }
        }
        let proxy = try await HTTP2Proxy(leaf, to: server)
        let stream = try await httpClient.openStream(for: HTTPRequest(proxy.url + "stream"), policy: policy)
        await httpClient.retireConnections(using: policy)
        #expect(try await httpClient.send(HTTPRequest(proxy.url), policy: policy).status == 200)
        gate.open()
        #expect(try await stream.body.collect(upTo: 100) == Array("late".utf8))
    }
}
