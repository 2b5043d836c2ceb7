import ControlAPI

extension RegisterPush.Reply: Readable {
    func text(on page: Page) -> String { queued ? "queued\n" : "registered\n" }
}

extension UnregisterPush.Reply: Readable {
    func text(on page: Page) -> String { queued ? "queued\n" : "not registered any more\n" }
}

extension DeliverPush.Reply: Readable {
    func text(on page: Page) -> String {
        if queued { return "queued; what is new comes with the next connection\n" }
        if arrived == 0 { return "nothing new\n" }
        let place = conversationId.map { " in \($0)" } ?? ""
        return PlainText.line(Phrases.count(arrived, "new message", "new messages") + place) + "\n"
    }
}

extension PushStatus.Reply: Readable {
    func text(on page: Page) -> String {
        let namesAccounts = Phrases.namesAccounts(registrations.map(\.account))
        return registrations.map { registration in
            let name = namesAccounts ? registration.account + ": " : ""
            return PlainText.line(name + registration.sentence(on: page)) + "\n"
        }.joined()
    }
}

extension PushRegistrationView {
    fileprivate func sentence(on page: Page) -> String {
        let token = tokenEnd.map { "token …\($0)" } ?? "a token"
        let why = reason.map { ": " + $0 } ?? ""
        return switch state {
        case "none": "no push service is registered"
        case "registered": "\(token), registered \(page.relative(registeredAt, otherwise: ""))"
        case "waiting": "\(token), not told to the service yet\(why)"
        case "leaving": "taken back here, not told to the service yet\(why)"
        case "refused": "\(token), which the service does not take\(why)"
        default: "\(token), \(state)\(why)"
        }
    }
}
