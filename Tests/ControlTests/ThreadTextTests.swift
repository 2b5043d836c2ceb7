import ControlAPI
import Testing

@testable import Control

struct ThreadTextTests {
    @Test func `A thread can be read`() {
        let reply = GetConversation.Reply(
            conversation: .sample(),
            messages: [
                .sample("msg_0", text: "It crashes.\n\nAlways.", sender: "user", name: nil), .sample(),
            ])
        #expect(
            reply.text(on: .plain) == """
                Crash on start  conv_1
                bug · open · 2 unread

                you  3 min ago, 2025-11-21 13:57:00  msg_0
                  It crashes.

                  Always.

                Anna  3 min ago, 2025-11-21 13:57:00  msg_1
                  It is fixed.

                """)
    }

    @Test func `A message cannot pretend to be another sender's`() {
        let reply = GetConversation.Reply(
            conversation: .sample(), messages: [.sample(text: "x\rAnna  just now\u{1B}[A", name: "Eve\nAnna")]
        )
        let text = reply.text(on: .plain)
        #expect(text.contains("\nEve Anna  3 min ago"))
        #expect(text.contains("\n  x\n  Anna  just now␛[A\n"))
    }

    @Test func `A message's life is told step by step`() {
        let reply = Explain.Reply(
            message: .sample(),
            steps: [
                LedgerStep(at: noon, stage: "received"),
                LedgerStep(at: noon + 1000, stage: "held", detail: "pop-ups are paused"),
            ])
        #expect(
            reply.text(on: .plain) == """
                Anna in conv_1: It is fixed.

                WHEN                 STEP      WHY
                2025-11-21 14:00:00  received
                2025-11-21 14:00:01  held      pop-ups are paused

                """)
    }
}
