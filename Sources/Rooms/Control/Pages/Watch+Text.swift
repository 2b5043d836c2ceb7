import ControlAPI

extension Watch.Reply: Readable {
    func text(on page: Page) -> String {
        let named = account.flatMap { Phrases.namesAccounts([$0]) ? $0 : nil }
        let place = [named, conversation].compactMap(\.self).map(PlainText.line)
        let words = [page.clock.stamp(at), page.paint(PlainText.line(type), .bold)] + place
        return (words + [what].filter { !$0.isEmpty }).joined(separator: "  ") + "\n"
    }

    /// The entry in words; empty where its type says it all.
    private var what: String {
        if let message = data?.message {
            return PlainText.line("\(message.sender): \(message.message)")
        }
        switch type {
        case "reset": return "what came before is gone from the log"
        case "conversation.updated": return PlainText.line(data?.conversation?.heading ?? "")
        default: return [stateInWords, badgeInWords].compactMap(\.self).joined(separator: ", ")
        }
    }

    private var stateInWords: String? {
        state.map { Phrases.connection($0, transport: data?.transport, reason: data?.reason) }
    }

    private var badgeInWords: String? {
        let name = type == "badge" ? "" : "badge "
        return badge.map { name + ($0.total.map(String.init) ?? "not known yet") }
    }
}
