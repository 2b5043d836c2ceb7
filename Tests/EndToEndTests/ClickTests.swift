import Foundation
import TestSupport
import Testing

@Suite struct `Clicks on notifications` {
    @Test func `Mark as Read reaches the server and closes the notification`() async throws {
        try await Household.with { home in
            let popup = try await home.popup("Question", "Answer")
            #expect(try await home.device().totalUnread() == 1)
            try await home.popups.invoke("mark-read", on: popup.id)
            try await home.daemon.badge(0)
            try await eventually("read at the server") { try await home.device().totalUnread() == 0 }
            try await eventually("the pop-up closed") { try home.popups.closeRequests == [popup.id] }
        }
    }

    @Test func `A click opens the conversation with the click's activation token`() async throws {
        try await Household.with { home in
            let popup = try await home.popup("Question", "Answer")
            let conversation = try await home.daemon.inbox()[0].conversationId
            try await home.sandbox.reply("And another answer", in: conversation)
            try await home.daemon.badge(2)
            try await eventually("the newest text on the screen") {
                try home.popups.notifications.last?.body.contains("And another answer") == true
            }
            let newest = try #require(try await home.daemon.thread(conversation).messages.last).messageId
            try await home.popups.invoke("default", on: popup.id, token: "token-7")
            try await eventually("the opener ran") { !home.opened.isEmpty }
            // The link names the message whose text the notification shows.
            #expect(
                home.opened == [
                    "cutie://conversation/\(conversation)?account=default&message=\(newest) token-7"
                ])
        }
    }

    @Test func `X11 programs get the activation token as DESKTOP_STARTUP_ID`() async throws {
        try await Household.with({ $0.isConnected = false }) { home in
            let told = home.daemon.directory.file("told")
            try home.daemon.configure(
                "app_id: app_sandbox\napi_url: \(home.sandbox.url)\n"
                    + "opener: [/bin/sh, -c, 'echo \"$DESKTOP_STARTUP_ID\" >\(told)']\n")
            try await home.daemon.start()
            try await home.daemon.connected()
            let popup = try await home.popup("Question", "Answer")
            try await home.popups.invoke("default", on: popup.id, token: "token-8")
            try await eventually("the token") {
                (try? String(contentsOfFile: told, encoding: .utf8)) == "token-8\n"
            }
        }
    }

    @Test func `A click on a notification in the server's history opens its conversation`() async throws {
        try await Household.with { home in
            let popup = try await home.popup("Question", "Answer")
            let conversation = try await home.daemon.inbox()[0].conversationId
            try await home.popups.close(popup.id)
            try await home.popups.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !home.opened.isEmpty }
            #expect(home.opened[0].hasPrefix("cutie://conversation/\(conversation)?account=default"))
        }
    }

    @Test func `A click on a notification of an earlier run opens its conversation; its buttons do nothing`()
        async throws
    {
        try await Household.with { home in
            let popup = try await home.popup("Question", "Answer")
            let conversation = try await home.daemon.inbox()[0].conversationId
            try await home.daemon.restart()
            try await home.daemon.status("the notification server") { $0.notifier.available }
            try await home.popups.invoke("mark-read", on: popup.id)
            try await home.popups.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !home.opened.isEmpty }
            #expect(home.opened[0].hasPrefix("cutie://conversation/\(conversation)?account=default"))
            #expect(try await home.daemon.status().badge.total == 1)
        }
    }

    @Test(arguments: [HistoryEnd.before(reason: 1), .before(reason: 2), .after(reason: 1), .after(reason: 2)])
    func `A click in the server's history finds the conversation after the daemon was killed`(
        end: HistoryEnd
    ) async throws {
        try await Household.with { home in
            let popup = try await home.popup("Question", "Answer")
            let conversation = try await home.daemon.inbox()[0].conversationId
            let other = try await home.popup("Other", "Another answer")
            if case .before(let reason) = end {
                for id in [popup.id, other.id] { try await home.popups.close(id, reason: reason) }
                try await home.closed(in: conversation)
            }
            try await home.daemon.die()
            try await home.daemon.start()
            try await home.daemon.status("the notification server") { $0.notifier.available }
            if case .after(let reason) = end {
                try await home.popups.close(popup.id, reason: reason)
                try await home.closed(in: conversation)
            }
            try await home.popups.invoke("mark-read", on: popup.id)
            try await home.popups.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !home.opened.isEmpty }
            #expect(home.opened.count == 1)
            #expect(home.opened[0].hasPrefix("cutie://conversation/\(conversation)?account=default"))
            #expect(try await home.daemon.status().badge.total == 2)
        }
    }

    /// When a notification ended, relative to the end of the daemon, and why.
    enum HistoryEnd: Sendable {
        case before(reason: Int)
        case after(reason: Int)
    }

    @Test func `The ids of a server that restarted while the daemon was down are those of other programs`()
        async throws
    {
        try await Household.with { home in
            let popup = try await home.popup("Question", "Answer")
            let conversation = try await home.daemon.inbox()[0].conversationId
            try await home.popups.close(popup.id)
            try await home.closed(in: conversation)
            try await home.daemon.die()
            try await home.popups.die()
            var appearance = RecordingNotificationServer.Appearance()
            appearance.firstID = popup.id + 1
            try await home.showNotifications(as: appearance)
            try await home.daemon.start()
            try await home.daemon.status("the notification server") { $0.notifier.available }
            let later = try await home.popup("Later", "Another answer")
            try await home.popups.invoke("default", on: popup.id)
            try await home.popups.invoke("default", on: later.id)
            try await eventually("the opener ran") { !home.opened.isEmpty }
            #expect(home.opened.count == 1 && !home.opened[0].contains(conversation))
        }
    }

    @Test func `Notifications of an earlier run do not count toward the limit`() async throws {
        try await Household.with({ $0.configuration = "notifications: {max_popups: 1}" }) { home in
            let first = try await home.popup("Before", "One")
            try await home.daemon.restart()
            try await home.daemon.connected()
            try await home.popups.close(first.id)
            let second = try await home.popup("After", "Two")
            #expect(second.summary == "Support — After")
        }
    }

    @Test func `Clicks on notifications of other programs do nothing`() async throws {
        try await Household.with { home in
            let popup = try await home.popup("Question", "Answer")
            for action in ["default", "reply", "mark-read"] {
                try await home.popups.invoke(action, on: popup.id + 1000)
            }
            try await home.popups.close(popup.id + 1000)
            try await home.popups.invoke("default", on: popup.id)
            try await eventually("the opener ran") { !home.opened.isEmpty }
            #expect(home.opened.count == 1)
            #expect(try await home.daemon.status().badge.total == 1)
        }
    }

    @Test func `A dismissed notification stays closed, and the next reply shows a new one`() async throws {
        try await Household.with { home in
            let first = try await home.popup("Question", "One")
            let conversation = try await home.daemon.inbox()[0].conversationId
            let message = try #require(try await home.daemon.thread(conversation).messages.last).messageId
            try await home.popups.close(first.id)
            try await eventually("closed in the ledger") {
                try await home.daemon.ledger(of: message).steps.last?.detail == "dismissed"
            }
            try await home.sandbox.reply("Two", in: conversation)
            let popups = try await home.popups.notifications(atLeast: 2)
            #expect(popups[1].body == "Two")
            #expect(popups[1].replaces == 0)
            try await home.daemon.badge(2)
        }
    }

    @Test func `A notification that expired leaves the server's list when it is read`() async throws {
        try await Household.with { home in
            let popup = try await home.popup("Question", "One")
            let conversation = try await home.daemon.inbox()[0].conversationId
            let message = try #require(try await home.daemon.thread(conversation).messages.last).messageId
            try await home.popups.close(popup.id, reason: 1)
            try await eventually("expired in the ledger") {
                try await home.daemon.ledger(of: message).steps.last?.detail == "expired"
            }
            #expect(try home.popups.closeRequests.isEmpty)
            #expect(try await home.daemon.ctl("read", conversation).code == 0)
            try await eventually("taken out of the list") { try home.popups.closeRequests == [popup.id] }
        }
    }

    @Test func `A notification shows the app name of the desktop file`() async throws {
        try await Household.with { home in
            let popup = try await home.popup("Question", "One")
            let entry = try #require(popup.hints["desktop-entry"])
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let path = root.appending(path: "config/\(entry).desktop")
            let file = try String(contentsOf: path, encoding: .utf8)
            #expect(file.contains("\nName=\(popup.application)\n"))
            #expect(popup.application == "Cuti-E")
        }
    }

    @Test func `Replies to one conversation replace its notification without another sound`() async throws {
        try await Household.with { home in
            let first = try await home.popup("Question", "One")
            let conversation = try await home.daemon.inbox()[0].conversationId
            try await home.sandbox.reply("Two", in: conversation)
            let second = try await home.popups.notifications(atLeast: 2)[1]
            #expect(second.replaces == first.id)
            #expect(second.summary == "Support — Question")
            #expect(second.body == "2 new replies:\nTwo")
            #expect(first.hints["sound-name"] == "message-new-instant")
            #expect(second.hints["suppress-sound"] == "true")
            #expect(second.hints["x-dunst-stack-tag"] == first.hints["x-dunst-stack-tag"])
        }
    }

    @Test func `A notification reports that the opener did not start`() async throws {
        try await Household.with({ $0.isConnected = false }) { home in
            try home.daemon.configure(
                "app_id: app_sandbox\napi_url: \(home.sandbox.url)\nopener: [/no/such/program]\n")
            try await home.daemon.start()
            try await home.daemon.connected()
            let popup = try await home.popup("Question", "Answer")
            try await home.popups.invoke("default", on: popup.id)
            let told = try await home.popups.notifications(atLeast: 2)[1]
            #expect(told.body.contains("/no/such/program"))
        }
    }
}

extension Household {
    /// Waits until the daemon knows that the notification of a conversation was closed.
    fileprivate func closed(in conversation: String) async throws {
        let message = try #require(try await daemon.thread(conversation).messages.last).messageId
        try await eventually("closed in the ledger") {
            ["dismissed", "expired"].contains(try await daemon.ledger(of: message).steps.last?.detail)
        }
    }

    /// Starts a conversation, sends a reply as support, and returns its pop-up.
    func popup(_ title: String, _ answer: String) async throws -> RecordingNotificationServer.Notification {
        let before = try popups.notifications.count
        let conversation = try await daemon.converse(title)
        try await sandbox.reply(answer, in: conversation)
        let popup = try await popups.notifications(atLeast: before + 1)[before]
        try await daemon.status("\(answer) counted") { $0.badge.conversations[conversation] == 1 }
        return popup
    }
}
