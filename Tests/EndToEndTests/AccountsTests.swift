import Foundation
import TestSupport
import Testing

@Suite struct `Two accounts in one daemon` {
    @Test func `Each account uses its own server, and the badge is the sum over both accounts`() async throws
    {
        try await withTwoAccounts { fixture, other in
            let work = try await fixture.daemon.startConversation("At work", account: "work")
            let club = try await fixture.daemon.startConversation("At the club", account: "club")
            try await fixture.sandbox.sendReplies(["One", "Two"], in: work)
            try await other.reply("Three", in: club)
            try await fixture.daemon.waitForBadge(3)
            let status = try await fixture.daemon.fetchStatus()
            #expect(status["work"]?.badge.total == 2)
            #expect(status["club"]?.badge.total == 1)
            #expect(status["club"]?.apiUrl == other.url)
            #expect(try await fixture.daemon.fetchThread(club).conversation.account == "club")
            #expect(try await fixture.daemon.ctl("clear-badge", "--account", "work").code == 0)
            #expect(try await fixture.daemon.fetchStatus().badge.total == 1)
            let inbox: InboxRecord = try await fixture.daemon.control.call(
                "ListConversations", ["account": "work"])
            #expect(inbox.conversations.map(\.conversationId) == [work])
            #expect(inbox.badge.unread == 2)
            #expect(inbox.badge.conversations.isEmpty)
        }
    }

    @Test func `A command for a single account requires the account's name and rejects an unknown name`()
        async throws
    {
        try await withTwoAccounts { fixture, _ in
            let unnamed = try await fixture.daemon.ctl("new", "--category", "bug", "Whose?")
            #expect(unnamed.code == 65)
            #expect(unnamed.error.contains("work"))
            #expect(unnamed.error.contains("club"))
            for verb in [["status"], ["inbox"], ["read", "--all"], ["clear-badge"], ["reconnect"]] {
                let program = try fixture.daemon.startVerb(verb + ["--account", "nobody"])
                #expect(try await program.waitForExit() == 66, "\(verb)")
                #expect(program.standardError.contains("nobody"))
            }
        }
    }

    @Test func `An account stays connected if the server of another account is unreachable`() async throws {
        try await withTwoAccounts { fixture, other in
            try await other.stop()
            try await fixture.daemon.waitForStatus("the club is offline") { $0["club"]?.state == "offline" }
            let status = try await fixture.daemon.fetchStatus()
            #expect(status.state == "offline")
            #expect(status["work"]?.state == "connected")
            let work = try await fixture.daemon.startConversation("At work", account: "work")
            try await fixture.sandbox.reply("Still here", in: work)
            try await fixture.daemon.waitForBadge(1)
            try await other.start()
            try await fixture.daemon.waitUntilConnected()
        }
    }

    @Test func `A pending message is reported only for its own account`() async throws {
        try await withTwoAccounts { fixture, other in
            try await other.stop()
            let new = try fixture.daemon.startVerb(["new", "--category", "bug", "--account", "club", "Later"])
            try await fixture.daemon.waitForStatus("the sum") { $0.outbox == 1 }
            for (name, waiting, outboxText) in [("work", 0, "empty"), ("club", 1, "1 to send")] {
                let status = try await fixture.daemon.ctl("status", "--account", name)
                #expect(status.output.contains("outbox         \(outboxText)\n"), "\(status.output)")
                let json = try await fixture.daemon.ctl("status", "--json", "--account", name).output
                let record = try JSONDecoder().decode(StatusRecord.self, from: Data(json.utf8))
                #expect(record.outbox == waiting && record.accounts[0].outbox == waiting, "\(name)")
            }
            try await other.start()
            try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
            try await new.waitForExit()
        }
    }

    @Test func `A conversation ID that exists in both accounts is ambiguous unless the account is given`()
        async throws
    {
        let apis = try (0..<2).map { _ in
            try ScriptedAPI([
                ScriptedAPI.stream: { connection, _, _ in
                    connection.beginStream()
                    connection.reply("e1", "m1", in: "c1", #","message":"To both""#)
                    return connection.waitForClose()
                }
            ])
        }
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                """
                accounts:
                  one: {app_id: app, api_url: "\(apis[0].url)"}
                  two: {app_id: app, api_url: "\(apis[1].url)"}
                """)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForBadge(2)
            for words in [["show", "c1"], ["explain", "m1"]] {
                let ambiguous = try await fixture.daemon.ctl(words[0], words[1])
                #expect(ambiguous.code == 65)
                #expect(ambiguous.error.contains("one, two"))
                let named = try await fixture.daemon.ctl(words[0], words[1], "--account", "two")
                #expect(named.code == 0)
                #expect(named.output.contains("To both"))
            }
        }
    }

    @Test func `Two accounts with linked devices share one inbox`() async throws {
        let same =
            "accounts: {one: {app_id: app_sandbox, api_url: URL}, two: {app_id: app_sandbox, api_url: URL}}\n"
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                same.replacing("URL", with: fixture.sandbox.url) + "questions: false\n")
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let status = try await fixture.daemon.fetchStatus()
            let one = try await fixture.sandbox.device(try #require(status["one"]).deviceId)
            try await one.link(try await fixture.sandbox.device(try #require(status["two"]).deviceId))
            let conversation = try await one.startConversation("Ours")
            let reply = try await fixture.sandbox.reply("To both", in: conversation)
            try await eventually("both accounts have the reply") {
                try await fixture.daemon.fetchStatus().accounts.allSatisfy { $0.badge.total == 1 }
            }
            try await eventually("the reply is shown") { try !fixture.notificationServer.standingFor.isEmpty }
            #expect(try await fixture.daemon.fetchStatus().badge.total == 1)
            #expect(try fixture.notificationServer.standingFor.values.reduce(0, +) == 1)
            #expect(try await fixture.daemon.fetchLoggedMessages().count { $0 == reply } == 1)
            #expect(try await fixture.daemon.ctl("explain", reply).code == 0)
            #expect(try await fixture.daemon.ctl("show", conversation).output.contains("To both"))
            #expect(try await fixture.daemon.ctl("read", conversation).code == 0)
            try await eventually("the reply is read in both accounts") {
                try await fixture.daemon.fetchStatus().accounts.allSatisfy { $0.badge.total == 0 }
            }
        }
    }

    private func withTwoAccounts(_ body: (EndToEndFixture, SandboxFixture) async throws -> Void) async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let other = try await SandboxFixture(appID: "app_club")
            try fixture.daemon.configure(
                """
                accounts:
                  work: {app_id: app_sandbox, api_url: "\(fixture.sandbox.url)"}
                  club: {app_id: app_club, api_url: "\(other.url)", transport: long-poll}
                """)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            try await body(fixture, other)
            try await fixture.daemon.stop()
            try await other.stop()
        }
    }
}
