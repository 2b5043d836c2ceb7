import ControlAPI
import Testing

@testable import Control

/// Tests which text the reply dialogs show, and which text they return.
struct ReplyFormTests {
    private static func form(_ messages: MessageView..., status: String = "open") -> ReplyForm {
        var conversation = ConversationView.sample(title: "Export")
        conversation.status = status
        return ReplyForm(.init(conversation: conversation, messages: messages))
    }

    private let form = form(
        .sample("msg_0", text: "How?", sender: "user", name: nil), .sample("msg_1", text: "Which\nformat?"))

    @Test func `The form shows the message being answered and its conversation, and no older messages`() {
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
    func `The reply is what is written on the form, wherever it is`(written: String, reply: String)
        throws
    {
        let sheet = written.replacing("%", with: form.template)
        #expect(
            form.reply(in: sheet).split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0.isEmpty }.joined(separator: "\n").trimmingSuffix("\n") == reply)
    }

    @Test func `Text added to a line of the form is sent`() {
        let sheet = form.template.replacing("> format?", with: "> format? CSV, please")
        #expect(form.reply(in: sheet).contains("CSV, please"))
    }

    @Test(arguments: ["resolved", "closed"])
    func `The form says before writing that the conversation has ended`(_ status: String) {
        let form = Self.form(.sample(), status: status)
        #expect(form.template.contains("This conversation is \(status)."))
        #expect(form.label.contains("This conversation is \(status)."))
        #expect(!self.form.template.contains("conversation is"))
    }

    @Test func `A long message is cut and stays inside its quote`() {
        let form = Self.form(.sample(text: String(repeating: "word\n", count: 1000) + "\u{1B}[2J"))
        #expect(form.template.utf8.count < 4000)
        #expect(form.template.contains("…"))
        #expect(!form.template.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `If the user wrote last, the form shows the message before that`() {
        let form = Self.form(
            .sample("msg_1", text: "Fixed?"), .sample("msg_2", text: "Wait.", sender: "user", name: nil))
        #expect(form.label == "Anna:\nFixed?\n\nYour reply:")
    }

    @Test func `A text for kdialog contains neither HTML nor escapes of its own`() {
        #expect(
            DesktopDialog.literal("<img src='x'> & \\n\n<\u{301}b>")
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
