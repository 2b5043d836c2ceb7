import Foundation
import TestSupport
import Testing

@Suite struct `Stopping the daemon while a message is being sent` {
    /// Runs `body` while a reply is in flight to an API that accepts connections but does not respond.
    ///
    /// - Parameter body: receives the running `cutied ctl reply`, its conversation and its start time.
    private func waiting(
        in fixture: EndToEndFixture,
        _ body: (SpawnedProgram, String, ContinuousClock.Instant) async throws -> Void
    ) async throws {
        let conversation = try await fixture.daemon.startConversation("Question")
        try await fixture.sandbox.suspend()
        let start = ContinuousClock.now
        let reply = try fixture.daemon.startVerb(["reply", conversation, "Once"])
        try await eventually("the message is in the outbox") {
            try await fixture.daemon.fetchOutbox().count == 1
        }
        try await body(reply, conversation, start)
    }

    @Test
    func `If the daemon stops during a reply, the reply is reported as queued and is sent once afterwards`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            try await waiting(in: fixture) { reply, conversation, _ in
                try await fixture.daemon.stop()
                #expect(try await reply.waitForExit() == 75)
                #expect(reply.standardOutput == "queued\n")
                #expect(reply.standardError.isEmpty)
                fixture.sandbox.resume()
                try await fixture.daemon.start()
                try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
                #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["How do I?", "Once"])
            }
        }
    }

    @Test
    func
        `If the daemon is killed and restarts, "reply" repeats its call, and the message is sent once`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            try await waiting(in: fixture) { reply, conversation, _ in
                try await fixture.daemon.killProcess()
                fixture.sandbox.resume()
                try await fixture.daemon.start()
                let code = try await reply.waitForExit()
                #expect(code == 0 || code == 75, "\(reply.standardError)")
                try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
                #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["How do I?", "Once"])
            }
        }
    }

    @Test
    func `If the daemon is killed and not restarted, "reply" reports that the message may have been sent`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            try await waiting(in: fixture) { reply, _, start in
                try await fixture.daemon.killProcess()
                let duration = ContinuousClock.now - start
                let code = try await reply.waitForExit()
                fixture.sandbox.resume()
                // The daemon reports a pending message (75) after five seconds. On a busy machine, the kill may
                // take longer.
                if duration > .seconds(5), code == 75 { return }
                #expect(code == 69)
                #expect(reply.standardError.contains("may have been accepted"))
                #expect(reply.standardError.contains("cutied ctl outbox"))
            }
        }
    }

    @Test
    func `A call that is repeated with its idempotency key gets the first response, even after a restart`()
        async throws
    {
        struct Sent: Decodable, Equatable { let messageId: String?, queued: Bool }
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Question")
            let call = [
                "conversation": conversation, "message": "Once", "idempotencyKey": UUID().uuidString,
            ]
            let first: Sent = try await fixture.daemon.control.call("SendMessage", call)
            #expect(first.messageId != nil)
            #expect(try await fixture.daemon.control.call("SendMessage", call) == first)
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.control.call("SendMessage", call) == first)
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["How do I?", "Once"])
        }
    }
}
