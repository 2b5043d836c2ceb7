import Foundation
import TestSupport
import Testing

@Suite struct `Replying from the desktop` {
    /// Returns a notification server that supports inline replies.
    private static func fields() -> RecordingNotificationServer.Appearance {
        var appearance = RecordingNotificationServer.Appearance()
        appearance.capabilities += ["inline-reply"]
        return appearance
    }

    @Test func `Text typed into a notification is sent, and the conversation is marked read`() async throws {
        try await EndToEndFixture.with({ $0.hasNotificationServer = false }) { fixture in
            try await fixture.showNotifications(as: Self.fields())
            let popup = try await fixture.showReply("Question", "Answer")
            #expect(popup.actions.contains("inline-reply") && !popup.actions.contains("reply"))
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try await fixture.notificationServer.reply("Thank you,\nit works", to: popup.id)
            try await eventually("the message reaches the API") {
                try await fixture.sandbox.fetchTexts(in: conversation).last == "Thank you,\nit works"
            }
            try await fixture.daemon.waitForBadge(0)
            try await eventually("the message is read on the server") {
                try await fixture.makeDevice().fetchTotalUnread() == 0
            }
        }
    }

    @Test func `Text typed into a notification during an API outage is sent later`() async throws {
        try await EndToEndFixture.with({ $0.hasNotificationServer = false }) { fixture in
            try await fixture.showNotifications(as: Self.fields())
            let popup = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try await fixture.sandbox.stop()
            try await fixture.notificationServer.reply("Typed offline", to: popup.id)
            try await eventually("the message waits") {
                try await fixture.daemon.fetchOutbox().map(\.text).contains("Typed offline")
            }
            try await fixture.daemon.restart()
            try await fixture.sandbox.start()
            try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
            let texts = try await fixture.sandbox.fetchTexts(in: conversation)
            #expect(texts == ["How do I?", "Answer", "Typed offline"])
        }
    }

    @Test
    func `A resolved conversation accepts a reply only with --reopen, which changes its status to open`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Question")
            try await fixture.sandbox.setStatus("resolved", of: conversation)
            try await eventually("the conversation is resolved in the inbox") {
                try await fixture.daemon.fetchInbox().first?.status == "resolved"
            }
            let refused = try await fixture.daemon.ctl("reply", conversation, "It is back")
            #expect(refused.code == 65)
            #expect(
                refused.error == "cutied: \(conversation) is resolved; nothing was sent; "
                    + "`cutied ctl reply --reopen` sends the message anyway\n")
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["How do I?"])
            #expect(try await fixture.daemon.ctl("reply", conversation, "It is back", "--reopen").code == 0)
            #expect(try await fixture.sandbox.fetchTexts(in: conversation).last == "It is back")
            try await eventually("the conversation is open again") {
                try await fixture.daemon.fetchInbox().first?.status == "open"
            }
            #expect(try await fixture.daemon.ctl("reply", conversation, "And again").code == 0)
        }
    }

    @Test func `A linked conversation is marked read when it is shown, unless automatic marking is disabled`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            _ = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            try fixture.configure("open_marks_read: false")
            try await fixture.daemon.ctl("reload")
            let unmarked = try await fixture.daemon.open("cutie://conversation/\(conversation)")
            #expect(unmarked.output.contains("Answer"))
            #expect(try await fixture.daemon.fetchStatus().badge.total == 1)
            try fixture.configure()
            try await fixture.daemon.ctl("reload")
            let marked = try await fixture.daemon.open("cutie://conversation/\(conversation)")
            #expect(marked.output == unmarked.output)
            try await fixture.daemon.waitForBadge(0)
            try await eventually("the message is read on the server") {
                try await fixture.makeDevice().fetchTotalUnread() == 0
            }
        }
    }
}
