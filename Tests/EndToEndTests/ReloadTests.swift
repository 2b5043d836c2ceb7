import Foundation
import TestSupport
import Testing

@Suite struct `Reloading the configuration` {
    @Test
    func `The error for an invalid configuration has a file and line, and the active configuration is kept`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            try fixture.configure("notifications: {max_popups: many}")
            let refused = try await fixture.daemon.ctl("reload")
            #expect(refused.code == 78)
            #expect(refused.error.contains("config.yaml:4"))
            #expect(refused.error.contains("max_popups"))
            #expect(try await fixture.daemon.fetchStatus().state == "connected")
            fixture.daemon.signal(SIGHUP)
            try await eventually("the refusal in the journal") {
                fixture.daemon.journal.components(separatedBy: "the configuration was not accepted").count
                    == 3
            }
            #expect(try await fixture.daemon.fetchStatus().state == "connected")
            try FileManager.default.removeItem(atPath: fixture.daemon.configurationFile)
            #expect(try await fixture.daemon.ctl("reload").code == 78)
            let popup = try await fixture.showReply("Still", "here")
            #expect(popup.body == "here")
        }
    }

    @Test(arguments: [
        ("tls: {ca_file: /gone/ca.pem}", "config.yaml:4: tls.ca_file: /gone/ca.pem cannot be read"),
        (
            "tls: {ca_file: /etc/hostname}",
            "config.yaml:4: tls.ca_file: /etc/hostname contains no PEM certificate"
        ),
        (
            "hooks: {on_reply: [no-such-program]}",
            "config.yaml:4: hooks.on_reply: no-such-program is not in PATH"
        ),
        (
            "rules: [{match: {priority: huge}, then: {show: true}}]",
            "config.yaml:4: rules[0].match.priority: must be one of low, normal, high, urgent"
        ),
    ])
    func `A configuration with an unusable value is rejected on reload and reported by doctor`(
        line: String, reason: String
    ) async throws {
        try await EndToEndFixture.with { fixture in
            try fixture.configure(line)
            let refused = try await fixture.daemon.ctl("reload", "--json")
            #expect(refused.code == 78)
            #expect(
                refused.error.contains(reason.replacing("/", with: "\\/")) || refused.error.contains(reason))
            let advised = ["correct the path", "export the CA", "install the program", "correct it"]
            #expect(advised.count { refused.error.contains($0) } == 1, "\(refused.error)")
            #expect(refused.error.contains("reload again; the previous config remains in effect"))
            #expect(try await fixture.daemon.fetchStatus().state == "connected")
            let doctor = try SpawnedProgram(
                BuiltProduct.path(of: "cutied"), ["doctor"], environment: fixture.daemon.environment)
            #expect(try await doctor.waitForExit() == 78)
            #expect(
                doctor.standardOutput.replacing(/\s+/, with: " ").contains(reason), "\(doctor.standardOutput)"
            )
        }
    }

    @Test func `On SIGHUP, a valid configuration is loaded without a reconnect`() async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Preview")
            func countConnectionChanges() async throws -> Int {
                try await fixture.daemon.fetchLog().filter { $0.type == "state" && $0.account != nil }.count
            }
            let before = try await countConnectionChanges()
            try fixture.configure("notifications: {preview: count}")
            fixture.daemon.signal(SIGHUP)
            try await eventually("the configuration is reloaded") {
                fixture.daemon.journal.contains("configuration reloaded")
            }
            try await fixture.sandbox.reply("Secret", in: conversation)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.summary == "1 new reply")
            #expect(popup.body.isEmpty)
            #expect(try await countConnectionChanges() == before)
        }
    }

    @Test func `Rules apply after a reload, and "explain" names the rule that suppressed a reply`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let quiet = try await fixture.daemon.startConversation("Quiet"),
                loud = try await fixture.daemon.startConversation("Loud")
            try fixture.configure(
                """
                rules:
                  - {match: {conversation: \(loud)}, then: {urgency: critical}}
                  - {match: {category: question}, then: {show: silent}}
                """)
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            let kept = try await fixture.sandbox.reply("Not seen", in: quiet)
            try await fixture.sandbox.reply("Seen", in: loud)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.body == "Seen")
            #expect(popup.hints["urgency"] == "2")
            try await fixture.daemon.waitForBadge(2)
            let explanation = try await fixture.daemon.ctl("explain", kept).output
            #expect(explanation.contains("not shown: rule 2 of the configuration (category = question)"))
            #expect(explanation.contains("by stream\n"))
        }
    }

    @Test func `Repeated switching between two configurations neither loses nor repeats messages`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("To and fro", "Zero")
            for _ in 0..<3 {
                for lines in ["poll_interval: 1\ntransport: poll", ""] {
                    try fixture.configure(lines)
                    #expect(try await fixture.daemon.ctl("reload").code == 0)
                }
            }
            try await fixture.daemon.waitUntilConnected(by: "stream")
            #expect(try await fixture.daemon.ctl("reply", conversation, "One").code == 0)
            try await fixture.sandbox.reply("Two", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            #expect(
                try await fixture.notificationServer.waitForNotifications(atLeast: 1).map(\.body) == ["Two"])
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "One", "Two"])
            #expect(try await fixture.daemon.fetchStatus().accounts.count == 1)
        }
    }

    @Test func `A reload adds and removes accounts, and the data of a removed account is kept`() async throws
    {
        try await EndToEndFixture.with { fixture in
            let other = try await SandboxFixture(appID: "app_club")
            var replies = try await ConversationActions(of: 1, in: fixture)
            try await replies.send(2)
            try await fixture.daemon.waitForBadge(2)
            try fixture.configure("accounts: {club: {app_id: app_club, api_url: \"\(other.url)\"}}")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await fixture.daemon.waitUntilConnected()
            #expect(
                try await fixture.daemon.fetchStatus().accounts.map(\.name).sorted() == ["club", "default"])
            try fixture.daemon.configure("accounts: {club: {app_id: app_club, api_url: \"\(other.url)\"}}")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            #expect(try await fixture.daemon.fetchStatus().accounts.map(\.name) == ["club"])
            try await fixture.daemon.waitForBadge(0)
            #expect(try await fixture.daemon.ctl("show", replies.conversations[0]).code == 66)
            try fixture.configure()
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await fixture.daemon.waitForBadge(2)
            try await replies.send(1)
            try await fixture.daemon.waitForBadge(3)
            try await replies.expectInLogOnce()
            try await fixture.daemon.stop()
            try await other.stop()
        }
    }

    @Test func `The command ctl reconnect reconnects without losing a reply`() async throws {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            for _ in 0..<5 {
                async let reconnected = fixture.daemon.ctl("reconnect")
                try await replies.send(4)
                #expect(try await reconnected.code == 0)
            }
            try await fixture.daemon.waitForBadge(20)
            try await fixture.daemon.waitUntilConnected()
            try await replies.announced()
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
        }
    }
}
