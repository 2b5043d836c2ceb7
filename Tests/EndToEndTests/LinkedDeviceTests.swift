import Foundation
import TestSupport
import Testing

@Suite struct `A second device of the same user` {
    @Test(arguments: ForcedTransport.allCases)
    func `Reading a message on another device closes its notification and decreases the badge on this device`(
        _ transport: ForcedTransport
    )
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            let phone = try await fixture.linkPhone()
            let read = try await phone.startConversation("On the phone"),
                kept = try await phone.startConversation("Kept")
            try await fixture.sandbox.reply("One", in: read)
            try await fixture.sandbox.reply("Two", in: kept)
            let notifications = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            try await fixture.daemon.waitForBadge(2)
            try await phone.read(read)
            try await fixture.daemon.waitForBadge(1)
            let gone = try #require(notifications.first { $0.body == "One" }).id
            try await eventually("the notification closed") {
                try fixture.notificationServer.closeRequests.contains(gone)
            }
            #expect(try fixture.notificationServer.closeRequests == [gone])
            let reply = try #require(try await fixture.daemon.fetchThread(read).messages.last)
            #expect(try await fixture.daemon.fetchLedger(of: reply.messageId).stages.contains("read"))
        }
    }

    @Test(arguments: ForcedTransport.allCases)
    func `Messages that are read on another device while this device is offline are marked read later`(
        _ transport: ForcedTransport
    )
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            let phone = try await fixture.linkPhone()
            let conversation = try await phone.startConversation("Read while away")
            let other = try await phone.startConversation("Unread")
            try await fixture.sandbox.reply("Seen", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            try await fixture.daemon.stop()
            try await fixture.sandbox.reply("Seen, too", in: conversation)
            try await phone.read(conversation)
            try await fixture.sandbox.reply("Not seen", in: other)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForBadge(1)
            try await eventually("the notification closed") {
                try fixture.notificationServer.closeRequests.contains(popup.id)
            }
            let notifications = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(notifications.map(\.body) == ["Seen", "Not seen"])
        }
    }

    @Test func `Messages read on another device are marked read after a restart of the daemon or the server`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let phone = try await fixture.linkPhone()
            let first = try await phone.startConversation("First"),
                second = try await phone.startConversation("Second")
            try await fixture.sandbox.reply("One", in: first)
            try await fixture.sandbox.reply("Two", in: second)
            let notifications = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            try await fixture.daemon.waitForBadge(2)
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            try await phone.read(first)
            try await fixture.daemon.waitForBadge(1)
            let one = try #require(notifications.first { $0.body == "One" }).id
            try await eventually("the notification is closed") {
                try fixture.notificationServer.closeRequests == [one]
            }
            try await fixture.sandbox.stop()
            try await fixture.sandbox.start()
            try await phone.read(second)
            try await fixture.daemon.waitForBadge(0)
            try await eventually("both notifications are closed") {
                try fixture.notificationServer.closeRequests.count >= 2
            }
        }
    }

    @Test(arguments: ForcedTransport.allCases)
    func `A notification is closed after an API outage if its message was read elsewhere during the outage`(
        _ transport: ForcedTransport
    )
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            let phone = try await fixture.linkPhone()
            let conversation = try await phone.startConversation("Far away")
            try await fixture.sandbox.reply("One", in: conversation)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            try await fixture.daemon.waitForBadge(1)
            try await fixture.sandbox.whileUnreachable { elsewhere in
                try await elsewhere.device(phone.id).read(conversation)
            }
            try await fixture.daemon.waitForBadge(0)
            try await eventually("the notification is closed") {
                try fixture.notificationServer.closeRequests == [popup.id]
            }
        }
    }

    @Test func `Two daemons of the same user each apply the other daemon's changes`() async throws {
        try await EndToEndFixture.with { fixture in
            let bus = try await PrivateBus()
            let laptop = try DaemonFixture(
                session: bus.environment,
                configuration: "app_id: app_sandbox\napi_url: \(fixture.sandbox.url)\n"
            )
            try await laptop.start()
            try await laptop.waitUntilConnected()
            let twin = try await fixture.sandbox.device(laptop.fetchStatus().accounts[0].deviceId)
            try await fixture.makeDevice().link(twin)
            let conversation = try await fixture.daemon.startConversation("Everywhere")
            try await fixture.sandbox.sendReplies(["One", "Two"], in: conversation)
            try await fixture.daemon.waitForBadge(2)
            try await laptop.waitForBadge(2)
            #expect(try await laptop.ctl("clear-badge").code == 0)
            #expect(try await fixture.daemon.fetchStatus().badge.total == 2)
            #expect(try await laptop.ctl("read", conversation).code == 0)
            try await fixture.daemon.waitForBadge(0)
            try await eventually("the notification closed") {
                try fixture.notificationServer.standingFor.isEmpty
            }
            try await laptop.stop()
            try await bus.killProcess()
        }
    }
}

extension EndToEndFixture {
    /// Creates a device without a daemon and links it, so that it shares the inbox of the daemon.
    func linkPhone() async throws -> SandboxFixture.Device {
        let phone = try await sandbox.device("device_" + UUID().uuidString)
        try await makeDevice().link(phone)
        return phone
    }
}
