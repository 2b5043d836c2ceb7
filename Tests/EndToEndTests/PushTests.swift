import TestSupport
import Testing

@Suite struct `Push tokens of an external push bridge` {
    private static let token = String(repeating: "0123456789abcdef", count: 4)

    @Test func `A push token is registered, sent again after a new registration of the device, and removed`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            #expect(try await fixture.daemon.ctl("push").output == "no push service is registered\n")
            #expect(try await fixture.daemon.ctl("push", "register", "xyz").code == 65)
            let registered = try await fixture.daemon.ctl("push", "register", Self.token)
            #expect(registered.code == 0 && registered.output == "registered\n")
            let first = try await fixture.pushState()
            #expect(first.state == "registered" && first.tokenEnd == "89abcdef")
            let before = try #require(first.registeredAt)
            try await fixture.sandbox.revoke(fixture.makeDevice().id)
            try await eventually("the push token is registered again") {
                try await fixture.pushState().registeredAt.map { $0 > before } ?? false
            }
            #expect(try await fixture.daemon.ctl("push", "unregister").output == "no longer registered\n")
            #expect(try await fixture.pushState().state == "none")
            #expect(!fixture.daemon.journal.contains(Self.token))
        }
    }

    @Test func `A push token that is set while offline is registered on the next connection`() async throws {
        try await EndToEndFixture.with { fixture in
            try await fixture.sandbox.stop()
            #expect(try await fixture.daemon.ctl("push", "register", Self.token).code == 75)
            #expect(try await fixture.pushState().state == "waiting")
            try await fixture.daemon.restart()
            #expect(try await fixture.pushState().state == "waiting")
            try await fixture.sandbox.start()
            _ = try await fixture.daemon.ctl("reconnect")
            try await eventually("the push token is registered") {
                try await fixture.pushState().state == "registered"
            }
        }
    }

    @Test
    func `A push payload makes the daemon fetch the complete reply exactly once, before the next poll`()
        async throws
    {
        try await EndToEndFixture.with({
            $0.without = ["stream", "long-poll"]
            $0.configuration = "poll_interval: 3600"
        }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Bridged")
            let message = try await fixture.sandbox.reply("The whole answer", in: conversation)
            let payload = """
                {"conversation_id":"\(conversation)","message_id":"\(message)","aps":{"alert":"The wh…"}}
                """
            let delivered = try await fixture.daemon.ctl("push", "deliver", "-", input: payload)
            #expect(delivered.code == 0 && delivered.output == "1 new message in \(conversation)\n")
            let notifications = try await fixture.notificationServer.waitForNotifications(atLeast: 1)
            #expect(notifications.map(\.body) == ["The whole answer"])
            try await fixture.daemon.waitForBadge(1)
            #expect(try await fixture.daemon.ctl("push", "deliver", payload).output == "nothing new\n")
            let hint = #"{"cutie":true}"#
            #expect(try await fixture.daemon.ctl("push", "deliver", hint).output == "nothing new\n")
            try await fixture.sandbox.reply("Another", in: conversation)
            #expect(try await fixture.daemon.ctl("push", "deliver", hint).output == "1 new message\n")
            _ = try await fixture.daemon.ctl("reconnect")
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.fetchLoggedMessages().count == 3)
            #expect(try fixture.notificationServer.notifications.count == 2)
        }
    }

    @Test func `No reply is delivered if a push payload is from another service or the API is unreachable`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let others = try await fixture.daemon.ctl(
                "push", "deliver", "-", input: #"{"aps":{"alert":"Hi"}}"#)
            #expect(others.code == 65 && others.error.contains("not for cutied"))
            #expect(try await fixture.daemon.ctl("push", "deliver", "{").code == 65)
            let unknown = #"{"conversation_id":"conv_none"}"#
            #expect(try await fixture.daemon.ctl("push", "deliver", unknown).code == 66)
            try await fixture.sandbox.stop()
            #expect(try await fixture.daemon.ctl("push", "deliver", unknown).code == 75)
        }
    }
}

private struct PushRecord: Decodable {
    let registrations: [Registration]

    struct Registration: Decodable {
        let state: String
        let tokenEnd: String?
        let registeredAt: Int64?
    }
}

extension EndToEndFixture {
    fileprivate func pushState() async throws -> PushRecord.Registration {
        try await daemon.control.call("PushStatus", as: PushRecord.self).registrations[0]
    }
}
