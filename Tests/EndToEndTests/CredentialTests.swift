import TestSupport
import Testing

@Suite struct `A device whose credentials the API refuses` {
    @Test(arguments: Way.allCases)
    func `A revoked token is replaced once, and replies keep arriving`(_ way: Way) async throws {
        try await Household.with(way.furnish) { home in
            let conversation = try await home.daemon.converse("Before and after")
            try await home.sandbox.reply("Before", in: conversation)
            try await home.daemon.badge(1)
            let old = try await home.device()
            try await home.sandbox.revoke(old.id)
            try await home.sandbox.reply("After", in: conversation)
            try await home.daemon.badge(2)
            try await home.daemon.connected(by: way.rawValue)
            let new = try await home.device()
            #expect(new.id == old.id)
            #expect(new.token != old.token)
            #expect(try await !home.daemon.log().contains { $0.state == "stopped" })
            #expect(try await home.daemon.ctl("reply", conversation, "Thanks").code == 0)
        }
    }

    @Test func `A revoked token does not lose a message that is being sent`() async throws {
        try await Household.with { home in
            let conversation = try await home.daemon.converse("Revoked", "Zero")
            try await home.sandbox.revoke(home.device().id)
            #expect(try await home.daemon.ctl("reply", conversation, "One").code == 0)
            #expect(try await home.sandbox.texts(in: conversation) == ["Zero", "One"])
        }
    }

    @Test func `A wrong App ID stops the account with a reason until the configuration is corrected`()
        async throws
    {
        try await Household.with({ $0.isConnected = false }) { home in
            try home.daemon.configure("app_id: app_wrong\napi_url: \(home.sandbox.url)\n")
            try await home.daemon.start()
            let status = try await home.daemon.status("stopped") { $0.state == "stopped" }
            #expect(status.accounts[0].reason?.contains("app_wrong") == true)
            #expect(status.accounts[0].transport == "none")
            #expect(status.badge.total == nil)
            #expect(try await home.daemon.ctl("new", "--category", "bug", "To nobody").code == 77)
            try home.configure()
            #expect(try await home.daemon.ctl("reload").code == 0)
            try await home.daemon.connected()
            #expect(try await home.daemon.status().outbox == home.daemon.outbox().count)
            #expect(try await home.daemon.converse("To support").hasPrefix("conv_"))
        }
    }
}
