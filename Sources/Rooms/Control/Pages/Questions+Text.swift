import ControlAPI
import QR

extension ListQuestions.Reply: Readable {
    func text(on page: Page) -> String {
        if questions.isEmpty { return "nothing waits for your answer\n" }
        return questions.map { question in
            let heading = page.paint(PlainText.line(question.question), .bold)
            let choice = "allow: \(question.allow) · refuse: \(question.refuse)"
            return """
                \(PlainText.line(question.questionId))  \(heading)  \(page.relative(question.askedAt))
                   \(PlainText.line(question.detail))
                   \(PlainText.line(choice))

                """
        }.joined()
    }
}

extension AnswerQuestion.Reply: Readable {
    func text(on page: Page) -> String {
        account.map { "\(PlainText.line($0)) was added; its replies are shown here from now on\n" }
            ?? "answered\n"
    }
}

extension Consent.Reply: Readable {
    func text(on page: Page) -> String {
        "activity \(enabled ? "is told, once a start" : "is not told")\(decided ? "" : " (not asked yet)")\n"
    }
}

extension HandOverApp.Reply: Readable {
    /// The code alone on its line, to be copied; the link to be scanned.
    func text(on page: Page) -> String {
        let code = (try? QRCode(link)).map { $0.terminalText(coloured: page.colour) + "\n" } ?? ""
        return """
            \(code)Type this code into the Feedback App, or open the link there. It works once, and not for long.

            \(PlainText.line(token))
            \(page.paint(PlainText.line(link), .faint))

            """
    }
}

extension ListApps.Reply: Readable {
    func text(on page: Page) -> String {
        if apps.isEmpty { return "no app was taken over\n" }
        var table = Table([.init("ACCOUNT"), .init("APP"), .init("APP ID"), .init("API"), .init("ADDED")])
        for app in apps {
            table.append([
                .init(app.account), .init(app.appName ?? ""), .init(app.appId), .init(app.apiUrl),
                .init(page.relative(app.addedAt)),
            ])
        }
        return table.text(on: page)
    }
}

extension RemoveApp.Reply: Readable {
    func text(on page: Page) -> String { "removed\n" }
}
