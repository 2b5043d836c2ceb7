import ControlAPI
import CutieAPI
import Reasons
import Services
import VarlinkSocket

/// The handlers for the subscription and its usage.
struct SubscriptionMethods: ControlMethods {
    let service: SubscriptionService

    var implementation: Implementation { Implementation().on(getSubscription).on(verifySubscription) }

    func getSubscription(_ call: GetSubscription) async throws -> GetSubscription.Reply {
        .init(try await service.fetchSubscription(account: call.account))
    }

    func verifySubscription(_ call: VerifySubscription) async throws -> VerifySubscription.Reply {
        let receipt = Subscription.Receipt(
            platform: call.platform, receiptData: call.receiptData, productID: call.productId)
        return .init(try await service.verify(receipt, account: call.account))
    }
}

extension GetSubscription.Reply {
    fileprivate init(_ state: SubscriptionService.SubscriptionState) {
        self.init(
            subscription: SubscriptionView(state.usage, account: state.account),
            fetchedAt: state.fetchedAt.milliseconds, reason: state.reason?.english)
        self = withReasonFields(of: state.reason)
    }
}

extension SubscriptionView {
    fileprivate init(_ usage: Subscription.Usage, account: String) {
        let counts = usage.usage
        self.init(
            account: account, tier: usage.tier.rawValue, state: usage.state?.rawValue,
            until: usage.until?.milliseconds, billingPeriod: usage.billingPeriod,
            feedbackCount: counts.feedbackCount, feedbackLimit: counts.feedbackLimit,
            feedbackRemaining: counts.feedbackRemaining, messageCount: counts.messageCount,
            attachmentBytes: counts.attachmentBytes, storageLimitBytes: counts.storageLimitBytes)
    }
}
