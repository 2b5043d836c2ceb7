import Foundation
import TestSupport
import Testing

@Suite struct `A server that echoes requests` {
    private static let token = "cutie_dt_5f1d0c7e9ab24c61b8d3e2f4a6079c13"
    private static let key = "legacy-key/8d0f7c2e+41aa=="
    private static let link = "cutie_lt_00ff11ee22dd33cc44bb55aa66997788"

    /// A server that registers devices, rejects new conversations permanently and returns 500 for all other
    /// requests. Its error responses contain the secrets of the request: the headers, the percent-encoded
    /// headers, and the body.
    private static func server() throws -> RawServer {
        try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.line.contains("/v1/device/register") {
                    connection.answer(body: #"{"device_token":"\#(token)","token_id":"t","is_new":true}"#)
                    continue
                }
                let allowed = CharacterSet.alphanumerics
                let secrets = request.values(of: "X-Device-Token") + request.values(of: "X-API-Key")
                let encoded = secrets.compactMap { $0.addingPercentEncoding(withAllowedCharacters: allowed) }
                // The padding moves the last token to the position at which the daemon truncates the message.
                let filling = String(repeating: "x", count: 60)
                let requestBody = String(decoding: request.body, as: UTF8.self)
                let echo = (secrets + encoded + [requestBody, filling] + secrets).joined(separator: " ")
                let body = try? JSONEncoder().encode(["error": echo, "code": secrets.first ?? "none"])
                let isFinal = request.line.hasPrefix("POST /v1/conversations")
                connection.answer(
                    isFinal ? "422 Unprocessable" : "500 Broken",
                    body: String(decoding: body ?? Data(), as: UTF8.self))
            }
        }
    }

    @Test func `A secret that the server repeats in a response is neither stored nor shown`() async throws {
        let server = try Self.server()
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                "app_id: app_sandbox\napi_url: \(server.url)\napi_key: \(Self.key)\nquestions: false\n")
            try await fixture.daemon.start(logLevel: "trace")
            try await fixture.daemon.waitForStatus("the account is offline") {
                $0.accounts[0].reason?.contains("500") == true
            }
            var shown = try await fixture.daemon.ctl("status").output
            shown += try await fixture.daemon.ctl("status", "--json").output
            for verb in [
                ["new", "--category", "bug", "It fails"], ["link", "confirm", Self.link],
                ["link", "status", Self.link], ["link", "start"], ["subscription"], ["outbox"],
                ["outbox", "--json"],
            ] {
                let program = try fixture.daemon.startVerb(verb)
                _ = try await program.waitForExit()
                shown += program.standardOutput + program.standardError
            }
            #expect(shown.contains("(secret)"))
            try await fixture.daemon.stop()
            let notifications = try fixture.notificationServer.notifications.map { $0.summary + $0.body }
                .joined()
            for secret in [Self.token, Self.key, Self.link] {
                for part in [secret, String(secret.prefix(20))] {
                    #expect(!shown.contains(part))
                    #expect(!fixture.daemon.journal.contains(part))
                    #expect(!notifications.contains(part))
                    #expect(try fixture.daemon.stateFiles(holding: part).isEmpty)
                }
            }
        }
    }
}
