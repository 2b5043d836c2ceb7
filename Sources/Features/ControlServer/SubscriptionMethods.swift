import Accounts
import ControlAPI
import CutieAPI
import EventLog
import Store
import VarlinkSocket

/// The handlers for the subscription and its usage: the current response of the API, or the last one.
struct SubscriptionMethods: ControlMethods {
    let store: MessageStore
    let accounts: AccountRegistry
    let surroundings: RuntimeEnvironment

    var implementation: Implementation { Implementation().on(getSubscription).on(verifySubscription) }

    /// Returns the error for an endpoint that newer services no longer have.
    private static func notAvailable(_ reason: String) -> NotOffered {
        NotOffered(reason: "newer services do not report subscriptions to devices (\(reason))")
    }

    func getSubscription(_ call: GetSubscription) async throws -> GetSubscription.Reply {
        let unit = try accounts.single(call.account)
        do {
            return try await fetchSubscription(of: unit)
        } catch let offline as Offline {
            let setting = KnownSubscription.setting(of: unit.account.id)
            guard let known = try store.read({ try $0.settings.value(of: setting) }) else { throw offline }
            return known.reply(for: unit.account.name, reason: offline.reason)
        }
    }

    func verifySubscription(_ call: VerifySubscription) async throws -> VerifySubscription.Reply {
        let unit = try accounts.single(call.account)
        let receipt = Subscription.Receipt(
            platform: try present(call.platform, "platform"),
            receiptData: try present(call.receiptData, "receiptData"),
            productID: try present(call.productId, "productId"))
        return try await unit.linking.run {
            _ = try await unit.answer(
                to: .verifySubscription(receipt), in: surroundings, absent: Self.notAvailable)
            return try await fetchSubscription(of: unit)
        }
    }

    private func fetchSubscription(of unit: AccountUnit) async throws -> GetSubscription.Reply {
        let usage = try await unit.answer(to: .usage(), in: surroundings, absent: Self.notAvailable)
        let known = KnownSubscription(usage: usage, fetchedAt: surroundings.now())
        try store.write { try $0.settings.set(KnownSubscription.setting(of: unit.account.id), to: known) }
        return known.reply(for: unit.account.name)
    }

    private func present(_ text: String, _ parameter: String) throws -> String {
        guard !text.isEmpty else { throw InvalidArgument(parameter: parameter, reason: "it is empty") }
        guard text.utf8.count <= 2 << 20 else {
            throw InvalidArgument(parameter: parameter, reason: "it is longer than 2 MiB")
        }
        return text
    }
}

/// The last known state of a subscription.
struct KnownSubscription: Codable {
    let usage: Subscription.Usage
    let fetchedAt: Timestamp

    static func setting(of account: AccountID) -> StoredSetting<Self> {
        StoredSetting("subscription", of: account)
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
