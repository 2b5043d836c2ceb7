import TestSupport
import Testing

@Suite struct `The daemon's journal` {
    @Test(arguments: ["info", "debug", "trace"])
    func `The journal contains neither tokens nor message text`(_ level: String) async throws {
        try await EndToEndFixture.with({ $0.logLevel = level }) { fixture in
            let conversation = try await fixture.daemon.startConversation(
                "A title like no other", "Opening words of mine")
            let device = try await fixture.makeDevice()
            try await fixture.sandbox.reply("An answer full of secrets", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 1)
            try await fixture.sandbox.revoke(device.id)
            try await fixture.sandbox.reply("Other", in: conversation)
            try await fixture.daemon.waitForBadge(2)
            try await fixture.sandbox.stop()
            try await fixture.daemon.waitForStatus("the account is offline") { $0.state == "offline" }
            #expect(try await fixture.daemon.ctl("reply", conversation, "Queued words of mine").code == 75)
            try await fixture.sandbox.start()
            try await fixture.daemon.waitUntilConnected()
            try await fixture.daemon.stop()
            let journal = fixture.daemon.journal
            #expect(journal.contains("ready"))
            #expect(!journal.contains(device.token))
            #expect(!journal.contains(try await fixture.sandbox.device(device.id).token))
            #expect(!journal.contains("cutie_dt_"))
            for words in ["no other", "words of mine", "full of secrets", "Other"] {
                #expect(!journal.contains(words), "\(words)")
            }
        }
    }

    /// Runs each verb that transmits a secret in three situations: the API works, is unreachable, or rejects
    /// the secret.
    @Test(arguments: ["info", "debug", "trace"])
    func `The journal contains no secret from a command, a link or a request`(_ level: String) async throws {
        try await EndToEndFixture.with({
            $0.logLevel = level
            $0.configuration = "attestation: software\nuser_name: Ada Nobody"
        }) { fixture in
            let conversation = try await fixture.daemon.startConversation("A title", "Opening words of mine")
            var secrets = try await fixture.secretsOfVerbs(conversation)
            try await fixture.sandbox.expireCodes()
            for token in secrets where token.hasPrefix("cutie_") {
                _ = try await fixture.daemon.ctl("link", "confirm", token)
                _ = try await fixture.daemon.open("cutie://link?token=" + token)
                _ = try await fixture.daemon.ctl("questions", "answer", "1", "allow")
            }
            try await fixture.sandbox.forgetAttestation(of: fixture.makeDevice().id)
            #expect(try await fixture.daemon.ctl("attest", "renew").code == 0)
            try await fixture.sandbox.stop()
            for verb in [["link", "start"], ["app", "code"], ["attest", "renew"]] {
                #expect(try await fixture.daemon.startVerb(verb).waitForExit() != 0)
            }
            try await fixture.daemon.stop()
            let journal = fixture.daemon.journal
            secrets += ["Ada Nobody", "words of mine", "receipt of mine", "cmVjZWlwdCBvZiBtaW5l"]
            for secret in secrets { #expect(!journal.contains(secret), "\(secret)") }
            // Also finds unexpected secrets: keys, signatures and assertions are long strings without spaces.
            let ids = /(conv|msg|app)_[0-9a-f]{32}|device_[0-9A-F-]{36}/
            let unnamed = journal.replacing(ids, with: "id")
                .replacing(fixture.daemon.directory.path, with: "directory")
            #expect(unnamed.firstMatch(of: /[A-Za-z0-9+\/=_-]{40,}/)?.output == nil)
        }
    }
}

extension EndToEndFixture {
    /// Uses the verbs that transmit secrets. Returns the transmitted secrets.
    fileprivate func secretsOfVerbs(_ conversation: String) async throws -> [String] {
        let push = String(repeating: "0123456789abcdef", count: 4)
        #expect(try await daemon.ctl("push", "register", push).code == 0)
        let payload = #"{"conversation_id":"\#(conversation)","aps":{"alert":"words of mine"}}"#
        #expect(try await daemon.ctl("push", "deliver", "-", input: payload).code == 0)
        let bought = try await daemon.ctl(
            "subscription", "verify", "--platform", "ios", "--product", "com.example.pro.monthly",
            "--receipt", "-", input: "receipt of mine")
        #expect(bought.code == 0, "\(bought.error)")
        let offer = try daemon.startVerb(["link", "start", "--json"])
        try await eventually("the link is offered") { offer.lines.count == 1 }
        let handOver = try await daemon.ctl("app", "code", "--json").output
        let tokens = Set(
            (offer.lines[0] + handOver).matches(of: /cutie_[lf]t_[0-9a-f]+/).map { String($0.output) })
        #expect(tokens.count == 2)
        return [push, try await makeDevice().token] + tokens
    }
}
