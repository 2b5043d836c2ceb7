import ControlAPI
import Testing

@testable import Control

struct ListTextTests {
    @Test func `Unread conversations in the inbox are marked, and the columns are aligned`() {
        let reply = ListConversations.Reply(
            conversations: [
                .sample(), .sample("conv_22", title: "漢字 title", unread: 0),
                .sample("conv_3", title: nil, unread: nil),
            ], badge: .three)
        #expect(
            reply.text(in: .plain) == """
                   CONVERSATION  TITLE           STATUS  UNREAD  NEWEST     LAST MESSAGE
                ●  conv_1        Crash on start  open         2  3 min ago  Thanks! We look at it.
                   conv_22       漢字 title      open         0  3 min ago  Thanks! We look at it.
                   conv_3        (bug)           open         ?  3 min ago  Thanks! We look at it.

                """)
    }

    @Test func `The conversation list has an account column if the conversations have account names`() {
        let reply = ListConversations.Reply(conversations: [.sample(account: "work")], badge: .three)
        #expect(reply.text(in: .plain).contains("   CONVERSATION  ACCOUNT  TITLE"))
    }

    @Test func `The conversation list has a tag column if a conversation has tags`() {
        var tagged = ConversationView.sample()
        tagged.tags = [.sample("crash"), .sample("billing")]
        let reply = ListConversations.Reply(
            conversations: [tagged, .sample("conv_2", unread: 0)], badge: .three)
        #expect(
            reply.text(in: .plain) == """
                   CONVERSATION  TITLE           STATUS  UNREAD  NEWEST     TAGS            LAST MESSAGE
                ●  conv_1        Crash on start  open         2  3 min ago  crash, billing  Thanks! We look at it.
                   conv_2        Crash on start  open         0  3 min ago                  Thanks! We look at it.

                """)
    }

    @Test func `If a list is empty, a message is printed instead of a table`() {
        #expect(
            ListConversations.Reply(conversations: [], badge: .three).text(in: .plain) == "no conversations\n"
        )
        #expect(Search.Reply(messages: []).text(in: .plain) == "nothing found\n")
        #expect(ListOutbox.Reply(items: []).text(in: .plain) == "the outbox is empty\n")
    }

    @Test func `The last column of a list is truncated to fit the width of the output`() {
        var conversation = ConversationView.sample()
        conversation.lastMessage = String(repeating: "long ", count: 100)
        let lines = ListConversations.Reply(conversations: [conversation], badge: .three)
            .text(in: .plain).split(separator: "\n")
        #expect(lines.allSatisfy { CellWidth.width(of: String($0)) <= 100 })
        #expect(lines.last?.hasSuffix("…") == true)
    }

    @Test func `The last message of a conversation is listed without style delimiters`() {
        var conversation = ConversationView.sample()
        conversation.lastMessage = "Use **Export**, or run `app export`: 2 * 3"
        let text = ListConversations.Reply(conversations: [conversation], badge: .three).text(in: .plain)
        #expect(text.contains("  Use Export, or run app export: 2 * 3\n"), "\(text)")
    }

    @Test func `Messages in a list are printed without terminal escape sequences`() {
        var conversation = ConversationView.sample(title: "\u{1B}]0;owned\u{7}")
        conversation.lastMessage = "\u{9B}2J\u{202E}"
        let text = ListConversations.Reply(conversations: [conversation], badge: .three).text(in: .plain)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!text.unicodeScalars.contains("\u{202E}"))
    }

    @Test func `A search result contains the IDs that other commands accept`() {
        let reply = Search.Reply(messages: [.sample(), .sample("msg_22", sender: "user", name: nil)])
        #expect(
            reply.text(in: .plain) == """
                MESSAGE  CONVERSATION  FROM  WHEN       TEXT
                msg_1    conv_1        Anna  3 min ago  It is fixed.
                msg_22   conv_1        you   3 min ago  It is fixed.

                """)
    }

    @Test(arguments: [
        ("It is fixed.", [6..<11], "It is \u{1B}[1mfixed\u{1B}[0m."),
        ("A\nB", [0..<3], "\u{1B}[1mA B\u{1B}[0m"), ("東京都", [0..<2], "\u{1B}[1m東京\u{1B}[0m都"),
        (
            String(repeating: "a ", count: 50) + "needle\u{1B}[2J", [100..<106],
            "…" + String(repeating: "a ", count: 10) + "\u{1B}[1mneedle\u{1B}[0m␛[2J"
        ),
        ("short", [3..<99], "short"),
    ])
    func `Search matches are bold on a terminal, and the excerpt contains the first match`(
        text: String, matches: [Range<Int>], shown: String
    ) {
        var message = MessageView.sample()
        message.message = text
        let reply = Search.Reply(
            messages: [message],
            matches: matches.map { Search.Match(message: 0, start: $0.lowerBound, length: $0.count) })
        var format = TextFormat.plain
        format.usesColor = true
        #expect(reply.text(in: format).hasSuffix("3 min ago  " + shown + "\n"))
    }

    @Test func `The search results include a note if the index is incomplete`() {
        #expect(Search.Reply(messages: []).remark == nil)
        #expect(Search.Reply(messages: [], indexing: true).remark?.contains("indexed") == true)
    }

    @Test func `The outbox lists failed messages with the reason for the failure`() {
        let reply = ListOutbox.Reply(items: [
            OutboxItem(
                outboxId: "7", account: "default", kind: "message", conversationId: "conv_1", text: "Hi",
                state: "waiting", attempts: 2, createdAt: noon, nextAttemptAt: noon + 5 * minute),
            OutboxItem(
                outboxId: "8", account: "default", kind: "conversation", text: "Hello", state: "failed",
                attempts: 1, error: "the server returned 400", createdAt: noon),
        ])
        #expect(
            reply.text(in: .plain) == """
                ID  WHAT          CONVERSATION  STATE    TRIES  NEXT TRY  TEXT
                7   message       conv_1        waiting      2  in 5 min  Hi
                8   conversation  (new)         failed       1            Hello

                8: the server returned 400

                1 could not be sent: `cutied ctl outbox retry ID` sends it again, `cancel ID` deletes it

                """)
    }

    @Test func `The outbox list gives no advice if no message has failed`() {
        let waiting = OutboxItem(
            outboxId: "7", account: "default", kind: "read", conversationId: "conv_1", state: "waiting",
            attempts: 0, createdAt: noon)
        #expect(!ListOutbox.Reply(items: [waiting]).text(in: .plain).contains("could not"))
    }
}
