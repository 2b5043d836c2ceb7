import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct `Two daemons linked on the command line` {
    @Test(arguments: ForcedTransport.allCases)
    func `Linked daemons share one inbox, and a message marked read by one daemon is marked read in both`(
        _ transport: ForcedTransport
    )
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            try await fixture.withLaptop { laptop in
                let mine = try await fixture.daemon.startConversation("On the desktop")
                let theirs = try await laptop.startConversation("On the laptop")
                let token = try await fixture.daemon.link(laptop, as: "laptop")
                for daemon in [fixture.daemon, laptop] {
                    try await eventually("the shared inbox") {
                        try await Set(daemon.fetchInbox().map(\.conversationId)) == [mine, theirs]
                    }
                }
                #expect(try await laptop.ctl("link", "status", token).output == "linked with laptop\n")
                #expect(try await fixture.daemon.ctl("link").output.contains("laptop"))

                try await fixture.sandbox.reply("To both", in: theirs)
                try await fixture.daemon.waitForBadge(1)
                try await laptop.waitForBadge(1)
                _ = try await fixture.notificationServer.waitForNotifications(atLeast: 1)
                #expect(try await laptop.ctl("read", theirs).code == 0)
                try await fixture.daemon.waitForBadge(0)
                try await eventually("the notification closed") {
                    try fixture.notificationServer.standingFor.isEmpty
                }
            }
        }
    }

    @Test(arguments: ForcedTransport.allCases)
    func `A removed device deletes its messages, and fetches the messages again after a new link`(
        _ transport: ForcedTransport
    )
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            try await fixture.withLaptop { laptop in
                let shared = try await laptop.startConversation("From the laptop")
                try await laptop.link(fixture.daemon, as: "desktop")
                try await fixture.sandbox.reply("Unread", in: shared)
                try await fixture.daemon.waitForBadge(1)
                _ = try await fixture.notificationServer.waitForNotifications(atLeast: 1)

                let device = try await fixture.daemon.fetchStatus().accounts[0].deviceId
                #expect(try await laptop.ctl("link", "remove", device).code == 0)
                try await fixture.daemon.waitForBadge(0)
                #expect(try await fixture.daemon.fetchInbox().isEmpty)
                #expect(try await fixture.daemon.ctl("search", "laptop").output.contains(shared) == false)
                #expect(try await fixture.daemon.ctl("show", shared).code == 66)
                try await eventually("the notification closed") {
                    try fixture.notificationServer.standingFor.isEmpty
                }
                #expect(try await laptop.fetchInbox().map(\.conversationId) == [shared])

                try await laptop.link(fixture.daemon, as: "desktop")
                try await fixture.daemon.waitForBadge(1)
                #expect(
                    try await fixture.daemon.fetchThread(shared).messages.map(\.message).contains("Unread"))
            }
        }
    }

    @Test(arguments: [ForcedTransport.stream, .poll])
    func `A device that leaves a shared inbox no longer sees the conversations of the other device`(
        _ transport: ForcedTransport
    )
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            try await fixture.withLaptop { laptop in
                _ = try await laptop.startConversation("From the laptop")
                try await laptop.link(fixture.daemon, as: "desktop")
                let device = try await fixture.daemon.fetchStatus().accounts[0].deviceId
                #expect(try await fixture.daemon.ctl("link", "remove", device).code == 0)
                #expect(try await fixture.daemon.fetchInbox().isEmpty)
                let own = try await fixture.daemon.startConversation("Alone")
                #expect(try await fixture.daemon.fetchInbox().map(\.conversationId) == [own])
            }
        }
    }

    @Test func `The exit code depends on why a device cannot be linked`() async throws {
        try await EndToEndFixture.with { fixture in
            #expect(try await fixture.daemon.ctl("link", "confirm", "cutie_lt_none").code == 66)
            #expect(try await fixture.daemon.ctl("link", "confirm", "two words").code == 65)
            #expect(try await fixture.daemon.ctl("link", "status", "cutie_lt_none").code == 66)
            #expect(try await fixture.daemon.ctl("link", "remove", "device_none").code == 66)
            let start = try fixture.daemon.startVerb(["link", "start", "--json"])
            try await eventually("the link is offered") { start.lines.count == 1 }
            let offer = try JSONDecoder().decode(Offer.self, from: Data(start.lines[0].utf8))
            #expect(offer.status == "pending")
            let itself = try await fixture.daemon.ctl("link", "confirm", offer.linkToken)
            #expect(itself.code == 1 && itself.error.contains("itself"))
            try await fixture.sandbox.stop()
            #expect(try await fixture.daemon.ctl("link", "start").code == 69)
            #expect(!fixture.daemon.journal.contains(offer.linkToken))
        }
    }

    @Test func `The devices of other accounts are listed even if the request of one account fails`()
        async throws
    {
        let liar = try ScriptedAPI([
            "GET /v1/sdk/link/devices": { connection, _, _ in
                connection.answer("503 Service Unavailable", body: #"{"error":"later"}"#)
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            let phone = try await fixture.sandbox.device("device_" + UUID().uuidString)
            let own = try #require(try await fixture.daemon.fetchStatus()["honest"]).deviceId
            try await fixture.sandbox.device(own).link(phone)
            try await fixture.daemon.waitForStatus("the account is connected") {
                $0["liar"]?.state == "connected"
            }
            let devices = try await fixture.daemon.ctl("link", "devices")
            #expect(devices.code == 0)
            #expect(devices.output.contains(phone.id) && devices.output.contains(own))
            #expect(devices.error.contains("liar"))
            let alone = try await fixture.daemon.ctl("link", "devices", "--account", "liar")
            #expect(alone.code == 69 && alone.output.isEmpty)
        }
    }

    @Test func `A link that is not confirmed in time is reported as expired`() async throws {
        try await EndToEndFixture.with { fixture in
            try await fixture.withLaptop { laptop in
                let start = try fixture.daemon.startVerb(["link", "start", "--json"])
                try await eventually("the link is offered") { start.lines.count == 1 }
                let offer = try JSONDecoder().decode(Offer.self, from: Data(start.lines[0].utf8))
                try await fixture.sandbox.expireCodes()
                #expect(try await start.waitForExit() == 1)
                #expect(start.lines.last?.contains(#""status":"expired""#) == true)
                let status = try await fixture.daemon.ctl("link", "status", offer.linkToken)
                #expect(status.code == 1 && status.output.hasPrefix("the link token has expired"))
                let late = try await laptop.ctl("link", "confirm", offer.linkToken)
                #expect(late.code == 66 && late.error.contains("it may have expired"), "\(late.error)")
            }
        }
    }

    @Test func `Joining a large inbox is confirmed immediately, before the conversations are fetched`()
        async throws
    {
        let isLinked = Mutex(false), isSlow = Mutex(true)
        let thread: ScriptedAPI.Responder = { connection, _, _ in
            // The confirmation must not wait for these slow responses. Otherwise, the confirmation would time
            // out.
            isSlow.withLock { $0 } ? connection.waitForClose() : connection.answer(body: Self.row)
        }
        let liar = try ScriptedAPI([
            "POST /v1/sdk/link/confirm": { connection, _, _ in
                isLinked.withLock { $0 = true }
                return connection.answer(body: #"{"success":true,"group_id":"g"}"#)
            },
            ScriptedAPI.list: { connection, _, _ in
                guard isLinked.withLock({ $0 }) else { return false }
                let other = Self.row.replacing("c1", with: "c2")
                return connection.answer(
                    body: #"{"conversations":[\#(Self.row),\#(other)],"total_unread":0}"#)
            },
            "GET /v1/conversations/c1": thread, "GET /v1/conversations/c2": thread,
        ])
        try await EndToEndFixture.with(liar) { fixture in
            try await fixture.daemon.waitForStatus("the account is connected") {
                $0["liar"]?.state == "connected"
            }
            let confirm = try await fixture.daemon.ctl("link", "confirm", "cutie_lt_1", "--account", "liar")
            #expect(confirm.code == 0, "\(confirm.error)")
            isSlow.withLock { $0 = false }
            try await eventually("the account's conversations") {
                try await fixture.daemon.fetchInbox().contains { $0.account == "liar" }
            }
        }
    }

    private static let row = #"{"conversation_id":"c1","status":"open","created_at":1,"updated_at":1}"#

    private struct Offer: Decodable {
        let linkToken: String
        let status: String
    }
}

extension EndToEndFixture {
    /// Runs `body` with a second daemon that uses the same API. The daemon has a separate session bus without
    /// a notification server.
    func withLaptop(_ body: (DaemonFixture) async throws -> Void) async throws {
        let elsewhere = try await PrivateBus()
        let laptop = try DaemonFixture(
            session: elsewhere.environment,
            configuration: "app_id: app_sandbox\napi_url: \(sandbox.url)\npoll_interval: 1\n")
        try await laptop.start()
        try await laptop.waitUntilConnected()
        try await body(laptop)
        try await laptop.stop()
        try await elsewhere.killProcess()
    }
}

extension DaemonFixture {
    /// Links two daemons: `link start` on this daemon prints a QR code, which `link confirm` on the other
    /// daemon uses.
    @discardableResult
    func link(_ other: DaemonFixture, as name: String) async throws -> String {
        let picture = directory.file("link.png")
        let start = try startVerb(["link", "start", "--png", picture])
        try await eventually("a QR code") { start.lines.contains { $0.hasPrefix("link token ") } }
        let reader = try ChildProcess("/usr/bin/zbarimg", ["--quiet", "--raw", picture])
        #expect(try await reader.waitForExit() == 0)
        let token = reader.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        let confirm = try await other.ctl("link", "confirm", token, "--name", name)
        #expect(confirm.code == 0, "\(confirm.error)")
        #expect(try await start.waitForExit() == 0, "\(start.standardError)")
        #expect(start.lines.last == "linked with \(name)")
        #expect(start.standardError.isEmpty)
        return token
    }
}
