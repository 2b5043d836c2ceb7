import ControlAPI
import Testing

@testable import Control

/// Tests of the text that the reply dialogs show, and of the text that they return.
struct ReplyFormTests {
    private static func form(_ messages: MessageView..., status: String = "open") -> ReplyForm {
        var conversation = ConversationView.sample(title: "Export")
        conversation.status = status
        return ReplyForm(.init(conversation: conversation, messages: messages))
    }

    private let form = form(
        .sample("msg_0", text: "How?", sender: "user", name: nil), .sample("msg_1", text: "Which\nformat?"))

    @Test func `The form shows the message being replied to and its conversation, but no older messages`() {
        #expect(
            form.template == """
                Anna in “Export”:
                > Which
                > format?

                Write your reply below; these lines are not sent.


                """)
        #expect(form.title == "Export")
        #expect(form.label == "Anna:\nWhich\nformat?\n\nYour reply:")
    }

    @Test(arguments: [
        ("%CSV.\nThank you!", "CSV.\nThank you!"),
        ("CSV.\n\nThank you!\n%", "CSV.\n\nThank you!"),
        ("", ""), ("CSV.", "CSV."),
        // A typed line that equals a line of the form is kept as part of the reply.
        ("%> Which\nthis one", "> Which\nthis one"),
    ])
    func `The reply is the text added to the form, at any position`(written: String, reply: String)
        throws
    {
        let sheet = written.replacing("%", with: form.template)
        #expect(
            form.extractReply(in: sheet).split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0.isEmpty }.joined(separator: "\n").trimmingSuffix("\n") == reply)
    }

    @Test func `Text added to an existing line of the form is part of the reply`() {
        let sheet = form.template.replacing("> format?", with: "> format? CSV, please")
        #expect(form.extractReply(in: sheet).contains("CSV, please"))
    }

    @Test(arguments: ["resolved", "closed"])
    func `The form states that the conversation has ended before the user writes`(_ status: String) {
        let form = Self.form(.sample(), status: status)
        #expect(form.template.contains("This conversation is \(status)."))
        #expect(form.label.contains("This conversation is \(status)."))
        #expect(!self.form.template.contains("conversation is"))
    }

    @Test func `A long message is truncated and stays within its quote`() {
        let form = Self.form(.sample(text: String(repeating: "word\n", count: 1000) + "\u{1B}[2J"))
        #expect(form.template.utf8.count < 4000)
        #expect(form.template.contains("…"))
        #expect(!form.template.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `If the last message is the user's own, the form shows the message before it`() {
        let form = Self.form(
            .sample("msg_1", text: "Fixed?"), .sample("msg_2", text: "Wait.", sender: "user", name: nil))
        #expect(form.label == "Anna:\nFixed?\n\nYour reply:")
    }

    @Test func `Text for kdialog is not interpreted as HTML or as escape sequences`() {
        #expect(
            DesktopDialog.escapedForKDialog("<img src='x'> & \\n\n<\u{301}b>")
                == "<html>&lt;img src='x'&gt; &amp; \\\\n<br>&lt;\u{301}b&gt;</html>")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        var text = self
        while text.hasSuffix(suffix) { text.removeLast() }
        return text
    }
}
