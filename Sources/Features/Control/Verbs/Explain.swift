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
        try await session.answer(
            Explain(message: message, conversation: conversation, account: account.name))
    }
}

extension Explain.Reply: HumanReadable {
    var remark: String? {
        cut == true ? "the reply was too large; the message is shortened or omitted" : nil
    }

    func text(in format: TextFormat) -> String {
        let head = message.map { message in
            let text = CellWidth.cut(TerminalText.line(message.message), to: 60)
            let place = TerminalText.line("\(message.sender) in \(message.conversationId)")
            return "\(format.paint(place, .bold)): \(text)\n\n"
        }
        if steps.isEmpty { return (head ?? "") + "no log entries about it are stored any longer\n" }
        return (head ?? "") + sentences(in: format).map { $0 + "\n" }.joined()
    }

    private func sentences(in format: TextFormat) -> [String] {
        steps.indices.compactMap { index in
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            // `announcing` is omitted if `shown` follows: the step matters only if showing the message
            // failed.
            if steps[index].stage == "announcing", next?.stage == "shown" { return nil }
            return steps[index].sentence(in: format, isFirst: index == 0)
        }
    }
}

extension LedgerStep {
    /// Returns the step as text.
    fileprivate func sentence(in format: TextFormat, isFirst: Bool) -> String {
        let moment = "at " + format.moment(at)
        let detail = TerminalText.line(detail ?? "")
        func because(_ verb: String) -> String { "\(verb) \(moment)" + (detail.isEmpty ? "" : ": " + detail) }
        func by(_ verb: String) -> String { "\(verb) \(moment)" + (detail.isEmpty ? "" : " " + detail) }
        switch stage {
        case "received", "stored": return isAnswered ? "sent \(moment)" : by("received")
        case "read" where isFirst: return by("received")
        case "held" where isNotShown: return format.paint("\(detail) (\(moment))", .yellow)
        case "held": return format.paint(because(isFirst ? "received, notification held" : "held"), .yellow)
        case "announcing": return "queued for display \(moment)"
        case "shown" where isInSummary: return "shown \(moment) as part of a summary"
        case "shown": return "shown \(moment)"
        case "closed": return because("its notification was closed")
        case "read": return "read " + (detail.isEmpty ? "" : detail + " ") + moment
        default: return because(stage)
        }
    }
}
