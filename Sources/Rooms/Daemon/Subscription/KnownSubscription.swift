import ControlAPI
import CutieAPI
import Store

/// What the service told last of a subscription.
struct KnownSubscription: Codable {
    let usage: Subscription.Usage
    let fetchedAt: Timestamp

    static func setting(of account: AccountID) -> Setting<Self> { Setting("subscription", of: account) }

    func reply(for account: String, reason: String? = nil) -> GetSubscription.Reply {
        .init(
            subscription: SubscriptionView(usage, account: account), fetchedAt: fetchedAt.milliseconds,
            reason: reason)
    }
}

extension SubscriptionView {
    init(_ usage: Subscription.Usage, account: String) {
        let counts = usage.usage
        self.init(
            account: account, tier: usage.tier.rawValue, state: usage.state?.rawValue,
            until: usage.until?.milliseconds, billingPeriod: usage.billingPeriod,
            feedbackCount: counts.feedbackCount, feedbackLimit: counts.feedbackLimit,
            feedbackRemaining: counts.feedbackRemaining, messageCount: counts.messageCount,
            attachmentBytes: counts.attachmentBytes, storageLimitBytes: counts.storageLimitBytes)
    }
}
