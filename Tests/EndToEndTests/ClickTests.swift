import Foundation
import TestSupport
import Testing

@Suite struct `Clicks on notifications` {
    @Test func `The button "Mark as Read" marks the message read on the server and closes the notification`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            #expect(try await fixture.makeDevice().fetchTotalUnread() == 1)
            try await fixture.notificationServer.invoke("mark-read", on: popup.id)
            try await fixture.daemon.waitForBadge(0)
            try await eventually("the message is read on the server") {
                try await fixture.makeDevice().fetchTotalUnread() == 0
            }
            try await eventually("the notification closed") {
                try fixture.notificationServer.closeRequests == [popup.id]
            }
        }
    }

    @Test func `A click opens the conversation and passes on the activation token of the click`() async throws
    {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try await fixture.sandbox.reply("And another answer", in: conversation)
            try await fixture.daemon.waitForBadge(2)
            try await eventually("the newest text on the screen") {
                try fixture.notificationServer.notifications.last?.body.contains("And another answer") == true
            }
            let newest = try #require(try await fixture.daemon.fetchThread(conversation).messages.last)
                .messageId
            try await fixture.notificationServer.invoke("default", on: popup.id, token: "token-7")
            try await eventually("the opener ran") { !fixture.opened.isEmpty }
            // The link contains the message whose text the notification shows.
            #expect(
                fixture.opened == [
                    "cutie://conversation/\(conversation)?account=default&message=\(newest) token-7"
                ])
        }
    }

    @Test func `X11 programs get the activation token in the variable DESKTOP_STARTUP_ID`() async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let received = fixture.daemon.directory.file("told")
            try fixture.daemon.configure(
                "app_id: app_sandbox\napi_url: \(fixture.sandbox.url)\n"
                    + "opener: [/bin/sh, -c, 'echo \"$DESKTOP_STARTUP_ID\" >\(received)']\n")
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let popup = try await fixture.showReply("Question", "Answer")
            try await fixture.notificationServer.invoke("default", on: popup.id, token: "token-8")
            try await eventually("the token") {
                (try? String(contentsOfFile: received, encoding: .utf8)) == "token-8\n"
            }
        }
    }

    @Test func `A click on a notification in the server's history opens the conversation`() async throws {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try await fixture.notificationServer.close(popup.id)
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !fixture.opened.isEmpty }
            #expect(fixture.opened[0].hasPrefix("cutie://conversation/\(conversation)?account=default"))
        }
    }

    @Test
    func
        `A click on a notification from an earlier run opens its conversation, but its buttons do nothing`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try await fixture.daemon.restart()
            try await fixture.daemon.waitForStatus("the notification server") { $0.notifier.available }
            try await fixture.notificationServer.invoke("mark-read", on: popup.id)
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !fixture.opened.isEmpty }
            #expect(fixture.opened[0].hasPrefix("cutie://conversation/\(conversation)?account=default"))
            #expect(try await fixture.daemon.fetchStatus().badge.total == 1)
        }
    }

    @Test(arguments: [HistoryEnd.before(reason: 1), .before(reason: 2), .after(reason: 1), .after(reason: 2)])
    func `A click in the server's history opens the conversation even after the daemon was killed`(
        end: HistoryEnd
    ) async throws {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            let other = try await fixture.showReply("Other", "Another answer")
            if case .before(let reason) = end {
                for id in [popup.id, other.id] {
                    try await fixture.notificationServer.close(id, reason: reason)
                }
                try await fixture.waitUntilClosed(in: conversation)
            }
            try await fixture.daemon.killProcess()
            try await fixture.daemon.start()
            try await fixture.daemon.waitForStatus("the notification server") { $0.notifier.available }
            if case .after(let reason) = end {
                try await fixture.notificationServer.close(popup.id, reason: reason)
                try await fixture.waitUntilClosed(in: conversation)
            }
            try await fixture.notificationServer.invoke("mark-read", on: popup.id)
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !fixture.opened.isEmpty }
            #expect(fixture.opened.count == 1)
            #expect(fixture.opened[0].hasPrefix("cutie://conversation/\(conversation)?account=default"))
            #expect(try await fixture.daemon.fetchStatus().badge.total == 2)
        }
    }

    /// The reason why a notification was closed, and whether it was closed before or after the daemon's exit.
    enum HistoryEnd: Sendable {
        case before(reason: Int)
        case after(reason: Int)
    }

    @Test
    func `Clicks on earlier notification IDs are ignored if the server restarted while the daemon was down`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try await fixture.notificationServer.close(popup.id)
            try await fixture.waitUntilClosed(in: conversation)
            try await fixture.daemon.killProcess()
            try await fixture.notificationServer.killProcess()
            var appearance = RecordingNotificationServer.Appearance()
            appearance.firstID = popup.id + 1
            try await fixture.showNotifications(as: appearance)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForStatus("the notification server") { $0.notifier.available }
            let later = try await fixture.showReply("Later", "Another answer")
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await fixture.notificationServer.invoke("default", on: later.id)
            try await eventually("the opener ran") { !fixture.opened.isEmpty }
            #expect(fixture.opened.count == 1 && !fixture.opened[0].contains(conversation))
        }
    }

    @Test func `Notifications from an earlier run do not count toward the maximum number of notifications`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "notifications: {max_popups: 1}" }) { fixture in
            let first = try await fixture.showReply("Before", "One")
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            try await fixture.notificationServer.close(first.id)
            let second = try await fixture.showReply("After", "Two")
            #expect(second.summary == "Support — After")
        }
    }

    @Test func `Clicks on notifications of other programs have no effect`() async throws {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            for action in ["default", "reply", "mark-read"] {
                try await fixture.notificationServer.invoke(action, on: popup.id + 1000)
            }
            try await fixture.notificationServer.close(popup.id + 1000)
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !fixture.opened.isEmpty }
            #expect(fixture.opened.count == 1)
            #expect(try await fixture.daemon.fetchStatus().badge.total == 1)
        }
    }

    @Test func `A dismissed notification stays closed, and the next reply shows a new notification`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let first = try await fixture.showReply("Question", "One")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            let message = try #require(try await fixture.daemon.fetchThread(conversation).messages.last)
                .messageId
            try await fixture.notificationServer.close(first.id)
            try await eventually("the notification is closed in the ledger") {
                try await fixture.daemon.fetchLedger(of: message).steps.last?.detail == "dismissed"
            }
            try await fixture.sandbox.reply("Two", in: conversation)
            let notifications = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(notifications[1].body == "Two")
            #expect(notifications[1].replaces == 0)
            try await fixture.daemon.waitForBadge(2)
        }
    }

    @Test func `An expired notification is removed from the server's history after its replies are read`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "One")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            let message = try #require(try await fixture.daemon.fetchThread(conversation).messages.last)
                .messageId
            try await fixture.notificationServer.close(popup.id, reason: 1)
            try await eventually("the notification is expired in the ledger") {
                try await fixture.daemon.fetchLedger(of: message).steps.last?.detail == "expired"
            }
            #expect(try fixture.notificationServer.closeRequests.isEmpty)
            #expect(try await fixture.daemon.ctl("read", conversation).code == 0)
            try await eventually("the notification is removed from the history") {
                try fixture.notificationServer.closeRequests == [popup.id]
            }
        }
    }

    @Test func `A notification contains the app name from the desktop entry`() async throws {
        try await EndToEndFixture.with { fixture in
            let popup = try await fixture.showReply("Question", "One")
            let entry = try #require(popup.hints["desktop-entry"])
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let path = root.appending(path: "config/\(entry).desktop")
            let file = try String(contentsOf: path, encoding: .utf8)
            #expect(file.contains("\nName=\(popup.application)\n"))
            #expect(popup.application == "Cuti-E")
        }
    }

    @Test func `A second reply in a conversation replaces the conversation's notification without a sound`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let first = try await fixture.showReply("Question", "One")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try await fixture.sandbox.reply("Two", in: conversation)
            let second = try await fixture.notificationServer.waitForNotifications(atLeast: 2)[1]
            #expect(second.replaces == first.id)
            #expect(second.summary == "Support — Question")
            #expect(second.body == "2 new replies:\nTwo")
            #expect(first.hints["sound-name"] == "message-new-instant")
            #expect(second.hints["suppress-sound"] == "true")
            #expect(second.hints["x-dunst-stack-tag"] == first.hints["x-dunst-stack-tag"])
        }
    }

    @Test func `If the program that opens links cannot be started, a notification reports the failure`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                "app_id: app_sandbox\napi_url: \(fixture.sandbox.url)\nopener: [/no/such/program]\n")
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let popup = try await fixture.showReply("Question", "Answer")
            try await fixture.notificationServer.invoke("default", on: popup.id)
            let received = try await fixture.notificationServer.waitForNotifications(atLeast: 2)[1]
            #expect(received.body.contains("/no/such/program"))
        }
    }
}

extension EndToEndFixture {
    /// Waits until the daemon has recorded that the notification of a conversation was closed.
    fileprivate func waitUntilClosed(in conversation: String) async throws {
        let message = try #require(try await daemon.fetchThread(conversation).messages.last).messageId
        try await eventually("the notification is closed in the ledger") {
            ["dismissed", "expired"].contains(try await daemon.fetchLedger(of: message).steps.last?.detail)
        }
    }

    /// Starts a conversation and sends a reply as support. Returns the notification of the reply.
    func showReply(_ title: String, _ answer: String) async throws -> RecordingNotificationServer.Notification
    {
        let before = try notificationServer.notifications.count
        let conversation = try await daemon.startConversation(title)
        try await sandbox.reply(answer, in: conversation)
        let popup = try await notificationServer.waitForNotifications(atLeast: before + 1)[before]
        try await daemon.waitForStatus("\(answer) counted") { $0.badge.conversations[conversation] == 1 }
        return popup
    }
}
