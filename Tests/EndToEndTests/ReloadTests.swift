import Foundation
import TestSupport
import Testing

@Suite struct `Reloading the configuration` {
    @Test func `An invalid configuration is refused with file and line, and the old one stays in force`()
        async throws
    {
        try await Household.with { home in
            try home.configure("notifications: {max_popups: many}")
            let refused = try await home.daemon.ctl("reload")
            #expect(refused.code == 78)
            #expect(refused.error.contains("config.yaml:4"))
            #expect(refused.error.contains("max_popups"))
            #expect(try await home.daemon.status().state == "connected")
            home.daemon.signal(SIGHUP)
            try await eventually("the refusal in the journal") {
                home.daemon.journal.components(separatedBy: "the configuration was not accepted").count == 3
            }
            #expect(try await home.daemon.status().state == "connected")
            try FileManager.default.removeItem(atPath: home.daemon.configurationFile)
            #expect(try await home.daemon.ctl("reload").code == 78)
            let popup = try await home.popup("Still", "here")
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
            "rules: [{match: {priority: huge}, then: {show: true}}]",
            "config.yaml:4: rules[0].match.priority: must be one of low, normal, high, urgent"
        ),
    ])
    func `Reload refuses and doctor reports a configuration that can never work`(
        line: String, reason: String
    ) async throws {
        try await Household.with { home in
            try home.configure(line)
            let refused = try await home.daemon.ctl("reload", "--json")
            #expect(refused.code == 78)
            #expect(
                refused.error.contains(reason.replacing("/", with: "\\/")) || refused.error.contains(reason))
            #expect(try await home.daemon.status().state == "connected")
            let doctor = try SpawnedProgram(
                BuiltProduct.path(of: "cutied"), ["doctor"], environment: home.daemon.environment)
            #expect(try await doctor.exit() == 78)
            #expect(
                doctor.standardOutput.replacing(/\s+/, with: " ").contains(reason), "\(doctor.standardOutput)"
            )
        }
    }

    @Test func `SIGHUP loads a valid configuration without a reconnect`() async throws {
        try await Household.with { home in
            let conversation = try await home.daemon.converse("Preview")
            let before = try await home.daemon.log().filter { $0.type == "state" }.count
            try home.configure("notifications: {preview: count}")
            home.daemon.signal(SIGHUP)
            try await eventually("reloaded") { home.daemon.journal.contains("configuration reloaded") }
            try await home.sandbox.reply("Secret", in: conversation)
            let popup = try await home.popups.notifications(atLeast: 1)[0]
            #expect(popup.summary == "1 new reply")
            #expect(popup.body.isEmpty)
            #expect(try await home.daemon.log().filter { $0.type == "state" }.count == before)
        }
    }

    @Test func `Rules apply from the reload on, and "explain" names the rule that suppressed a reply`()
        async throws
    {
        try await Household.with { home in
            let quiet = try await home.daemon.converse("Quiet"), loud = try await home.daemon.converse("Loud")
            try home.configure(
                """
                rules:
                  - {match: {conversation: \(loud)}, then: {urgency: critical}}
                  - {match: {category: question}, then: {show: silent}}
                """)
            #expect(try await home.daemon.ctl("reload").code == 0)
            let kept = try await home.sandbox.reply("Not seen", in: quiet)
            try await home.sandbox.reply("Seen", in: loud)
            let popup = try await home.popups.notifications(atLeast: 1)[0]
            #expect(popup.body == "Seen")
            #expect(popup.hints["urgency"] == "2")
            try await home.daemon.badge(2)
            let told = try await home.daemon.ctl("explain", kept).output
            #expect(told.contains("not shown: rule 2 of the configuration (category = question)"))
            #expect(told.contains("by stream\n"))
        }
    }

    @Test func `Switching between two configurations leaves one daemon running`() async throws {
        try await Household.with { home in
            let conversation = try await home.daemon.converse("To and fro", "Zero")
            for _ in 0..<3 {
                for lines in ["poll_interval: 1\ntransport: poll", ""] {
                    try home.configure(lines)
                    #expect(try await home.daemon.ctl("reload").code == 0)
                }
            }
            try await home.daemon.connected(by: "stream")
            #expect(try await home.daemon.ctl("reply", conversation, "One").code == 0)
            try await home.sandbox.reply("Two", in: conversation)
            try await home.daemon.badge(1)
            #expect(try await home.popups.notifications(atLeast: 1).map(\.body) == ["Two"])
            #expect(try await home.sandbox.texts(in: conversation) == ["Zero", "One", "Two"])
            #expect(try await home.daemon.status().accounts.count == 1)
        }
    }

    @Test func `A reload adds and removes accounts, and a removed account's data is kept`() async throws {
        try await Household.with { home in
            let other = try await SandboxFixture(appID: "app_club")
            var replies = try await ConversationActions(of: 1, in: home)
            try await replies.send(2)
            try await home.daemon.badge(2)
            try home.configure("accounts: {club: {app_id: app_club, api_url: \"\(other.url)\"}}")
            #expect(try await home.daemon.ctl("reload").code == 0)
            try await home.daemon.connected()
            #expect(try await home.daemon.status().accounts.map(\.name).sorted() == ["club", "default"])
            try home.daemon.configure("accounts: {club: {app_id: app_club, api_url: \"\(other.url)\"}}")
            #expect(try await home.daemon.ctl("reload").code == 0)
            #expect(try await home.daemon.status().accounts.map(\.name) == ["club"])
            try await home.daemon.badge(0)
            #expect(try await home.daemon.ctl("show", replies.conversations[0]).code == 66)
            try home.configure()
            #expect(try await home.daemon.ctl("reload").code == 0)
            try await home.daemon.badge(2)
            try await replies.send(1)
            try await home.daemon.badge(3)
            try await replies.expectInLogOnce()
            try await home.daemon.stop()
            try await other.stop()
        }
    }

    @Test func `The verb "reconnect" drops the connections and loses nothing`() async throws {
        try await Household.with { home in
            var replies = try await ConversationActions(of: 2, in: home)
            for _ in 0..<5 {
                async let reconnected = home.daemon.ctl("reconnect")
                try await replies.send(4)
                #expect(try await reconnected.code == 0)
            }
            try await home.daemon.badge(20)
            try await home.daemon.connected()
            try await replies.announced()
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
        }
    }
}
