import ControlAPI

extension Explain.Reply: Readable {
    func text(on page: Page) -> String {
        let head = message.map { message in
            let text = CellWidth.cut(PlainText.line(message.message), to: 60)
            let place = PlainText.line("\(message.sender) in \(message.conversationId)")
            return "\(page.paint(place, .bold)): \(text)\n\n"
        }
        if steps.isEmpty { return (head ?? "") + "nothing is written about it any more\n" }
        var table = Table([.init("WHEN"), .init("STEP"), .init("WHY")])
        for step in steps {
            let ink: Ink? = step.stage == "held" ? .yellow : nil
            table.append([.init(page.clock.stamp(step.at)), .init(step.stage, ink), .init(step.detail ?? "")])
        }
        return (head ?? "") + table.text(on: page)
    }
}
