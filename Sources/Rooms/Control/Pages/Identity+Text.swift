import ControlAPI

extension UserView: Readable {
    func text(on page: Page) -> String {
        var sheet = FactSheet()
        sheet.append("id", userId.map(PlainText.line) ?? "not given")
        sheet.append("name", userName.map(PlainText.line) ?? "not given")
        return sheet.text(on: page)
    }
}

extension AttestationView: Readable {
    func text(on page: Page) -> String {
        var sheet = FactSheet()
        sheet.append("attested", page.paint(isAttested ? "yes" : "no", isAttested ? .green : .yellow))
        sheet.append("supported", isSupported ? "yes" : "no")
        sheet.append("configured", PlainText.line(mode))
        if let environment { sheet.append("environment", PlainText.line(environment)) }
        if let keyId { sheet.append("key", PlainText.line(keyId)) }
        if let counter { sheet.append("counter", String(counter)) }
        if let reason { sheet.append("reason", PlainText.line(reason)) }
        return sheet.text(on: page)
    }
}
