import ControlAPI
import CutieAPI
import Store

extension ControlService {
    /// Newer services have none.
    private static func gone(_ reason: String) -> NotOffered {
        NotOffered(reason: "newer services tell devices nothing of subscriptions (\(reason))")
    }

    func subscription(_ call: GetSubscription) async throws -> GetSubscription.Reply {
        let unit = try accounts.only(call.account)
        do {
            return try await fetchSubscription(of: unit)
        } catch let offline as Offline {
            let setting = KnownSubscription.setting(of: unit.account.id)
            guard let known = try store.read({ try $0.value(of: setting) }) else { throw offline }
            return known.reply(for: unit.account.name, reason: offline.reason)
        }
    }

    func verifySubscription(_ call: VerifySubscription) async throws -> VerifySubscription.Reply {
        let unit = try accounts.only(call.account)
        let receipt = Subscription.Receipt(
            platform: try present(call.platform, "platform"),
            receiptData: try present(call.receiptData, "receiptData"),
            productID: try present(call.productId, "productId"))
        _ = try await ask(.verifySubscription(receipt), as: unit, absent: Self.gone)
        return try await fetchSubscription(of: unit)
    }

    private func fetchSubscription(of unit: AccountUnit) async throws -> GetSubscription.Reply {
        let usage = try await ask(.usage(), as: unit, absent: Self.gone)
        let known = KnownSubscription(usage: usage, fetchedAt: surroundings.now())
        try store.write { try $0.set(KnownSubscription.setting(of: unit.account.id), to: known) }
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
