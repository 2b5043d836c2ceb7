import TestSupport
import Testing

@Suite struct `A device whose credentials the API refuses` {
    @Test(arguments: ForcedTransport.allCases)
    func `A revoked token is replaced only once, and replies continue to arrive`(_ transport: ForcedTransport)
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            let conversation = try await fixture.daemon.startConversation("Before and after")
            try await fixture.sandbox.reply("Before", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            let old = try await fixture.makeDevice()
            try await fixture.sandbox.revoke(old.id)
            try await fixture.sandbox.reply("After", in: conversation)
            try await fixture.daemon.waitForBadge(2)
            try await fixture.daemon.waitUntilConnected(by: transport.rawValue)
            let new = try await fixture.makeDevice()
            #expect(new.id == old.id)
            #expect(new.token != old.token)
            #expect(try await !fixture.daemon.fetchLog().contains { $0.state == "stopped" })
            #expect(try await fixture.daemon.ctl("reply", conversation, "Thanks").code == 0)
        }
    }

    @Test func `A message that is sent with a revoked token is not lost`() async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Revoked", "Zero")
            try await fixture.sandbox.revoke(fixture.makeDevice().id)
            #expect(try await fixture.daemon.ctl("reply", conversation, "One").code == 0)
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "One"])
        }
    }

    @Test
    func `A wrong App ID stops the account until the configuration is corrected, and the reason is reported`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure("app_id: app_wrong\napi_url: \(fixture.sandbox.url)\n")
            try await fixture.daemon.start()
            let status = try await fixture.daemon.waitForStatus("the account is stopped") {
                $0.state == "stopped"
            }
            #expect(status.accounts[0].reason?.contains("app_wrong") == true)
            #expect(status.accounts[0].transport == "none")
            #expect(status.badge.total == nil)
            #expect(try await fixture.daemon.ctl("new", "--category", "bug", "To nobody").code == 77)
            try fixture.configure()
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.fetchStatus().outbox == fixture.daemon.fetchOutbox().count)
            #expect(try await fixture.daemon.startConversation("To support").hasPrefix("conv_"))
        }
    }
}
