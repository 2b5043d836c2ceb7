import ControlAPI

extension GetSubscription.Reply: Readable {
    func text(on page: Page) -> String {
        var sheet = FactSheet()
        sheet.append("tier", PlainText.line(subscription.tier))
        if let state = subscription.stateSentence(on: page) { sheet.append("state", state) }
        if let use = subscription.use { sheet.append("used", use) }
        if let messages = subscription.messageCount { sheet.append("messages", String(messages)) }
        if let storage = subscription.storage { sheet.append("attachments", storage) }
        let age = page.relative(fetchedAt)
        let why = reason.map { " (\($0))" } ?? ""
        sheet.append("as of", PlainText.line(age + why))
        return sheet.text(on: page)
    }
}

extension SubscriptionView {
    /// `active until 2026-12-21`, `grace period until ...`, `expired`.
    fileprivate func stateSentence(on page: Page) -> String? {
        guard let state else { return nil }
        let end = until.map { " until \(page.clock.date($0))" } ?? ""
        return PlainText.line(state.split(separator: "_").joined(separator: " ") + end)
    }

    /// `12 of 50 conversations in 2026-11, 38 remain`.
    fileprivate var use: String? {
        guard let feedbackCount else { return nil }
        let limit = feedbackLimit.map { " of \($0)" } ?? ""
        let period = billingPeriod.map { " in \($0)" } ?? ""
        let rest = feedbackRemaining.map { ", \($0) remain" } ?? ", no limit"
        return PlainText.line("\(feedbackCount)\(limit) conversations\(period)\(rest)")
    }

    fileprivate var storage: String? {
        guard let attachmentBytes else { return nil }
        return "\(attachmentBytes) bytes" + (storageLimitBytes.map { " of \($0)" } ?? "")
    }
}
