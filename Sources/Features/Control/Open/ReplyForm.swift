import ControlAPI
import ControlClient
import Localization

/// The context in a reply dialog: the conversation and its unanswered messages.
struct ReplyForm: Hashable, Sendable {
    let title: String
    /// The unanswered messages, oldest first.
    private let unanswered: [MessageView]
    /// The notice that the user must see before writing; `nil` if there is none.
    private let notice: String?

    init(_ thread: GetConversation.Reply) {
        title = TerminalText.singleLine(thread.conversation.heading)
        unanswered = Array(thread.unanswered.suffix(5))
        notice = thread.conversation.endNotice
    }

    /// The text for a dialog that has a label above its field.
    var label: String {
        let blocks =
            quotes.map { quote in localized("{line}:", ["line": quote.sender]) + "\n" + quote.text }
            + notices + [localized("Your reply:")]
        return blocks.joined(separator: "\n\n")
    }

    /// The initial text for a dialog that has only a text field. The user writes below this text.
    var template: String { lines.joined(separator: "\n") + "\n\n" }

    /// Returns the text that the user wrote: `editedText` without the lines of the initial text. Each of
    /// these lines is removed once, regardless of its position.
    func extractReply(from editedText: String) -> String {
        var own = lines.filter { !$0.isEmpty }
        let kept = TerminalText.multipleLines(editedText).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .filter {
            guard let place = own.firstIndex(of: String($0)) else { return true }
            own.remove(at: place)
            return false
        }
        return String(kept.joined(separator: "\n").drop { $0 == "\n" })
    }

    private var lines: [String] {
        var lines: [String] = []
        for quote in quotes {
            lines.append(localized("{sender} in “{title}”:", ["sender": quote.sender, "title": title]))
            lines += quote.text.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
            lines.append("")
        }
        return lines + notices + [
            localized("Write your reply below this line. This line and the text above it are not sent.")
        ]
    }

    private var notices: [String] { notice.map { [$0] } ?? [] }

    /// The maximum number of characters of a quote. The limit is needed because the dialog grows with its
    /// text.
    private static let maxQuoteLength = 1000

    private var quotes: [(sender: String, text: String)] {
        unanswered.map { message in
            let text = TerminalText.multipleLines(message.message)
            let cut =
                text.count > Self.maxQuoteLength ? text.prefix(Self.maxQuoteLength - 1) + "…" : text[...]
            return (TerminalText.singleLine(message.sender), String(cut))
        }
    }
}

extension GetConversation.Reply {
    /// The messages after the user's last message; if there are no such messages, the newest message of
    /// another sender.
    var unanswered: [MessageView] {
        let isOwn: (MessageView) -> Bool = { $0.isOwn }
        let since = messages.lastIndex(where: isOwn).map { messages[($0 + 1)...] } ?? messages[...]
        return since.isEmpty ? messages.last { !isOwn($0) }.map { [$0] } ?? [] : Array(since)
    }
}
