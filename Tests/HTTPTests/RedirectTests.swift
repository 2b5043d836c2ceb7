import HTTP
import Reasons
import TestSupport
import Testing

struct RedirectTests {
    private let httpClient = HTTPClient()

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect to the same origin is followed`(status: Int) async throws {
        let server = try redirectingServer("\(status) Moved", to: "/there?x=1")
        let response = try await httpClient.send(HTTPRequest(server.url + "/here"))
        #expect(response.body == Array("GET /there?x=1 HTTP/1.1".utf8))
        let stream = try await httpClient.openStream(for: HTTPRequest(server.url + "/here"))
        #expect(try await stream.body.collect(upTo: 100) == Array("GET /there?x=1 HTTP/1.1".utf8))
    }

    @Test func `A redirect to another origin is refused before connecting`() async throws {
        let other = try RawServer { connection, _ in connection.answer() }
        let server = try redirectingServer("302 Found", to: other.url)
        let error = await #expect(throws: HTTPError.self) {
            try await httpClient.send(
                HTTPRequest(server.url + "/here", headers: ["X-Device-Token": "secret"]))
        }
        #expect(error?.code == .refusedRedirect)
        // Both servers are on the same host, so the message must name their ports.
        let name = server.url.replacing("http://", with: "")
        #expect(error?.reason.english == "\(name) redirects to \(other.url)")
        await #expect(throws: HTTPError(.refusedRedirect, .text(""))) {
            try await httpClient.openStream(for: HTTPRequest(server.url + "/here"))
        }
        #expect(other.connectionCount == 0)
    }

    @Test
    func
        `A request body is sent again after a 307 redirect, and a 302 redirect of a POST request is refused`()
        async throws
    {
        let kept = try redirectingServer("307 Temporary Redirect", to: "/there")
        let response = try await httpClient.send(HTTPRequest("POST", kept.url + "/here", body: [1, 2, 3]))
        #expect(response.body == Array("POST /there HTTP/1.1".utf8))
        let changed = try redirectingServer("302 Found", to: "/there")
        await #expect(throws: HTTPError(.refusedRedirect, .text(""))) {
            try await httpClient.send(HTTPRequest("POST", changed.url + "/here", body: [1, 2, 3]))
        }
    }

    @Test func `A redirect loop is aborted`() async throws {
        let server = try redirectingServer("302 Found", to: "/here")
        await #expect(throws: HTTPError(.refusedRedirect, .text(""))) {
            try await httpClient.send(HTTPRequest(server.url + "/here"))
        }
    }

    @Test func `A 3xx response without a Location is returned unchanged`() async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let isNew = request.line.contains("/new")
                connection.answer(isNew ? "304 Not Modified" : "302 Found")
            }
        }
        #expect(try await httpClient.send(HTTPRequest(server.url + "/new")).status == 304)
        #expect(try await httpClient.send(HTTPRequest(server.url)).status == 302)
    }

    /// Starts a server that redirects the path `/here` to `target`, and returns the request line for other
    /// paths.
    private func redirectingServer(_ status: String, to target: String) throws -> RawServer {
        try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let isHere = request.line.contains(" /here ")
                if isHere {
                    connection.answer(status, ["Location: \(target)"], body: "moved")
                } else {
                    connection.answer(body: request.line)
                }
            }
        }
    }
}
