import ControlAPI
import CutieAPI
import Store

/// What the service told last of a subscription.
struct KnownSubscription: Codable {
    let usage: Subscription.Usage
    let fetchedAt: Timestamp

    private static func key(_ account: AccountID) -> String { "subscription/\(account.rawValue)" }

    static func stored(_ account: AccountID, in store: Store) throws -> KnownSubscription? {
        try store.read { try $0.setting(key(account)) }
            .flatMap { try? JSON.decode(KnownSubscription.self, from: $0.utf8) }
    }

    func keep(of account: AccountID, in store: Store) throws {
        let text = String(decoding: try JSON.encode(self), as: UTF8.self)
        try store.write { try $0.setSetting(Self.key(account), to: text) }
    }

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
