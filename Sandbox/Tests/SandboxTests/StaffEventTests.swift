import CutieAPI
import Sandbox
import TestSupport
import Testing

@Suite struct StaffEventTests {
    private func poll(
        _ sandbox: RunningSandbox, _ token: String, after cursor: Event.ID?
    ) async throws -> EventPage {
        let after = cursor.map { "?after=\($0)" } ?? ""
        let answer = try await sandbox.call(
            "GET", "/v1/events\(after)", ["Authorization": "Bearer \(token)"])
        try #require(answer.status == 200, "\(answer.error ?? "")")
        return try answer.decoded()
    }

    @Test func `Support staff receive the messages, replies and notes of all devices`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let scope = TestIssuer.scope + " conversations:write"
            let token = try await issuer.tokens(["scope": scope]).access_token
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let cursor = try await poll(sandbox, token, after: nil).cursor
            let (first, second) = (try await one.begin("One"), try await two.begin("Two"))
            let bearer = ["Authorization": "Bearer \(token)"]
            let path = "/v1/conversations/\(first)"
            let note = #"{"message":"Between us","internal_note":true}"#
            let answer = #"{"message":"We look"}"#
            #expect(try await sandbox.call("POST", path + "/messages", bearer, note).status == 201)
            #expect(try await sandbox.call("POST", path + "/messages", bearer, answer).status == 201)
            _ = try await one.markRead(first)
            let assignment = #"{"admin_id":"\#(issuer.adminID)"}"#
            #expect(try await sandbox.call("POST", path + "/assign", bearer, assignment).status == 200)
            let events = try await poll(sandbox, token, after: cursor).events
            let created = events.compactMap { event -> Event.MessageCreated? in
                if case .messageCreated(let data) = event.payload { data } else { nil }
            }
            #expect(created.map(\.message.text) == ["One", "Two", "Between us", "We look"])
            #expect(created.map(\.conversationID) == [first, second, first, first])
            #expect(created.map(\.message.isInternalNote) == [false, false, true, false])
            #expect(created.map(\.message.senderName) == [nil, nil, "Kim", "Kim"])
            #expect(created.last?.message.senderID == issuer.adminID)
            #expect(events.count == 5, "that a device has read is not told")
            guard case .conversationUpdated(let updated) = events.last?.payload else {
                Issue.record("the assignment is told")
                return
            }
            #expect(updated.assignedAdminID == issuer.adminID && updated.messageCount == 3)
            let seen = try await one.poll(after: cursor).events.map(\.type)
            #expect(
                seen == ["message.created", "message.created", "conversation.read", "conversation.updated"])
        }
    }

    @Test func `A note moves its conversation to the top of the list for staff, but not for the device`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let (first, second) = (try await device.begin(), try await device.begin())
            func list() async throws -> [Conversation] {
                try await admin.call("GET", "/v1/conversations").decoded(ConversationPage.self).conversations
            }
            let before = try await list()
            #expect(before.map(\.id) == [second, first])
            let seen = try await device.conversation(first).updatedAt
            try await admin.reply("Between us", to: first, note: true)
            let after = try await list()
            #expect(after.map(\.id) == [first, second])
            let (old, new) = (try #require(before[1].updatedAt), try #require(after[0].updatedAt))
            #expect(new > old && after[0].messageCount == 2)
            #expect(try await device.conversation(first).updatedAt == seen)
            #expect(try await device.list().conversations.map(\.id) == [second, first])
        }
    }

    @Test func `A staff event stream sends events immediately, and ends when its token expires`() async throws
    {
        try await withSandbox({ $0.accessTokenLifetime = 15 }) { sandbox in
            let issuer = try await sandbox.issuer()
            let token = try await issuer.tokens().access_token
            let device = try await sandbox.device()
            let stream = try OpenStream(sandbox, ["Authorization": "Bearer \(token)"])
            try await stream.opened()
            let id = try await device.begin("Hello")
            let event = try #require(try await stream.events(1).first)
            guard case .messageCreated(let data) = event.payload else {
                Issue.record("a message is told")
                return
            }
            #expect(data.conversationID == id && data.message.text == "Hello")
            try await eventually("end of the stream") { stream.isEnded }
            #expect(try await !issuer.works(token))
        }
    }

    @Test func `A staff event stream ends when its token is revoked`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            let stream = try OpenStream(sandbox, ["Authorization": "Bearer \(tokens.access_token)"])
            try await stream.opened()
            let revoked = try await issuer.post(
                "revoke", ["client_id": "cutied", "token": tokens.refresh_token ?? ""])
            #expect(revoked.status == 200)
            try await eventually("end of the stream") { stream.isEnded }
        }
    }

    @Test func `A staff token without read permission gets no events`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens(["scope": "openid messages:write"])
            let bearer = ["Authorization": "Bearer \(tokens.access_token)"]
            for path in ["/v1/events", "/v1/events/stream"] {
                let answer = try await sandbox.call("GET", path, bearer)
                #expect(answer.status == 403 && answer.code == .insufficientScope)
            }
            let stranger = ["Authorization": "Bearer cutie_at_guess"]
            #expect(try await sandbox.call("GET", "/v1/events/stream", stranger).status == 401)
        }
    }
}
