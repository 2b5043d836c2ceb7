import ControlAPI
import Testing

@testable import Control

/// Tests of the form that reply dialogs show, and of extracting the reply from the edited form.
struct ReplyFormTests {
    private static func form(_ messages: MessageView..., status: String = "open") -> ReplyForm {
        var conversation = ConversationView.sample(title: "Export")
        conversation.status = status
        return ReplyForm(.init(conversation: conversation, messages: messages))
    }

    private let form = form(
        .sample("msg_0", text: "How?", sender: "user", name: nil), .sample("msg_1", text: "Which\nformat?"))

    @Test func `The reply form shows the latest message and its conversation, but no older messages`() {
        #expect(
            form.template == """
                Anna in “Export”:
                > Which
                > format?

                Write your reply below this line. This line and the text above it are not sent.


                """)
        #expect(form.title == "Export")
        #expect(form.label == "Anna:\nWhich\nformat?\n\nYour reply:")
    }

    @Test(arguments: [
        ("%CSV.\nThank you!", "CSV.\nThank you!"),
        ("CSV.\n\nThank you!\n%", "CSV.\n\nThank you!"),
        ("", ""), ("CSV.", "CSV."),
        // If the user types a line that also occurs in the form, the line is still part of the reply.
        ("%> Which\nthis one", "> Which\nthis one"),
    ])
    func `The reply is the text that the user added anywhere in the form`(
        written: String, reply: String
    )
        throws
    {
        let sheet = written.replacing("%", with: form.template)
        #expect(
            form.extractReply(from: sheet).split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0.isEmpty }.joined(separator: "\n").trimmingSuffix("\n") == reply)
    }

    @Test func `Text that the user adds to an existing line of the reply form is part of the reply`() {
        let sheet = form.template.replacing("> format?", with: "> format? CSV, please")
        #expect(form.extractReply(from: sheet).contains("CSV, please"))
    }

    @Test(arguments: ["resolved", "closed"])
    func `The template of the reply form states that the conversation has ended`(_ status: String) {
        let form = Self.form(.sample(), status: status)
        #expect(form.template.contains("This conversation is \(status)."))
        #expect(form.label.contains("This conversation is \(status)."))
        #expect(!self.form.template.contains("conversation is"))
    }

    @Test func `A long message is truncated in the reply form and is still marked as a quote`() {
        let form = Self.form(.sample(text: String(repeating: "word\n", count: 1000) + "\u{1B}[2J"))
        #expect(form.template.utf8.count < 4000)
        #expect(form.template.contains("…"))
        #expect(!form.template.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `The reply form shows the preceding message if the latest message is from the user`() {
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
