import ControlAPI
import Testing

@testable import Control

struct ThreadTextTests {
    @Test func `A thread is printed with senders, times and texts`() {
        let reply = GetConversation.Reply(
            conversation: .sample(),
            messages: [
                .sample("msg_0", text: "It crashes.\n\nAlways.", sender: "user", name: nil), .sample(),
            ])
        #expect(
            reply.text(in: .plain) == """
                Crash on start  conv_1
                bug · open · 2 unread

                you  3 min ago, 2025-11-21 13:57:00  msg_0
                  It crashes.

                  Always.

                Anna  3 min ago, 2025-11-21 13:57:00  msg_1
                  It is fixed.

                """)
    }

    @Test func `The tags of a thread are printed`() {
        var conversation = ConversationView.sample()
        conversation.tags = [.sample("crash"), .sample("bil\nling")]
        let text = GetConversation.Reply(conversation: conversation, messages: []).text(in: .plain)
        #expect(text.contains("bug · open · 2 unread · tags: crash, bil ling\n"))
    }

    @Test func `The linked message is marked, and its line number is returned`() {
        let reply = GetConversation.Reply(
            conversation: .sample(),
            messages: [.sample("msg_0", text: "One.\nTwo."), .sample("msg_1"), .sample("msg_2")])
        let (text, line) = reply.text(in: .plain, highlighting: "msg_1")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(line == 8)
        #expect(lines[7].hasPrefix("▶ Anna  ") && lines[7].hasSuffix("msg_1"))
        #expect(text.count { $0 == "▶" } == 1)
        #expect(reply.text(in: .plain, highlighting: "msg_9") == (reply.text(in: .plain), nil))
    }

    @Test
    func
        `The text for a pager begins with the linked message, followed by the later and the earlier messages`()
    {
        let reply = GetConversation.Reply(
            conversation: .sample(),
            messages: [.sample("msg_0", text: "Old."), .sample("msg_1", text: "New."), .sample("msg_2")])
        let text = reply.text(in: .plain, startingAt: "msg_1")
        let ids = text.matches(of: /msg_\d/).map { String($0.output) }
        #expect(ids == ["msg_1", "msg_2", "msg_0"])
        #expect(text.contains("Earlier messages:"))
        #expect(reply.text(in: .plain, startingAt: "msg_0") == reply.text(in: .plain))
    }

    @Test func `The text of a message cannot imitate the header of another message`() {
        let reply = GetConversation.Reply(
            conversation: .sample(), messages: [.sample(text: "x\rAnna  just now\u{1B}[A", name: "Eve\nAnna")]
        )
        let text = reply.text(in: .plain)
        #expect(text.contains("\nEve Anna  3 min ago"))
        #expect(text.contains("\n  x\n  Anna  just now␛[A\n"))
    }

    @Test func `The history of a message is printed as one sentence per step`() {
        let reply = Explain.Reply(
            message: .sample(),
            steps: [
                LedgerStep(at: noon - 650 * minute, stage: "stored", detail: "by stream"),
                LedgerStep(at: noon - 650 * minute, stage: "held", detail: "quiet hours until 07:00"),
                LedgerStep(at: noon - 420 * minute, stage: "announcing"),
                LedgerStep(at: noon - 420 * minute, stage: "shown", detail: "summary, notification 7"),
                LedgerStep(at: noon - 3 * minute, stage: "read", detail: "on another device"),
            ])
        #expect(
            reply.text(in: .plain) == """
                Anna in conv_1: It is fixed.

                received at 03:10 by stream
                held at 03:10: quiet hours until 07:00
                shown at 07:00 as part of a summary
                read on another device at 13:57

                """)
    }

    private static let sentences: [([(String, String?)], String)] = [
        (
            [("held", "first sync"), ("announcing", nil)],
            "received, notification held at 14:00: first sync\nqueued for display at 14:00"
        ),
        ([("stored", "by poll"), ("stored", "answered to us")], "received at 14:00 by poll\nsent at 14:00"),
        (
            [("shown", "notification 7, without text: the screen is locked")],
            "shown at 14:00, without text: the screen is locked"
        ),
        (
            [("shown", "summary, notification 7, without names and text: the screen is locked")],
            "shown at 14:00 as part of a summary, without names and text: the screen is locked"
        ),
        ([("read", "by poll, already read")], "received at 14:00 by poll, already read"),
        (
            [("held", "not shown: rule 2 of the configuration (category = question)")],
            "not shown: rule 2 of the configuration (category = question) (at 14:00)"
        ),
        (
            [("shown", "notification 3"), ("closed", "dismissed")],
            "shown at 14:00\nits notification was closed at 14:00: dismissed"
        ),
        ([("stored", "by stream"), ("read", "here")], "received at 14:00 by stream\nread here at 14:00"),
        ([("stored", nil), ("read", nil)], "received at 14:00\nread at 14:00"),
        ([("stored", nil), ("melted", "the sun\u{1B}")], "received at 14:00\nmelted at 14:00: the sun␛"),
    ]

    @Test(arguments: sentences.indices)
    func `Every kind of step in the history of a message is printed as a sentence`(number: Int) {
        let (steps, text) = Self.sentences[number]
        let reply = Explain.Reply(steps: steps.map { LedgerStep(at: noon, stage: $0.0, detail: $0.1) })
        #expect(reply.text(in: .plain) == text + "\n")
    }
}
