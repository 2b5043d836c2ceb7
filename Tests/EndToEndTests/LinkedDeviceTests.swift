import Foundation
import TestSupport
import Testing

@Suite struct `A second device of the same user` {
    @Test(arguments: Way.allCases)
    func `Reading on the other device closes the notification here and lowers the badge`(_ way: Way)
        async throws
    {
        try await Household.with(way.furnish) { home in
            let phone = try await home.linkPhone()
            let read = try await phone.converse("On the phone"), kept = try await phone.converse("Kept")
            try await home.sandbox.reply("One", in: read)
            try await home.sandbox.reply("Two", in: kept)
            let popups = try await home.popups.notifications(atLeast: 2)
            try await home.daemon.badge(2)
            try await phone.read(read)
            try await home.daemon.badge(1)
            let gone = try #require(popups.first { $0.body == "One" }).id
            try await eventually("the pop-up closed") { try home.popups.closeRequests.contains(gone) }
            #expect(try home.popups.closeRequests == [gone])
            let reply = try #require(try await home.daemon.thread(read).messages.last)
            #expect(try await home.daemon.ledger(of: reply.messageId).stages.contains("read"))
        }
    }

    @Test(arguments: Way.allCases)
    func `Messages that the other device read while we were offline are read when we are back`(_ way: Way)
        async throws
    {
        try await Household.with(way.furnish) { home in
            let phone = try await home.linkPhone()
            let conversation = try await phone.converse("Read while away")
            let other = try await phone.converse("Unread")
            try await home.sandbox.reply("Seen", in: conversation)
            try await home.daemon.badge(1)
            let popup = try await home.popups.notifications(atLeast: 1)[0]
            try await home.daemon.stop()
            try await home.sandbox.reply("Seen, too", in: conversation)
            try await phone.read(conversation)
            try await home.sandbox.reply("Not seen", in: other)
            try await home.daemon.start()
            try await home.daemon.badge(1)
            try await eventually("the pop-up closed") { try home.popups.closeRequests.contains(popup.id) }
            let popups = try await home.popups.notifications(atLeast: 2)
            #expect(popups.map(\.body) == ["Seen", "Not seen"])
        }
    }

    @Test func `Reading on the other device is seen here after a restart of either side`() async throws {
        try await Household.with { home in
            let phone = try await home.linkPhone()
            let first = try await phone.converse("First"), second = try await phone.converse("Second")
            try await home.sandbox.reply("One", in: first)
            try await home.sandbox.reply("Two", in: second)
            let popups = try await home.popups.notifications(atLeast: 2)
            try await home.daemon.badge(2)
            try await home.daemon.restart()
            try await home.daemon.connected()
            try await phone.read(first)
            try await home.daemon.badge(1)
            let one = try #require(popups.first { $0.body == "One" }).id
            try await eventually("its pop-up closed") { try home.popups.closeRequests == [one] }
            try await home.sandbox.stop()
            try await home.sandbox.start()
            try await phone.read(second)
            try await home.daemon.badge(0)
            try await eventually("both closed") { try home.popups.closeRequests.count >= 2 }
        }
    }

    @Test(arguments: Way.allCases)
    func `Reading on the other device while the API is unreachable closes the notification later`(_ way: Way)
        async throws
    {
        try await Household.with(way.furnish) { home in
            let phone = try await home.linkPhone()
            let conversation = try await phone.converse("Far away")
            try await home.sandbox.reply("One", in: conversation)
            let popup = try await home.popups.notifications(atLeast: 1)[0]
            try await home.daemon.badge(1)
            try await home.sandbox.whileUnreachable { elsewhere in
                try await elsewhere.device(phone.id).read(conversation)
            }
            try await home.daemon.badge(0)
            try await eventually("its pop-up closed") { try home.popups.closeRequests == [popup.id] }
        }
    }

    @Test func `Two daemons of one user see each other's changes`() async throws {
        try await Household.with { home in
            let bus = try await PrivateBus()
            let laptop = try DaemonFixture(
                session: bus.environment, configuration: "app_id: app_sandbox\napi_url: \(home.sandbox.url)\n"
            )
            try await laptop.start()
            try await laptop.connected()
            let twin = try await home.sandbox.device(laptop.status().accounts[0].deviceId)
            try await home.device().link(twin)
            let conversation = try await home.daemon.converse("Everywhere")
            try await home.sandbox.replies(["One", "Two"], in: conversation)
            try await home.daemon.badge(2)
            try await laptop.badge(2)
            #expect(try await laptop.ctl("clear-badge").code == 0)
            #expect(try await home.daemon.status().badge.total == 2)
            #expect(try await laptop.ctl("read", conversation).code == 0)
            try await home.daemon.badge(0)
            try await eventually("the pop-up closed") { try home.popups.standingFor.isEmpty }
            try await laptop.stop()
            try await bus.die()
        }
    }
}

extension Household {
    /// Links a device without a daemon, so that it shares the inbox of the daemon.
    func linkPhone() async throws -> SandboxFixture.Device {
        let phone = try await sandbox.device("device_" + UUID().uuidString)
        try await device().link(phone)
        return phone
    }
}
