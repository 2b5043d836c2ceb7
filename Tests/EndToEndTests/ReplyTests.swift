import Foundation
import TestSupport
import Testing

@Suite struct `Replying from the desktop` {
    /// A notification server with a reply field in its pop-ups.
    private static func fields() -> RecordingNotificationServer.Appearance {
        var appearance = RecordingNotificationServer.Appearance()
        appearance.capabilities += ["inline-reply"]
        return appearance
    }

    @Test func `Text typed into a notification is sent, and the conversation is marked read`() async throws {
        try await Household.with({ $0.hasNotificationServer = false }) { home in
            try await home.showNotifications(as: Self.fields())
            let popup = try await home.popup("Question", "Answer")
            #expect(popup.actions.contains("inline-reply") && !popup.actions.contains("reply"))
            let conversation = try await home.daemon.inbox()[0].conversationId
            try await home.popups.reply("Thank you,\nit works", to: popup.id)
            try await eventually("the words at the service") {
                try await home.sandbox.texts(in: conversation).last == "Thank you,\nit works"
            }
            try await home.daemon.badge(0)
            try await eventually("read at the service") { try await home.device().totalUnread() == 0 }
        }
    }

    @Test func `Text typed while the service is away is sent when it is back`() async throws {
        try await Household.with({ $0.hasNotificationServer = false }) { home in
            try await home.showNotifications(as: Self.fields())
            let popup = try await home.popup("Question", "Answer")
            let conversation = try await home.daemon.inbox()[0].conversationId
            try await home.sandbox.stop()
            try await home.popups.reply("Typed offline", to: popup.id)
            try await eventually("it waits") {
                try await home.daemon.outbox().map(\.text).contains("Typed offline")
            }
            try await home.daemon.restart()
            try await home.sandbox.start()
            try await home.daemon.status("an empty outbox") { $0.outbox == 0 }
            let texts = try await home.sandbox.texts(in: conversation)
            #expect(texts == ["How do I?", "Answer", "Typed offline"])
        }
    }

    @Test func `A resolved conversation accepts a reply only with --reopen, and is then open again`()
        async throws
    {
        try await Household.with { home in
            let conversation = try await home.daemon.converse("Question")
            try await home.sandbox.setStatus("resolved", of: conversation)
            try await eventually("it is resolved here") {
                try await home.daemon.inbox().first?.status == "resolved"
            }
            let refused = try await home.daemon.ctl("reply", conversation, "It is back")
            #expect(refused.code == 65)
            #expect(
                refused.error == "cutied: \(conversation) is resolved; nothing was sent; "
                    + "`cutied ctl reply --reopen` sends the message anyway\n")
            #expect(try await home.sandbox.texts(in: conversation) == ["How do I?"])
            #expect(try await home.daemon.ctl("reply", conversation, "It is back", "--reopen").code == 0)
            #expect(try await home.sandbox.texts(in: conversation).last == "It is back")
            try await eventually("it is open again") { try await home.daemon.inbox().first?.status == "open" }
            #expect(try await home.daemon.ctl("reply", conversation, "And again").code == 0)
        }
    }

    @Test func `A linked conversation is marked read once shown, unless that is turned off`()
        async throws
    {
        try await Household.with { home in
            _ = try await home.popup("Question", "Answer")
            let conversation = try await home.daemon.inbox()[0].conversationId
            try home.configure("open_marks_read: false")
            try await home.daemon.ctl("reload")
            let unmarked = try await home.daemon.open("cutie://conversation/\(conversation)")
            #expect(unmarked.output.contains("Answer"))
            #expect(try await home.daemon.status().badge.total == 1)
            try home.configure()
            try await home.daemon.ctl("reload")
            let marked = try await home.daemon.open("cutie://conversation/\(conversation)")
            #expect(marked.output == unmarked.output)
            try await home.daemon.badge(0)
            try await eventually("read at the service") { try await home.device().totalUnread() == 0 }
        }
    }
}
