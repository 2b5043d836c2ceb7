import Desktop
import Glibc
import NotificationPolicy
import TestSupport
import Testing

@Suite struct `The notifier with a recording server` {
    @Test func `The notifier reports the name of the notification server`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { _, notifier, _ in
                let server = try #require(await notifier.fetchServer())
                #expect(server.name == "recorder")
                #expect(server.specVersion == "1.2")
                #expect(server.capabilities == ["actions", "body", "body-markup", "persistence"])
            }
        }
    }

    @Test func `A notification is sent with its hints, its actions and its escaped body`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                var popup = DesktopNotification(summary: "Ada <Support>", body: "1 < 2 & <b>bold</b>")
                popup.urgency = .critical
                popup.stackTag = "conv_7"
                popup.desktopEntry = "io.cutied.Cutied"
                popup.iconName = "mail-unread"
                popup.imagePath = "/bin/sh"
                popup.expireMilliseconds = 7000
                popup.actions = [.init(id: "default", label: "Open"), .init(id: "reply", label: "Reply")]
                let id = try await notifier.show(popup)
                let seen = try await server.waitForNotifications(atLeast: 1)[0]
                #expect(seen.id == id)
                #expect(seen.replaces == 0)
                #expect(seen.application == "cutied")
                #expect(seen.summary == "Ada <Support>")
                #expect(seen.body == "1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;")
                #expect(seen.timeout == 7000)
                #expect(Set(seen.actions) == ["default", "Open", "reply", "Reply"])
                #expect(
                    seen.hints.filter { $0.key != "sender-pid" } == [
                        "urgency": "2", "desktop-entry": "io.cutied.Cutied", "category": "im.received",
                        "x-canonical-private-synchronous": "conv_7", "x-dunst-stack-tag": "conv_7",
                        "image-path": "/bin/sh", "sound-name": "message-new-instant",
                    ])
            }
        }
    }

    @Test func `Notifications contain neither markup nor actions if the server does not support them`() async
    {
        await #expect(processExitsWith: .success) {
            var plain = RecordingNotificationServer.Appearance()
            plain.capabilities = ["body"]
            try await withRecorder(as: plain) { server, notifier, _ in
                var popup = DesktopNotification(summary: "", body: "1 < 2 & 3")
                popup.actions = [.init(id: "default", label: "Open")]
                _ = try await notifier.show(popup)
                let seen = try await server.waitForNotifications(atLeast: 1)[0]
                #expect(seen.summary == "cutied")
                #expect(seen.body == "1 < 2 & 3")
                #expect(seen.actions.isEmpty)
            }
        }
    }

    @Test
    func
        `A body is truncated before it is escaped, and only transient notifications have the transient hint`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                var popup = DesktopNotification(summary: "s", body: String(repeating: "<", count: 1000))
                popup.isTransient = true
                _ = try await notifier.show(popup)
                popup.bodyLimit = 5
                popup.isTransient = false
                _ = try await notifier.show(popup)
                let seen = try await server.waitForNotifications(atLeast: 2)
                #expect(seen[0].body == String(repeating: "&lt;", count: 299) + "…")
                #expect(seen[1].body == "&lt;&lt;&lt;&lt;…")
                #expect(seen.map { $0.hints["transient"] } == ["true", nil])
            }
        }
    }

    @Test func `Only local files are used as images of a notification`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                let refused = [
                    "http://example.org/a.png", "file:///bin/sh", "bin/sh", "/dev/null", "/no/such/file",
                    "/bin/sh\0",
                ]
                for path in refused {
                    var popup = DesktopNotification(summary: "s", body: "b")
                    popup.imagePath = path
                    _ = try await notifier.show(popup)
                }
                let seen = try await server.waitForNotifications(atLeast: refused.count)
                #expect(seen.allSatisfy { $0.hints["image-path"] == nil })
            }
        }
    }

    @Test func `Updated notifications and notifications marked silent make no sound`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                var popup = DesktopNotification(summary: "s", body: "b")
                popup.isUpdate = true
                let id = try await notifier.show(popup)
                popup.isUpdate = false
                popup.sound = .silent
                #expect(try await notifier.show(popup, replacing: id) == id)
                popup.sound = .named("bell")
                _ = try await notifier.show(popup, replacing: id)
                let seen = try await server.waitForNotifications(atLeast: 3)
                #expect(seen.map { $0.hints["suppress-sound"] } == ["true", "true", nil])
                #expect(seen.map { $0.hints["sound-name"] } == [nil, nil, "bell"])
                #expect(seen.map(\.replaces) == [0, id, id])
            }
        }
    }

    @Test func `A replacement contains no hints or actions of the replaced notification`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                var popup = DesktopNotification(summary: "Ada", body: "one")
                popup.urgency = .critical
                popup.stackTag = "conv_7"
                popup.imagePath = "/bin/sh"
                popup.iconName = "mail-unread"
                popup.isTransient = true
                popup.expireMilliseconds = 7000
                popup.actions = [.init(id: "default", label: "Open"), .init(id: "reply", label: "Reply")]
                let id = try await notifier.show(popup)
                var other = DesktopNotification(summary: "Bob", body: "two")
                other.isUpdate = true
                other.actions = [.init(id: "take", label: "Assign to Me")]
                #expect(try await notifier.show(other, replacing: id) == id)
                let seen = try await server.waitForNotifications(atLeast: 2)[1]
                #expect([seen.summary, seen.body, seen.icon] == ["Bob", "two", ""])
                #expect(seen.timeout == -1)
                #expect(seen.actions == ["take", "Assign to Me"])
                #expect(
                    seen.hints.filter { $0.key != "sender-pid" } == [
                        "urgency": "1", "category": "im.received", "suppress-sound": "true",
                    ])
                try await server.invoke("take", on: id)
                #expect(try await log.first(1) == [.action(id: id, name: "take", activationToken: nil)])
            }
        }
    }

    @Test
    func `A click is reported with its activation token, and a closed notification with the reason`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                var popup = DesktopNotification(summary: "s", body: "b")
                popup.actions = [.init(id: "default", label: "Open"), .init(id: "reply", label: "Reply")]
                let id = try await notifier.show(popup)
                try await server.invoke("default", on: id, token: "token-1")
                try await server.invoke("reply", on: id)
                try await server.close(id, reason: 2)
                try await #expect(
                    log.first(3) == [
                        .action(id: id, name: "default", activationToken: "token-1"),
                        .action(id: id, name: "reply", activationToken: nil),
                        .closed(id: id, reason: .dismissed),
                    ])
            }
        }
    }

    @Test
    func `An expired notification is removed from the server's history; a dismissed notification is not`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                let popup = DesktopNotification(summary: "s", body: "b")
                let (expired, dismissed) = (try await notifier.show(popup), try await notifier.show(popup))
                try await server.close(expired, reason: 1)
                try await server.close(dismissed, reason: 2)
                _ = try await log.first(2)
                for id in [expired, dismissed, expired, 4711] { try await notifier.removeFromHistory(id) }
                #expect(server.closeRequests == [expired])
                #expect(await log.events.count == 2)
            }
        }
    }

    @Test func `Signals about other programs' notifications are ignored`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                var popup = DesktopNotification(summary: "s", body: "b")
                popup.actions = [.init(id: "default", label: "Open")]
                let id = try await notifier.show(popup)
                try await server.invoke("default", on: 4711, token: "foreign")
                try await server.close(4711)
                try await server.invoke("delete-everything", on: id)
                try await server.close(id, reason: 1)
                _ = try await notifier.show(popup)
                try await server.close(id + 1, reason: 77)
                try await #expect(
                    log.first(2) == [
                        .closed(id: id, reason: .expired), .closed(id: id + 1, reason: .undefined),
                    ])
            }
        }
    }

    @Test func `A click on a notification restored from the server's history is reported`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let log = EventLog(of: notifier)
                let server = try await RecordingNotificationServer(on: bus)
                var popup = DesktopNotification(summary: "s", body: "b")
                popup.actions = [.init(id: "default", label: "Open")]
                let id = try await notifier.show(popup)
                try await server.close(id)
                try await server.invoke("reply", on: id)
                try await server.invoke("default", on: id, token: "token-2")
                try await #expect(
                    log.first(2) == [
                        .closed(id: id, reason: .dismissed),
                        .action(id: id, name: "default", activationToken: "token-2"),
                    ])
                // The next server assigns the same ID to another program's notification.
                try await server.killProcess()
                let next = try await RecordingNotificationServer(on: bus)
                try await next.invoke("default", on: id)
                let other = try await notifier.show(DesktopNotification(summary: "s", body: "b"))
                try await next.close(other)
                try await #expect(log.first(3).last == .closed(id: other, reason: .dismissed))
            }
        }
    }

    @Test func `Clicking or closing a notification from an earlier run is reported`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                _ = await notifier.fetchServer()
                await notifier.adoptNotifications(withOpenIDs: [42])
                try await server.invoke("default", on: 42)
                try await server.reply("typed", to: 42)
                try await server.close(42)
                try await server.invoke("default", on: 42)
                let id = try await notifier.show(DesktopNotification(summary: "s", body: "b"))
                try await server.close(id)
                try await #expect(
                    log.first(4) == [
                        .action(id: 42, name: "default", activationToken: nil),
                        .closed(id: 42, reason: .dismissed),
                        // The user can click a closed notification that a server shows again from its
                        // history.
                        .action(id: 42, name: "default", activationToken: nil),
                        .closed(id: id, reason: .dismissed),
                    ])
            }
        }
    }

    @Test
    func `A late click on a notification from an earlier run is reported if the server has not restarted`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                _ = await notifier.fetchServer()
                #expect(notifier.serverInstance == nil)
                let id = try await notifier.show(DesktopNotification(summary: "s", body: "b"))
                try await server.close(id)
                _ = try await log.first(1)
                let instance = try #require(notifier.serverInstance)
                await notifier.adoptNotifications(
                    withOpenIDs: [], serverInstancesByClosedID: [42: instance, 43: "another " + instance])
                try await server.invoke("default", on: 43)
                try await server.invoke("default", on: 42)
                try await #expect(
                    log.first(2).last == .action(id: 42, name: "default", activationToken: nil))
            }
        }
    }

    @Test func `A notification from an earlier run can be closed`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                let id = try await notifier.show(DesktopNotification(summary: "s", body: "b"))
                try await notifier.close(id)
                try await notifier.close(99)
                try await eventually("two calls") { server.closeRequests.count >= 2 }
                #expect(server.closeRequests == [id, 99])
                let last = try await notifier.show(DesktopNotification(summary: "s", body: "b"))
                try await server.close(last, reason: 4)
                try await #expect(
                    log.first(3) == [
                        .closed(id: id, reason: .byCall), .closed(id: 99, reason: .byCall),
                        .closed(id: last, reason: .undefined),
                    ])
            }
        }
    }

    @Test func `A notification that was shown before a restart of the program can be replaced`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                #expect(
                    try await notifier.show(DesktopNotification(summary: "s", body: "b"), replacing: 42) == 42
                )
                #expect(try await server.waitForNotifications(atLeast: 1)[0].replaces == 42)
                try await server.close(42)
                try await #expect(log.first(1) == [.closed(id: 42, reason: .dismissed)])
                // The previous notification was reported as closed, so `show` creates a new notification.
                #expect(
                    try await notifier.show(DesktopNotification(summary: "s", body: "b"), replacing: 42) == 1)
            }
        }
    }

    @Test
    func `mako gets only a stack tag, because a stack tag together with a notification ID crashes mako`()
        async
    {
        await #expect(processExitsWith: .success) {
            var mako = RecordingNotificationServer.Appearance()
            mako.name = "mako"
            try await withRecorder(as: mako) { server, notifier, _ in
                var popup = DesktopNotification(summary: "s", body: "b")
                popup.stackTag = "conv_7"
                _ = try await notifier.show(popup, replacing: 42)
                let seen = try await server.waitForNotifications(atLeast: 1)[0]
                #expect(seen.replaces == 0)
                #expect(seen.hints["x-dunst-stack-tag"] == "conv_7")
            }
        }
    }

    @Test func `A notification that is dismissed while it is being replaced is shown again`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, log in
                let id = try await notifier.show(DesktopNotification(summary: "old", body: "b"))
                try await server.closeNextReplaced()
                #expect(
                    try await notifier.show(DesktopNotification(summary: "new", body: "b"), replacing: id)
                        == id)
                #expect(server.notifications.map(\.summary) == ["old", "new", "new"])
                try await server.close(id, reason: 1)
                try await #expect(log.first(1) == [.closed(id: id, reason: .expired)])
            }
        }
    }

    @Test func `A notification is closed instead of replaced if libnotify cannot represent its ID`() async {
        await #expect(processExitsWith: .success) {
            var large = RecordingNotificationServer.Appearance()
            large.firstID = 4_000_000_000
            try await withRecorder(as: large) { server, notifier, log in
                let id = try await notifier.show(DesktopNotification(summary: "s", body: "b"))
                #expect(id == 4_000_000_000)
                #expect(
                    try await notifier.show(DesktopNotification(summary: "s", body: "b"), replacing: id) == id
                        + 1)
                #expect(server.closeRequests == [id])
                try await server.close(id + 1)
                try await #expect(log.first(2).last == .closed(id: id + 1, reason: .dismissed))
            }
        }
    }
}
