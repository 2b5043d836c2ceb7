import Config
import CutieAPI
import TestSupport
import Testing

@testable import Doctor

/// Tests of the API probe with real servers.
struct APIProbeTests {
    private func facts(of url: String, _ change: (inout AccountConfiguration) -> Void = { _ in }) async throws
        -> APIFacts
    {
        var account = AccountConfiguration(appID: "app_1")
        account.apiURL = try APIAddress(url)
        change(&account)
        return try #require(await APIFacts.probe([account]).first)
    }

    /// Starts a server that responds to each path with the status in `statuses`. Every response contains the
    /// header fields `fields`.
    private func server(_ statuses: [String: String] = [:], _ fields: [String] = []) throws -> RawServer {
        try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ")[1].prefix { $0 != "?" }
                let hasDevice = !request.values(of: "X-Device-Token").isEmpty
                let status = hasDevice ? "500 Token" : statuses[String(path)] ?? "401 Unauthorized"
                guard connection.answer(status, fields) else { return }
            }
        }
    }

    @Test func `Without a registered device, the probe detects the transports of the API`() async throws {
        let server = try server()
        let facts = try await facts(of: server.url)
        #expect(facts.stream == .offered)
        #expect(facts.longPoll == .offered)
        guard case .answered(401, nil) = facts.outcome else {
            Issue.record("\(facts.outcome)")
            return
        }
    }

    @Test func `The probe detects which transports the API lacks`() async throws {
        let server = try server(["/v1/events/stream": "404 Not Found", "/v1/events": "501 Not Implemented"])
        let facts = try await facts(of: server.url)
        #expect(facts.stream == .absent)
        #expect(facts.longPoll == .absent)
        #expect(APIFacts.makeChecks(for: [facts])["transports"]?.finding == "the API offers poll")
    }

    @Test func `The probe detects that the server's clock is wrong`() async throws {
        let server = try server([:], ["Date: Sun, 06 Nov 1994 08:49:37 GMT"])
        let checks = APIFacts.makeChecks(for: [try await facts(of: server.url)])
        #expect(checks["clock"]?.verdict == .failure)
        #expect(checks["clock"]?.finding.contains("ahead of") == true)
    }

    @Test func `The probe detects a web server that does not implement the API`() async throws {
        let server = try server(["/v1/conversations": "404 Not Found"])
        #expect(APIFacts.makeChecks(for: [try await facts(of: server.url)])["api"]?.verdict == .failure)
    }

    @Test func `The probe detects that no server runs at the address`() async throws {
        let checks = APIFacts.makeChecks(for: [try await facts(of: "http://127.0.0.1:1")])
        #expect(checks["api"]?.verdict == .failure)
        #expect(checks["transports"]?.verdict == .skipped)
    }

    @Test func `The probe does not wait for the end of a stream that requires no authentication`()
        async throws
    {
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            if request.line.contains("stream") {
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                connection.waitForClose()
            } else {
                connection.answer("401 Unauthorized", ["Connection: close"])
            }
        }
        #expect(try await facts(of: server.url).stream == .offered)
    }
}
