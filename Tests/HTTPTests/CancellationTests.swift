import HTTP
import Reasons
import TestSupport
import Testing

/// Tests that wait until the server detects the closed connection. A leaked handle would keep the connection
/// open.
struct CancellationTests {
    private let httpClient = HTTPClient()
    private let asked = Gate.Asynchronous()
    private let closed = Gate.Asynchronous()

    @Test func `Cancelling a request closes its connection`() async throws {
        let server = try RawServer { [asked, closed] connection, _ in
            guard connection.readRequest() != nil else { return }
            asked.open()
            connection.waitForClose()
            closed.open()
        }
        let task = Task { try await httpClient.send(HTTPRequest(server.url)) }
        await asked.wait()
        task.cancel()
        await #expect(throws: HTTPError(.cancelled, .text(""))) { try await task.value }
        await closed.wait()
    }

    @Test func `No request is sent if its task is already cancelled`() async throws {
        let server = try RawServer { connection, _ in connection.waitForClose() }
        let gate = Gate.Asynchronous()
        let task = Task {
            await gate.wait()
            return try await httpClient.send(HTTPRequest(server.url))
        }
        task.cancel()
        gate.open()
        await #expect(throws: HTTPError(.cancelled, .text(""))) { try await task.value }
        #expect(server.connectionCount == 0)
    }

    @Test func `Cancelling a task that reads a stream closes the connection`() async throws {
        let server = try streamingServer()
        let stream = try await httpClient.openStream(for: HTTPRequest(server.url))
        let task = Task {
            let body = stream.body.makeAsyncIterator()
            _ = try await body.next()
            asked.open()
            return try await body.next()
        }
        await asked.wait()
        task.cancel()
        await #expect(throws: HTTPError(.cancelled, .text(""))) { try await task.value }
        await closed.wait()
        withExtendedLifetime(stream) {}
    }

    @Test func `Releasing a stream closes its connection`() async throws {
        let server = try streamingServer()
        do {
            let stream = try await httpClient.openStream(for: HTTPRequest(server.url))
            #expect(stream.status == 200)
        }
        await closed.wait()
    }

    @Test func `Releasing a stream closes its connection even while backpressure blocks the connection`()
        async throws
    {
        let server = try RawServer { [asked, closed] connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            asked.open()
            while connection.write([UInt8](repeating: 0, count: 1 << 20)) {}
            closed.open()
        }
        do {
            let stream = try await httpClient.openStream(for: HTTPRequest(server.url))
            await asked.wait()
            #expect(try await stream.body.makeAsyncIterator().next() != nil)
        }
        await closed.wait()
    }

    @Test func `Cancelling a request that waits for the response headers closes its connection`() async throws
    {
        let server = try RawServer { [asked, closed] connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nX: ")
            asked.open()
            connection.waitForClose()
            closed.open()
        }
        let task = Task { try await httpClient.openStream(for: HTTPRequest(server.url)).status }
        await asked.wait()
        task.cancel()
        await #expect(throws: HTTPError(.cancelled, .text(""))) { try await task.value }
        await closed.wait()
    }

    @Test func `An open stream keeps a released HTTP client alive until the stream is closed`() async throws {
        let server = try streamingServer()
        do {
            let stream = try await HTTPClient().openStream(for: HTTPRequest(server.url))
            #expect(try await stream.body.makeAsyncIterator().next() == Array("hello".utf8))
        }
        await closed.wait()
    }

    @Test func `Releasing an HTTP client closes its idle connections`() async throws {
        let server = try RawServer { [closed] connection, _ in
            while connection.readRequest() != nil { connection.answer() }
            closed.open()
        }
        #expect(try await HTTPClient().send(HTTPRequest(server.url)).status == 200)
        await closed.wait()
    }

    /// Starts a server that sends "hello" and opens `closed` when the client has disconnected.
    private func streamingServer() throws -> RawServer {
        try RawServer { [closed] connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
            connection.waitForClose()
            closed.open()
        }
    }
}
