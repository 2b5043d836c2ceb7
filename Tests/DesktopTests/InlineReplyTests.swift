import Desktop
import NotificationPolicy
import TestSupport
import Testing

/// Tests with notification servers with and without inline replies.
@Suite struct `Inline replies` {
    private static func popup() -> DesktopNotification {
        var popup = DesktopNotification(summary: "s", body: "b")
        popup.actions = [.init(id: "default", label: "Open"), .init(id: "reply", label: "Reply")]
        popup.inlineReply = .init(action: "reply", placeholder: "Your reply to Ada", send: "Send")
        return popup
    }

    private static func fields() -> RecordingNotificationServer.Appearance {
        var appearance = RecordingNotificationServer.Appearance()
        appearance.capabilities += ["inline-reply"]
        return appearance
    }

    @Test func `A reply field replaces the action button if the server supports inline replies`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder(as: Self.fields()) { server, notifier, _ in
                _ = try await notifier.show(Self.popup())
                let seen = try await server.waitForNotifications(atLeast: 1)[0]
                #expect(Set(seen.actions) == ["default", "Open", "inline-reply", "Reply"])
                #expect(seen.hints["x-kde-reply-placeholder-text"] == "Your reply to Ada")
                #expect(seen.hints["x-kde-reply-submit-button-text"] == "Send")
            }
        }
    }

    @Test func `The action button is shown if the server does not support inline replies`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                _ = try await notifier.show(Self.popup())
                let seen = try await server.waitForNotifications(atLeast: 1)[0]
                #expect(Set(seen.actions) == ["default", "Open", "reply", "Reply"])
                #expect(seen.hints.keys.allSatisfy { !$0.hasPrefix("x-kde-") })
            }
        }
    }

    @Test func `The reply field and the action button are offered if the server may hide the field`() async {
        await #expect(processExitsWith: .success) {
            var appearance = Self.fields()
            appearance.name = "SwayNotificationCenter"
            try await withRecorder(as: appearance) { server, notifier, log in
                let id = try await notifier.show(Self.popup())
                let seen = try await server.waitForNotifications(atLeast: 1)[0]
                #expect(
                    Set(seen.actions) == ["default", "Open", "inline-reply", "Send", "reply", "Reply"])
                try await server.reply("typed", to: id)
                try await server.invoke("reply", on: id)
                try await #expect(
                    log.first(2) == [
                        .reply(id: id, text: "typed"), .action(id: id, name: "reply", activationToken: nil),
                    ])
            }
        }
    }

    @Test func `A typed reply is reported with its line breaks, even after the notification has been closed`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withRecorder(as: Self.fields()) { server, notifier, log in
                let id = try await notifier.show(Self.popup())
                try await server.reply("Thanks!\nGrüße", to: id)
                try await server.invoke("inline-reply", on: id)
                try await server.close(id)
                try await server.reply("And one more", to: id)
                try await #expect(
                    log.first(4) == [
                        .reply(id: id, text: "Thanks!\nGrüße"),
                        .action(id: id, name: "reply", activationToken: nil),
                        .closed(id: id, reason: .dismissed),
                        .reply(id: id, text: "And one more"),
                    ])
            }
        }
    }

    @Test func `Signals from other senders and replies to notifications of other programs are ignored`() async
    {
        await #expect(processExitsWith: .success) {
            try await withRecorder(as: Self.fields()) { server, notifier, log in
                let id = try await notifier.show(Self.popup())
                try await server.reply("to another program", to: id + 1000)
                try await server.emitForgedSignal("NotificationReplied", id, "forged")
                try await server.emitForgedSignal("ActionInvoked", id, "default")
                try await server.emitForgedSignal("NotificationClosed", id, "1")
                // The forged signals may arrive late, so the test first waits for a signal of the real
                // server.
                try await server.close(id)
                _ = try await log.first(1)
                try await server.reply("typed", to: id)
                try await #expect(
                    log.first(2) == [.closed(id: id, reason: .dismissed), .reply(id: id, text: "typed")])
            }
        }
    }

    @Test func `Text typed into a notification is reported even if the server has restarted`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let log = EventLog(of: notifier)
                let first = try await RecordingNotificationServer(on: bus, as: Self.fields())
                _ = try await notifier.show(Self.popup())
                try await first.killProcess()
                let second = try await RecordingNotificationServer(on: bus, as: Self.fields())
                let id = try await notifier.show(Self.popup())
                try await second.reply("typed", to: id)
                try await #expect(log.first(1) == [.reply(id: id, text: "typed")])
            }
        }
    }
}
