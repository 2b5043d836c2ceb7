package import Accounts
package import CutieAPI
import Domain
package import EventLog
package import Reasons
package import Store

/// Returns subscriptions and their usage: the current state from the API, or the stored state if the API is
/// offline or sends an invalid response.
package struct SubscriptionService {
    private let store: MessageStore
    private let accounts: AccountRegistry
    private let runtime: RuntimeEnvironment

    package init(store: MessageStore, accounts: AccountRegistry, runtime: RuntimeEnvironment) {
        (self.store, self.accounts, self.runtime) = (store, accounts, runtime)
    }

    /// The last known state of a subscription.
    package struct SubscriptionState {
        package let account: String
        package let usage: Subscription.Usage
        package let fetchedAt: Timestamp
        /// The reason why the state is not current; `nil` if it is current.
        package let reason: Reason?
    }

    package func fetchSubscription(account: String?) async throws -> SubscriptionState {
        let unit = try accounts.findSingleAccount(named: account)
        do {
            return try await fetchSubscription(of: unit)
        } catch let error as ServiceError {
            guard let reason = Self.makeOutdatedStateReason(for: error) else { throw error }
            let setting = StoredSubscription.storedSetting(of: unit.account.id)
            guard let known = try store.read({ try $0.settings.fetchValue(of: setting) }) else { throw error }
            return SubscriptionState(
                account: unit.account.name, usage: known.usage, fetchedAt: known.fetchedAt, reason: reason)
        }
    }

    /// Returns the reason to show with the stored state; `nil` if the error means that the stored state is
    /// not valid.
    private static func makeOutdatedStateReason(for error: ServiceError) -> Reason? {
        switch error {
        case .offline(let reason, _): reason
        case .invalidResponse(let reason, _): Reason(.apiSentInvalidResponse, because: reason)
        default: nil
        }
    }

    /// Verifies the receipt of a purchase with the API. Returns the new state.
    package func verify(_ receipt: Subscription.Receipt, account: String?) async throws -> SubscriptionState {
        let unit = try accounts.findSingleAccount(named: account)
        try checkText(receipt.platform, parameter: "platform")
        try checkText(receipt.receiptData, parameter: "receiptData")
        try checkText(receipt.productID, parameter: "productId")
        return try await unit.linking.run {
            _ = try await unit.fetchDecodedResponse(
                from: .verifySubscription(receipt), in: runtime, ifAbsent: Self.makeUnavailableError)
            return try await fetchSubscription(of: unit)
        }
    }

    private func fetchSubscription(of unit: AccountUnit) async throws -> SubscriptionState {
        let usage = try await unit.fetchDecodedResponse(
            from: .usage(), in: runtime, ifAbsent: Self.makeUnavailableError)
        let fetched = StoredSubscription(usage: usage, fetchedAt: runtime.now())
        let setting = StoredSubscription.storedSetting(of: unit.account.id)
        try store.write { try $0.settings.setValue(of: setting, to: fetched) }
        return SubscriptionState(
            account: unit.account.name, usage: usage, fetchedAt: fetched.fetchedAt, reason: nil)
    }

    /// Returns the error for an endpoint that newer versions of the API no longer have.
    private static func makeUnavailableError(because reason: Reason) -> ServiceError {
        .notOffered(reason: Reason(.subscriptionUnsupported, because: reason))
    }

    private func checkText(_ text: String, parameter: String) throws {
        guard !text.isEmpty else {
            throw ServiceError.invalidArgument(parameter: parameter, reason: Reason(.valueEmpty))
        }
        guard text.utf8.count <= 2 << 20 else {
            throw ServiceError.invalidArgument(
                parameter: parameter, reason: Reason(.valueTooLong, ["limit": "2 MiB"]))
        }
    }
}

/// The stored state of a subscription.
struct StoredSubscription: Codable {
    let usage: Subscription.Usage
    let fetchedAt: Timestamp

    static func storedSetting(of account: AccountID) -> StoredSetting<Self> {
        StoredSetting("subscription", of: account)
    }
}
