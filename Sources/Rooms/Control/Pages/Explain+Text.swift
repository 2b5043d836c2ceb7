import ControlAPI

extension Explain.Reply: Readable {
    var remark: String? {
        cut == true ? "one answer does not hold all; the message is abridged, or left out" : nil
    }

    func text(on page: Page) -> String {
        let head = message.map { message in
            let text = CellWidth.cut(PlainText.line(message.message), to: 60)
            let place = PlainText.line("\(message.sender) in \(message.conversationId)")
            return "\(page.paint(place, .bold)): \(text)\n\n"
        }
        if steps.isEmpty { return (head ?? "") + "nothing is written about it any more\n" }
        return (head ?? "") + sentences(on: page).map { $0 + "\n" }.joined()
    }

    private func sentences(on page: Page) -> [String] {
        steps.indices.compactMap { index in
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            // That it was about to be shown is news only where it was not.
            if steps[index].stage == "announcing", next?.stage == "shown" { return nil }
            return steps[index].sentence(on: page, isFirst: index == 0)
        }
    }
}

extension LedgerStep {
    /// One step as a person says it.
    fileprivate func sentence(on page: Page, isFirst: Bool) -> String {
        let moment = "at " + page.moment(at)
        let detail = PlainText.line(detail ?? "")
        func because(_ verb: String) -> String { "\(verb) \(moment)" + (detail.isEmpty ? "" : ": " + detail) }
        func by(_ verb: String) -> String { "\(verb) \(moment)" + (detail.isEmpty ? "" : " " + detail) }
        switch stage {
        case "received", "stored": return isAnswered ? "sent \(moment)" : by("received")
        case "read" where isFirst: return by("received")
        case "held" where isNotShown: return page.paint("\(detail) (\(moment))", .yellow)
        case "held": return page.paint(because(isFirst ? "received and held" : "held"), .yellow)
        case "announcing": return "about to be shown \(moment)"
        case "shown" where isInSummary: return "shown \(moment) as part of a summary"
        case "shown": return "shown \(moment)"
        case "closed": return because("its pop-up was closed")
        case "read": return "read " + (detail.isEmpty ? "" : detail + " ") + moment
        default: return because(stage)
        }
    }
}
