import ControlAPI

extension GetStatus.Reply: Readable {
    func text(on page: Page) -> String {
        var sheet = FactSheet()
        let only = accounts.count == 1 ? accounts.first : nil
        sheet.append("state", only?.connection(on: page) ?? page.paint(state.rawValue, state.ink))
        sheet.append("badge", Phrases.badge(badge))
        sheet.append("pop-ups", popups(on: page))
        sheet.append("outbox", waiting(on: page))
        only?.describe(in: &sheet, on: page)
        sheet.append("daemon", PlainText.line("\(version), log at \(sequence)"))
        let overview = sheet.text(on: page)
        return accounts.count > 1 ? overview + "\n" + table(on: page) : overview
    }

    /// What waits goes by itself; what could not be sent needs the person.
    private func waiting(on page: Page) -> String {
        let waiting = outbox == 0 ? [] : ["\(outbox) to send"]
        let failed =
            outboxFailed == 0
            ? [] : [page.paint("\(outboxFailed) could not be sent: `cutied ctl outbox`", .red)]
        return (waiting + failed).isEmpty ? "empty" : (waiting + failed).joined(separator: ", ")
    }

    private func popups(on page: Page) -> String {
        let server = notifier.server.map { ", shown by " + PlainText.line($0) } ?? ""
        let missing = page.paint("no notification server answers", .yellow)
        if !notifications { return page.paint("off", .yellow) }
        if paused {
            let end = pausedUntil.map { "until " + page.moment($0) } ?? "until resumed"
            return page.paint(
                `private` ? "private \(end): shown without names and text" : "paused \(end)", .yellow)
        }
        return notifier.available ? "on" + server : "on, but " + missing
    }

    private func table(on page: Page) -> String {
        var table = Table([
            .init("ACCOUNT"), .init("STATE"), .init("TRANSPORT"), .init("BADGE", alignsRight: true),
            .init("LAST EVENT"), .init("APP"), .init("API"),
        ])
        for account in accounts {
            table.append([
                .init(account.name, .bold), .init(account.state.rawValue, account.state.ink),
                .init(account.transport), .init(account.badge.total.map(String.init) ?? "?"),
                .init(page.relative(account.lastEventAt, otherwise: "never")), .init(account.appId),
                .init(account.apiUrl),
            ])
        }
        let reasons = accounts.flatMap { account in
            let shared = account.inboxOf.map { "the same inbox as \($0), which tells and counts" }
            let notes = [account.explanation(on: page), account.registration, shared].compactMap(\.self)
            return (notes + account.warnings).map {
                PlainText.line("\(account.name): \($0)") + "\n"
            }
        }
        return table.text(on: page) + (reasons.isEmpty ? "" : "\n") + reasons.joined()
    }
}

extension AccountView {
    fileprivate func connection(on page: Page) -> String {
        let line = Phrases.connection(state, transport: transport, reason: explanation(on: page))
        return page.paint(line, state.ink)
    }

    /// Why it is so, and when it tries again.
    fileprivate func explanation(on page: Page) -> String? {
        let next = nextTryAt.map { "next try " + ($0 - page.now < 1000 ? "now" : page.relative($0)) }
        let parts = [reason, next].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    fileprivate func describe(in sheet: inout FactSheet, on page: Page) {
        let named = Phrases.namesAccounts([name]) ? name + ": " : ""
        sheet.append("account", PlainText.line("\(named)\(appId) at \(apiUrl)"))
        sheet.append("device", PlainText.line(deviceId))
        if let registration { sheet.append("registration", PlainText.line(registration)) }
        sheet.append("last event", page.relative(lastEventAt, otherwise: "never"))
        for warning in warnings { sheet.append("warning", page.paint(PlainText.line(warning), .yellow)) }
    }
}

extension ConnectionState {
    /// Green while replies arrive, red where a person must act.
    var ink: Ink {
        switch self {
        case .connected: .green
        case .stopped: .red
        case .starting, .connecting, .offline, .unregistered: .yellow
        }
    }
}
