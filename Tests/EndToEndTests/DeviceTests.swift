import TestSupport
import Testing

@Suite struct `Information about the device and the user` {
    @Test(arguments: [
        ("none", []), ("minimal", ["app_version"]), ("standard", ["app_version", "os_version"]),
        ("[os_version]", ["os_version"]),
    ])
    func `The daemon sends only the device facts that the configured level allows`(
        tier: String, allowed: [String]
    ) async throws {
        try await EndToEndFixture.with({
            $0.configuration = "device_context: \(tier)\napp_version: \"7.1\""
        }) { fixture in
            _ = try await fixture.daemon.startConversation("From here")
            let known = try await fixture.sandbox.fetchDevice(
                fixture.daemon.fetchStatus().accounts[0].deviceId)
            #expect(Set(known.facts.keys).isSubset(of: allowed))
            #expect(allowed.contains("app_version") == (known.facts["app_version"] == "7.1"))
        }
    }

    @Test
    func `A name that the user sets overrides the configured name, survives a restart, and can be removed`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "user_id: u-1\nuser_name: Ann" }) { fixture in
            let first = try await fixture.daemon.startConversation("By Ann")
            #expect(try await fixture.daemon.ctl("user", "set", "--name", "Bea").code == 0)
            try await fixture.daemon.restart()
            let second = try await fixture.daemon.startConversation("By Bea")
            #expect(try await fixture.daemon.ctl("user").output == "id    u-1\nname  Bea\n")
            #expect(try await fixture.daemon.ctl("user", "clear").output == "id    u-1\nname  Ann\n")
            let third = try await fixture.daemon.startConversation("By Ann again")
            let threads = try await fixture.sandbox.fetchThreads()
            func name(_ id: String) -> String? { threads.first { $0.conversation_id == id }?.user_name }
            #expect([first, second, third].map(name) == ["Ann", "Bea", "Ann"])
            #expect(threads.allSatisfy { $0.user_id == "u-1" })
            #expect(try await fixture.daemon.ctl("user", "set").code == 64)
            for blank in ["", " "] {
                #expect(
                    try await fixture.daemon.ctl("user", "set", "--name", blank).output
                        == "id    u-1\nname  not given\n")
                let fourth = try await fixture.daemon.startConversation("By no name")
                let named = try await fixture.sandbox.fetchThreads().first { $0.conversation_id == fourth }
                #expect(named?.user_name == nil && named?.user_id == "u-1")
                _ = try await fixture.daemon.ctl("user", "set", "--name", "Bea")
            }
            for wrong in [String(repeating: "x", count: 257), "Bea\nAnn", "a\u{7}"] {
                let run = try await fixture.daemon.ctl("user", "set", "--name", wrong)
                #expect(run.code == 65 && run.error.contains("invalid --name: "), "\(run)")
            }
        }
    }
}
