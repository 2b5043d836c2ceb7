import TestSupport

extension EndToEndFixture {
    /// Runs `body` with a daemon that has two accounts: `honest` uses the sandbox, `liar` uses the
    /// misbehaving API.
    static func with(_ liar: ScriptedAPI, _ body: (EndToEndFixture) async throws -> Void) async throws {
        try await with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                """
                accounts:
                  honest: {app_id: app_sandbox, api_url: \(fixture.sandbox.url)}
                  liar: {app_id: app_liar, api_url: \(liar.url)}
                \(fixture.opener)
                questions: false

                """)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForStatus("the honest account is connected") {
                $0["honest"]?.state == "connected"
            }
            try await body(fixture)
        }
    }

    /// Checks that the misbehaving API does not affect the account `honest`: its replies arrive, and verbs
    /// work.
    func expectHonestServed() async throws {
        let before = try await daemon.fetchStatus()["honest"]?.badge.total ?? 0
        let conversation = try await daemon.startConversation("True", account: "honest")
        try await sandbox.reply("It is so", in: conversation)
        try await daemon.waitForStatus("the honest reply") { $0["honest"]?.badge.total == before + 1 }
    }
}
