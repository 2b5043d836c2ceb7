import TestSupport
import Testing

@Suite struct `API refusals on the command line` {
    /// Verbs, each with the API request that it sends.
    private static let verbs: [(verb: [String], call: String)] = [
        (["link", "start"], "POST /v1/sdk/link/initiate"),
        (["link", "confirm", "token"], "POST /v1/sdk/link/confirm"),
        (["link", "status", "token"], "GET /v1/sdk/link/status/token"),
        (["link", "devices"], "GET /v1/sdk/link/devices"),
        (["link", "remove", "device_1"], "DELETE /v1/sdk/link/devices/device_1"),
        (["push", "register", String(repeating: "ab", count: 32)], "POST /v1/notifications/register"),
        (["push", "unregister"], "DELETE /v1/notifications/unregister"),
        (["attest", "renew"], "POST /v1/device/attest/challenge"),
        (["attest", "reset"], "DELETE /v1/device/attest"),
        (["subscription", "status"], "GET /v1/usage"),
        (
            ["subscription", "verify", "--platform", "ios", "--product", "pro", "--receipt", "-"],
            "POST /v1/subscription/verify"
        ),
    ]

    /// Runs `live` with a daemon whose API responds with `status` and `body` to all requests in `calls`.
    private func refused(
        _ calls: [String], _ status: String, _ body: String,
        _ live: (EndToEndFixture) async throws -> Void
    ) async throws {
        let refusal = ScriptedAPI.refusing(status, body: body)
        try await served(by: ScriptedAPI(calls.map { ($0, refusal) }), live)
    }

    private func served(by liar: ScriptedAPI, _ live: (EndToEndFixture) async throws -> Void) async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                """
                app_id: app_liar
                api_url: \(liar.url)
                attestation: software
                questions: false

                """)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            try await live(fixture)
        }
    }

    @Test
    func `A refusal is printed with the API's message and advice, and does not refer to the journal`()
        async throws
    {
        let body = #"{"error":"it was \u001b[2Jused","code":"token_used"}"#
        try await refused(Self.verbs.map(\.call), "409 Conflict", body) { fixture in
            for (verb, _) in Self.verbs {
                let run = try fixture.daemon.startVerb(verb, input: "receipt")
                #expect(try await run.waitForExit() == 1, "\(verb)")
                let output = run.standardError
                #expect(
                    output.contains("409: it was  [2Jused (token_used); it may already be done"),
                    "\(verb) \(output)")
                #expect(!output.contains("journal") && !output.contains("\u{1B}"), "\(verb) \(output)")
            }
        }
    }

    @Test func `A refusal is printed on one line even if the API responds with a web page`() async throws {
        let page = "<html>" + String(repeating: "no ", count: 100_000)
        try await refused(["POST /v1/sdk/link/confirm"], "410 Gone", page) { fixture in
            let run = try await fixture.daemon.ctl("link", "confirm", "token")
            #expect(run.code == 1)
            #expect(
                run.error
                    == "cutied: the service refused the request: the server returned 410; it has expired; "
                    + "request a new one\n")
        }
    }

    @Test func `A long refusal message is truncated`() async throws {
        let words = String(repeating: "no ", count: 100_000)
        let body = #"{"success":false,"message":"\#(words)"}"#
        try await refused(["DELETE /v1/sdk/link/devices/device_1"], "200 OK", body) { fixture in
            let run = try await fixture.daemon.ctl("link", "remove", "device_1")
            #expect(
                run.code == 1 && run.error.utf8.count < 500 && run.error.contains("ask the app's developers"))
        }
    }

    @Test(arguments: [("403 Forbidden", Int32(77)), ("404 Not Found", 1), ("422 Unprocessable Content", 1)])
    func `The text of a refused message is kept in the outbox`(_ status: String, _ code: Int32) async throws {
        try await refused(["POST /v1/conversations"], status, #"{"error":"not here"}"#) { fixture in
            let run = try await fixture.daemon.ctl("new", "--category", "bug", "It fails")
            let kept = try #require(try await fixture.daemon.fetchOutbox().first)
            #expect(run.code == code && run.error.contains("not here"), "\(run)")
            #expect(run.error.contains("run `cutied ctl outbox retry \(kept.outboxId)` to send the message"))
            let seen = try await fixture.daemon.fetchStatus()
            #expect(seen.outbox == 0 && seen.outboxFailed == 1)
            #expect(try await fixture.daemon.ctl("outbox", "retry", kept.outboxId).code == code)
            #expect(try await fixture.daemon.ctl("outbox", "cancel", kept.outboxId).code == 0)
        }
    }

    @Test func `The user can retry a refused message, and the retry reports success`() async throws {
        let liar = try ScriptedAPI([
            "POST /v1/conversations": { connection, _, number in
                let refusal = "422 Unprocessable Content"
                return connection.answer(
                    number == 0 ? refusal : "200 OK", body: #"{"conversation_id":"conv_1"}"#)
            }
        ])
        try await served(by: liar) { fixture in
            #expect(try await fixture.daemon.ctl("new", "--category", "bug", "It fails").code == 1)
            let kept = try #require(try await fixture.daemon.fetchOutbox().first)
            let sent = try await fixture.daemon.ctl("outbox", "retry", kept.outboxId)
            #expect(sent.code == 0 && sent.output == "conv_1\n", "\(sent)")
            #expect(try await fixture.daemon.ctl("outbox", "retry", kept.outboxId).code == 66)
            #expect(liar.requestCount(of: "POST /v1/conversations") == 2)
        }
    }
}
