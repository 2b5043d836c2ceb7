import ArgumentParser
import ControlAPI
import ControlClient

struct ExplainVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Show what happened to a message and why it was or was not shown.")

    @Argument(help: "The message; `cutied ctl show` and `search` print their ids.")
    var message: String

    @Option(help: "The conversation; needed only if several have a message with this id.")
    var conversation: String?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(
            to: Explain(message: message, conversation: conversation, account: account.name))
    }
}

extension Explain.Reply: HumanReadable {
    var remark: String? {
        cut == true ? "the reply was too large; the message is shortened or omitted" : nil
    }

    func text(in format: TextFormat) -> String {
        let head = message.map { message in
            let text = CellWidth.truncated(TerminalText.singleLine(message.message), toWidth: 60)
            let place = TerminalText.singleLine("\(message.sender) in \(message.conversationId)")
            return "\(format.styled(place, as: .bold)): \(text)\n\n"
        }
        if steps.isEmpty { return (head ?? "") + "no log entries about it are stored any longer\n" }
        return (head ?? "") + messages(in: format).map { $0 + "\n" }.joined()
    }

    private func messages(in format: TextFormat) -> [String] {
        steps.indices.compactMap { index in
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            // Omit the step `announcing` if the step `shown` follows, because `announcing` matters only if
            // the message was not shown.
            if steps[index].stage == "announcing", next?.stage == "shown" { return nil }
            return steps[index].message(in: format, isFirst: index == 0)
        }
    }
}

extension LedgerStep {
    /// Returns the step as text.
    fileprivate func message(in format: TextFormat, isFirst: Bool) -> String {
        let moment = "at " + format.absoluteTimeText(for: at)
        let detail = TerminalText.singleLine(detail ?? "")
        func messageWithReason(after verb: String) -> String {
            "\(verb) \(moment)" + (detail.isEmpty ? "" : ": " + detail)
        }
        func messageWithObject(after verb: String) -> String {
            "\(verb) \(moment)" + (detail.isEmpty ? "" : " " + detail)
        }
        switch stage {
        case "received", "stored": return isAnswered ? "sent \(moment)" : messageWithObject(after: "received")
        case "read" where isFirst: return messageWithObject(after: "received")
        case "held" where isNotShown: return format.styled("\(detail) (\(moment))", as: .yellow)
        case "held":
            return format.styled(
                messageWithReason(after: isFirst ? "received, notification held" : "held"), as: .yellow)
        case "announcing": return "queued for display \(moment)"
        case "shown" where isInSummary: return "shown \(moment) as part of a summary" + hiddenText
        case "shown": return "shown \(moment)" + hiddenText
        case "closed": return messageWithReason(after: "its notification was closed")
        case "read": return "read " + (detail.isEmpty ? "" : detail + " ") + moment
        default: return messageWithReason(after: stage)
        }
    }

    /// A note about hidden text, such as `, without text: the screen is locked`; empty if the notification
    /// showed the whole text. `detail` contains this note after the ID of the notification.
    private var hiddenText: String {
        let parts = (detail ?? "").split(separator: ", ").drop { !$0.hasPrefix("notification ") }.dropFirst()
        return parts.map { ", " + TerminalText.singleLine(String($0)) }.joined()
    }
}
