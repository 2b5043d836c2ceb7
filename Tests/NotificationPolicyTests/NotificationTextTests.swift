import Config
import Localization
import NotificationPolicy
import Testing

struct NotificationTextTests {
    @Test func `For support staff, messages from users are called messages and not replies`() {
        func texts(_ reader: UserRole) -> [String] {
            [
                NotificationText.conversation(
                    senderNames: ["Ada"], title: nil, newestText: "Help", messageCount: 2, role: reader,
                    preview: .sender
                ).body,
                NotificationText.digest(
                    titles: ["A"], messageCount: 2, conversationCount: 1, role: reader, preview: .full
                )
                .summary,
            ]
        }
        #expect(texts(.staff) == ["2 new messages", "2 unread messages"])
        #expect(texts(.user) == ["2 new replies", "2 unread replies"])
        #expect(texts(.both) == ["2 new messages", "2 unread messages"])
    }

    @Test func `A single reply is shown with its sender, its conversation and its text`() {
        let text = NotificationText.conversation(
            senderNames: ["Ann"], title: "Export", newestText: "It is done.", messageCount: 1, preview: .full)
        #expect(text == NotificationText(summary: "Ann — Export", body: "It is done."))
    }

    @Test func `For several replies, the notification shows their number and the newest reply`() {
        let text = NotificationText.conversation(
            senderNames: ["Ann", "Bob"], title: nil, newestText: "And this.", messageCount: 3, preview: .full)
        #expect(text == NotificationText(summary: "Ann, Bob", body: "3 new replies:\nAnd this."))
    }

    @Test func `Lower preview levels hide the text, and the lowest level also hides names`() {
        let names = ["Ann"]
        let sender = NotificationText.conversation(
            senderNames: names, title: "Export", newestText: "Secret", messageCount: 1, preview: .sender)
        #expect(sender == NotificationText(summary: "Ann — Export", body: "1 new reply"))
        let count = NotificationText.conversation(
            senderNames: names, title: "Export", newestText: "Secret", messageCount: 2, preview: .count)
        #expect(count == NotificationText(summary: "2 new replies", body: ""))
    }

    @Test func `A title with several lines is shown on one line of a summary`() {
        let text = NotificationText.digest(
            titles: ["one\r\n\ntwo", "\u{2028}three"], messageCount: 2, conversationCount: 2, preview: .full)
        #expect(text.body == "in 2 conversations:\none two, three")
    }

    @Test func `A summary lists as many conversations as fit`() {
        let text = NotificationText.digest(
            titles: ["A", "B", "C", "D", "E"], messageCount: 12, conversationCount: 5, preview: .full)
        #expect(
            text
                == NotificationText(
                    summary: "12 unread replies", body: "in 5 conversations:\nA, B and 3 more"))
    }

    @Test func `A summary states how many conversations it does not list`() {
        let text = NotificationText.digest(
            titles: ["A"], messageCount: 3, conversationCount: 3, preview: .full)
        #expect(text.body == "in 3 conversations:\nA and 2 more")
    }

    @Test
    func `The count and the text of a notification are separated by a colon if the server joins the lines`() {
        let reply = NotificationText.conversation(
            senderNames: ["Ann"], title: nil, newestText: "live two", messageCount: 2, preview: .full)
        let digest = NotificationText.digest(
            titles: ["A"], messageCount: 3, conversationCount: 3, preview: .full)
        let lost = NotificationText.failure(
            inConversation: nil, text: "hello", reason: "the service refused the request", preview: .full)
        #expect(
            [reply, digest, lost].map { $0.body.replacing("\n", with: " ") } == [
                "2 new replies: live two", "in 3 conversations: A and 2 more",
                "the service refused the request: hello",
            ])
    }

    @Test func `The first line of a notification body ends with a colon only if more text follows`() {
        let lost = NotificationText.failure(
            inConversation: nil, text: "hello", reason: "It is gone.", preview: .full)
        #expect(lost.body == "It is gone.\nhello")
        let empty = NotificationText.conversation(
            senderNames: ["Ann"], title: nil, newestText: "", messageCount: 2, preview: .full)
        #expect(empty.body == "2 new replies")
    }

    @Test func `The notification about several unsent messages names the command that lists them`() {
        let text = NotificationText.failures(count: 4, reason: "the service refused the request")
        #expect(text.summary == "4 messages were not sent")
        #expect(
            text.body
                == "the service refused the request.\nTo see the messages, run this command in a terminal: cutied ctl outbox"
        )
    }
}
