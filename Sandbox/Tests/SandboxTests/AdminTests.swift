import CutieAPI
import Sandbox
import TestSupport
import Testing

@Suite struct AdminTests {
    @Test func `A client gets no token if its secret is missing or wrong`() async throws {
        try await withSandbox({ $0.client = OAuthClient(id: "me", secret: "mine") }) { sandbox in
            let admin = try await sandbox.admin()
            #expect(sandbox.address.client == OAuthClient(id: "me", secret: "mine"))
            #expect(admin.tokens.token_type == "Bearer" && admin.tokens.expires_in == 3600)
            func ask(_ body: String) async throws -> Int {
                try await sandbox.call("POST", "/v1/auth/oauth/token", [:], body).status
            }
            let grant = #""grant_type":"client_credentials""#
            #expect(try await ask(#"{\#(grant),"client_id":"me","client_secret":"wrong"}"#) == 401)
            #expect(try await ask(#"{\#(grant)}"#) == 401)
            #expect(try await ask(#"{"grant_type":"password"}"#) == 400)
            #expect(try await ask("{}") == 400)
        }
    }

    @Test
    func `A refresh token can be used only once, and an access token cannot be used as a refresh token`()
        async throws
    {
        try await withSandbox { sandbox in
            let admin = try await sandbox.admin()
            func refresh(_ token: String) async throws -> RunningSandbox.Answer {
                let body = #"{"grant_type":"refresh_token","refresh_token":"\#(token)"}"#
                return try await sandbox.call("POST", "/v1/auth/oauth/token", [:], body)
            }
            let fresh: TestAdmin.Tokens = try await refresh(admin.tokens.refresh_token).decoded()
            let again = TestAdmin(sandbox: sandbox, tokens: fresh)
            #expect(try await again.call("GET", "/v1/tags").status == 200)
            #expect(try await refresh(admin.tokens.refresh_token).status == 400)
            #expect(try await refresh(fresh.access_token).status == 400)
            let swapped = ["Authorization": "Bearer \(fresh.refresh_token)"]
            #expect(try await sandbox.call("GET", "/v1/tags", swapped).status == 401)
        }
    }

    @Test func `An admin can list and filter the conversations of all users`() async throws {
        try await withSandbox { sandbox in
            let admin = try await sandbox.admin()
            let one = try await sandbox.device().begin()
            let two = try await sandbox.device().begin()
            let path = "/v1/conversations"
            let closed = try await admin.call("PATCH", "\(path)/\(one)", #"{"status":"closed"}"#)
            #expect(try closed.decoded(Conversation.self).status == .closed)
            func list(_ query: String) async throws -> [Conversation.ID] {
                let page: ConversationPage = try await admin.call("GET", path + query).decoded()
                return page.conversations.map(\.id)
            }
            #expect(try await list("") == [one, two])
            #expect(try await list("?status=closed") == [one])
            #expect(try await list("?status=open&category=bug") == [two])
            #expect(try await list("?category=feature").isEmpty)
            #expect(try await admin.call("GET", path + "?status=lost").status == 422)
        }
    }

    @Test func `Changes by an admin are sent to the device`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            let path = "/v1/conversations/\(id)"
            let cursor = try await device.poll(after: nil).cursor
            #expect(try await admin.call("PATCH", path, #"{"priority":"urgent"}"#).status == 200)
            #expect(try await admin.call("POST", path + "/assign", #"{"admin_id":"emma"}"#).status == 200)
            #expect(try await admin.call("POST", path + "/tags", #"{"tag":"big deal"}"#).status == 200)
            #expect(try await admin.call("POST", path + "/tags", #"{"tag":"big deal"}"#).status == 200)
            #expect(try await admin.call("DELETE", path + "/tags/big%20deal").status == 200)
            #expect(try await admin.call("POST", path + "/assign", #"{"admin_id":null}"#).status == 200)
            let events = try await device.poll(after: cursor).events.compactMap { event in
                if case .conversationUpdated(let conversation) = event.payload { conversation } else { nil }
            }
            #expect(events.map(\.priority) == Array(repeating: .urgent, count: 5))
            #expect(events.map(\.assignedAdminID) == [nil, "emma", "emma", "emma", nil])
            #expect(events.map { $0.tags?.map(\.name) } == [[], [], ["big deal"], [], []])
            #expect(events.allSatisfy { $0.messages == nil })
            #expect(try await admin.call("PATCH", path, #"{"priority":"huge"}"#).status == 422)
            #expect(try await admin.call("POST", path + "/assign", "{}").status == 422)
        }
    }

    @Test func `A canned response is sent with its variables replaced`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            struct Canned: Decodable { let response_id: String }
            let canned: Canned = try await admin.call(
                "POST", "/v1/canned-responses",
                #"{"title":"Hello","content":"Hi {{name}}, {{ app }} is {{name}}'s"}"#
            ).decoded()
            let path = "/v1/conversations/\(id)/canned-responses/\(canned.response_id)/use"
            let used = try await admin.call("POST", path, #"{"variables":{"name":"{{app}}","app":"Cuti"}}"#)
            #expect(try used.decoded(Message.self).text == "Hi {{app}}, Cuti is {{app}}'s")
            #expect(try await admin.call("POST", path, "{}").status == 422)
            #expect(try await admin.call("POST", path + "less", "{}").status == 404)
            #expect(try await device.list().totalUnread == 1)
            let list = try await admin.call("GET", "/v1/canned-responses").decoded([String: [Canned]].self)
            #expect(list["canned_responses"]?.map(\.response_id) == [canned.response_id])
        }
    }

    @Test func `The analytics contain the number of existing conversations`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            _ = try await device.begin()
            struct Times: Decodable {
                let answered: Int
                let average_first_response_seconds: Double?
            }
            let path = "/v1/analytics/response-times"
            let none: Times = try await admin.call("GET", path).decoded()
            #expect(none.answered == 0 && none.average_first_response_seconds == nil)
            try await admin.reply(to: id)
            struct Stats: Decodable {
                let total: Int
                let by_status: [String: Int]
                let by_category: [String: Int]
            }
            let stats: Stats = try await admin.call("GET", "/v1/analytics/conversation-stats?days=1")
                .decoded()
            #expect(stats.total == 2 && stats.by_status == ["open": 2] && stats.by_category == ["bug": 2])
            let times: Times = try await admin.call("GET", path).decoded()
            #expect(times.answered == 1 && times.average_first_response_seconds ?? -1 >= 0)
            #expect(try await admin.call("GET", path + "?days=0").status == 422)
        }
    }

    @Test func `The admin client sends replies, and throws a specific error if a reply is refused`()
        async throws
    {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let id = try await device.begin()
            let client = try AdminClient(url: sandbox.address.url, client: sandbox.address.client)
            let message = try await client.reply("Hello ☃", to: id.rawValue)
            let last = try await device.conversation(id).messages?.last
            #expect(last?.id.rawValue == message && last?.text == "Hello ☃")
            _ = try await client.reply("hidden", to: id.rawValue, isNote: true)
            #expect(try await device.conversation(id).messages?.count == 2)
            let lost = await #expect(throws: SandboxError.self) {
                _ = try await client.reply("x", to: "../../v1/tags?x")
            }
            #expect(lost?.code == .notFound)
            let stranger = OAuthClient(id: sandbox.address.client.id, secret: "guess")
            let refused = await #expect(throws: SandboxError.self) {
                _ = try await AdminClient(url: sandbox.address.url, client: stranger).reply("x", to: "y")
            }
            #expect(refused?.code == .notAuthorized)
        }
    }
}
