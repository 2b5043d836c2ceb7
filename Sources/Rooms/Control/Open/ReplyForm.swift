import ControlAPI
import ControlClient
import Localization

/// What a dialog for a reply shows besides what is written: where it goes, and what it answers.
struct ReplyForm: Hashable, Sendable {
    let title: String
    /// What is answered, oldest first.
    private let answered: [MessageView]
    /// What is to be known before anything is written.
    private let notice: String?

    init(_ thread: GetConversation.Reply) {
        title = TerminalText.line(thread.conversation.heading)
        answered = Array(thread.unanswered.suffix(5))
        notice = thread.conversation.endNotice
    }

    /// For a dialog that has a text beside its field.
    var label: String {
        let blocks =
            quotes.map { quote in localized("{line}:", ["line": quote.sender]) + "\n" + quote.text }
            + notices + [localized("Your reply:")]
        return blocks.joined(separator: "\n\n")
    }

    /// For a dialog that is nothing but a field: who writes goes on below it.
    var sheet: String { lines.joined(separator: "\n") + "\n\n" }

    /// What was written on the sheet, wherever that is: its own lines are left out, each once.
    func reply(on sheet: String) -> String {
        var own = lines.filter { !$0.isEmpty }
        let kept = TerminalText.block(sheet).split(separator: "\n", omittingEmptySubsequences: false).filter {
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
        return lines + notices + [localized("Write your reply below; these lines are not sent.")]
    }

    private var notices: [String] { notice.map { [$0] } ?? [] }

    /// A dialog grows with its text, and the newest matters most.
    private static let longestQuote = 1000

    private var quotes: [(sender: String, text: String)] {
        answered.map { message in
            let text = TerminalText.block(message.message)
            let cut = text.count > Self.longestQuote ? text.prefix(Self.longestQuote - 1) + "…" : text[...]
            return (TerminalText.line(message.sender), String(cut))
        }
    }
}

extension GetConversation.Reply {
    /// What came since the person wrote last; where nothing did, the newest message of others.
    var unanswered: [MessageView] {
        let isOwn: (MessageView) -> Bool = { $0.isOwn }
        let since = messages.lastIndex(where: isOwn).map { messages[($0 + 1)...] } ?? messages[...]
        return since.isEmpty ? messages.last { !isOwn($0) }.map { [$0] } ?? [] : Array(since)
    }
}
