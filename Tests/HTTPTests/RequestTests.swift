import HTTP
import Reasons
import TestSupport
import Testing

struct RequestTests {
    private let httpClient = HTTPClient(userAgent: "cutied/test")

    @Test func `The method, headers and body of a request are sent, and the whole response is returned`()
        async throws
    {
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            let type = request.values(of: "Content-Type").first ?? ""
            let agent = request.values(of: "User-Agent").first ?? ""
            let body = String(decoding: request.body, as: UTF8.self)
            connection.answer(
                "201 Created", ["X-One: a", "x-one:  b ", "X-Empty:"],
                body: [request.line, type, agent, body].joined(separator: "|"))
        }
        let request = HTTPRequest(
            "DELETE", server.url + "/v1/x", headers: ["Content-Type": "application/json"],
            body: Array("{}".utf8))
        let response = try await httpClient.send(request)
        #expect(response.status == 201)
        #expect(response.headers.values(of: "X-ONE") == ["a", "b"])
        #expect(response.headers["x-empty"] == "")
        #expect(response.httpVersion == .http1_1)
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == "DELETE /v1/x HTTP/1.1|application/json|cutied/test|{}")
    }

    @Test func `A POST request without a body has a Content-Length of 0 and no Content-Type`() async throws {
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            let fields = request.values(of: "Content-Length") + request.values(of: "Content-Type")
            connection.answer(body: fields.joined(separator: "|"))
        }
        let response = try await httpClient.send(HTTPRequest("POST", server.url))
        #expect(response.body == Array("0".utf8))
    }

    @Test func `A request body and a response body may contain any bytes`() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try RawServer { connection, _ in
            let isSame = connection.readRequest()?.body == bytes
            connection.answer(body: "\(isSame)")
        }
        let response = try await httpClient.send(HTTPRequest("POST", server.url, body: bytes))
        #expect(response.body == Array("true".utf8))
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b", "\r"])
    func `A header value with a line break or a NUL is never sent`(value: String) async throws {
        let server = try RawServer { connection, _ in connection.answer() }
        await #expect(throws: HTTPError(.badRequest, .text(""))) {
            try await httpClient.send(HTTPRequest(server.url, headers: ["X-Device-ID": value]))
        }
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["a: b", "", "a\r\n", "ä"])
    func `A header name that is not a token is rejected`(name: String) async throws {
        await #expect(throws: HTTPError(.badRequest, .text(""))) {
            try await httpClient.send(HTTPRequest("http://127.0.0.1:1/", headers: [name: "x"]))
        }
    }

    @Test(arguments: [
        "http://example.com/", "http://127.0.0.1.example.com/", "http://128.0.0.1/", "http://[::2]/",
        "http://localhost.example/", "http://10.0.0.1/", "http://0.0.0.0/", "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "https://user:word@example.com/", "http://127.0.0.1@example.com/", "nonsense", "",
        "http://127.0.0.1\0.x/",
    ])
    func `A request is not sent if its URL is invalid, or uses neither TLS nor a loopback address`(
        url: String
    ) async throws {
        await #expect(throws: HTTPError(.badRequest, .text(""))) {
            try await httpClient.send(HTTPRequest(url))
        }
    }

    @Test(arguments: [
        "127.0.0.1", "localhost", "LOCALHOST", "127.1", "0x7f000001", "[::1]", "[0:0:0:0:0:0:0:1]",
    ])
    func `A loopback address is recognized in every notation`(host: String) async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.answer(body: "hello") }
        }
        do throws(HTTPError) {
            let response = try await httpClient.send(HTTPRequest("http://\(host):\(server.port)/"))
            #expect(response.body == Array("hello".utf8))
        } catch {
            // The server does not listen on IPv6, so a connection error means that the address was accepted.
            #expect(error == HTTPError(.cannotConnect, .text("")) && host.hasPrefix("["))
        }
    }

    @Test func `A closed port causes a connection error`() async throws {
        let port = try RawServer { _, _ in }.port
        await #expect(throws: HTTPError(.cannotConnect, .text(""))) {
            try await httpClient.send(HTTPRequest("http://127.0.0.1:\(port)/"))
        }
    }

    @Test func `Successive requests share a connection until their TLS policy is retired`() async throws {
        let server = try RawServer { connection, number in
            while connection.readRequest() != nil { connection.answer(body: "\(number)") }
        }
        var numbers: [String] = []
        for isFresh in [false, false, true, false] {
            if isFresh { await httpClient.retireConnections(using: TLSPolicy()) }
            let answer = try await httpClient.send(HTTPRequest(server.url))
            numbers.append(String(decoding: answer.body, as: UTF8.self))
        }
        #expect(numbers == ["0", "0", "1", "1"])
    }

    @Test func `Each of many concurrent requests gets its own response`() async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() { connection.answer(body: request.line) }
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let response = try await httpClient.send(HTTPRequest("\(server.url)/\(number)"))
                    return String(decoding: response.body, as: UTF8.self) == "GET /\(number) HTTP/1.1"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `After a TLS policy is retired, requests use new connections`() async throws {
        let server = try RawServer { connection, number in
            while connection.readRequest() != nil { connection.answer(body: "\(number)") }
            connection.close()
        }
        #expect(try await httpClient.send(HTTPRequest(server.url)).body == Array("0".utf8))
        await httpClient.retireConnections(using: TLSPolicy())
        #expect(try await httpClient.send(HTTPRequest(server.url)).body == Array("1".utf8))
    }

    @Test func `Requests under different TLS policies never share a connection`() async throws {
        let server = try RawServer { connection, number in
            while connection.readRequest() != nil { connection.answer(body: "\(number)") }
        }
        let other = TLSPolicy(minimumVersion: .v1_2)
        #expect(try await httpClient.send(HTTPRequest(server.url)).body == Array("0".utf8))
        #expect(try await httpClient.send(HTTPRequest(server.url), policy: other).body == Array("1".utf8))
        #expect(try await httpClient.send(HTTPRequest(server.url)).body == Array("0".utf8))
    }
}
