import Foundation
import TestSupport
import Testing

@Suite struct `Stopping the daemon while a message is being sent` {
    /// Runs `body` while a reply is being sent to an API that accepts connections but does not respond.
    private func waiting(
        in home: Household, _ body: (SpawnedProgram, String) async throws -> Void
    ) async throws {
        let conversation = try await home.daemon.converse("Question")
        home.sandbox.hang()
        let reply = try home.daemon.begin(["reply", conversation, "Once"])
        try await eventually("it is written") { try await home.daemon.outbox().count == 1 }
        try await body(reply, conversation)
    }

    @Test func `When the daemon stops, "reply" reports the text as queued, and the next run sends it once`()
        async throws
    {
        try await Household.with { home in
            try await waiting(in: home) { reply, conversation in
                try await home.daemon.stop()
                #expect(try await reply.exit() == 75)
                #expect(reply.standardOutput == "queued\n")
                #expect(reply.standardError.isEmpty)
                home.sandbox.resume()
                try await home.daemon.start()
                try await home.daemon.status("an empty outbox") { $0.outbox == 0 }
                #expect(try await home.sandbox.texts(in: conversation) == ["How do I?", "Once"])
            }
        }
    }

    @Test func `When the daemon is killed and restarted, "reply" repeats its call and sends the text once`()
        async throws
    {
        try await Household.with { home in
            try await waiting(in: home) { reply, conversation in
                try await home.daemon.die()
                home.sandbox.resume()
                try await home.daemon.start()
                let code = try await reply.exit()
                #expect(code == 0 || code == 75, "\(reply.standardError)")
                try await home.daemon.status("an empty outbox") { $0.outbox == 0 }
                #expect(try await home.sandbox.texts(in: conversation) == ["How do I?", "Once"])
            }
        }
    }

    @Test func `When the daemon is killed for good, "reply" reports that the text may have been sent`()
        async throws
    {
        try await Household.with { home in
            try await waiting(in: home) { reply, _ in
                try await home.daemon.die()
                #expect(try await reply.exit() == 69)
                #expect(reply.standardError.contains("may have been accepted"))
                #expect(reply.standardError.contains("cutied ctl outbox"))
                home.sandbox.resume()
            }
        }
    }

    @Test func `A call repeated with its key gets the first response, also from the next daemon`()
        async throws
    {
        struct Sent: Decodable, Equatable { let messageId: String?, queued: Bool }
        try await Household.with { home in
            let conversation = try await home.daemon.converse("Question")
            let call = [
                "conversation": conversation, "message": "Once", "idempotencyKey": UUID().uuidString,
            ]
            let first: Sent = try await home.daemon.control.call("SendMessage", call)
            #expect(first.messageId != nil)
            #expect(try await home.daemon.control.call("SendMessage", call) == first)
            try await home.daemon.restart()
            try await home.daemon.connected()
            #expect(try await home.daemon.control.call("SendMessage", call) == first)
            #expect(try await home.sandbox.texts(in: conversation) == ["How do I?", "Once"])
        }
    }
}
