import Crypto
import CutieAPI
import Foundation
import GRDB
import Hummingbird

/// What SDKs before 2.0 asked about a subscription.
struct UsageRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/subscription/verify", [.post: verify])
        router.resource("/v1/usage", [.get: usage])
    }

    /// A product names its tier: `pro` is in `com.example.pro.monthly`. A receipt is good for 30 days.
    @Sendable private func verify(_ call: Call) async throws -> Response {
        try checkSecret(call)
        let credential = try await gate.changingDevice(call, archive)
        return try .json(
            await archive.change { change in
                let caller = try change.database.caller(credential)
                let receipt: Subscription.Receipt = try call.decode()
                try receipt.platform.checkMessage("platform")
                let tier = try receipt.checkedTier()
                let until = change.now.advanced(bySeconds: 30 * 86_400)
                try change.subscribe(caller.device, to: tier, until: until)
                return Verified(tier: tier, state: .active, until: until)
            })
    }

    @Sendable private func usage(_ call: Call) async throws -> Response {
        try checkSecret(call)
        let credential = try gate.device(call)
        return try .json(await archive.read { try $0.usage(of: $0.caller(credential)) })
    }

    /// Throws 401 where `X-Device-Secret` is not the hash that belongs to the device.
    private func checkSecret(_ call: Call) throws(Refusal) {
        let device = try gate.device(call).device
        let digest = SHA256.hash(data: Data("\(device)cutie-device-salt-v1".utf8))
        guard call.header(HeaderName.deviceSecret) == Hexadecimal.text(of: digest) else {
            throw Refusal(.unauthorized, "missing or wrong X-Device-Secret")
        }
    }
}

private struct Verified: Encodable {
    var success = true
    let tier: Subscription.Tier
    let state: Subscription.State
    let until: Timestamp
}

extension Subscription.Receipt {
    fileprivate func checkedTier() throws(Refusal) -> Subscription.Tier {
        guard let data = Data(base64Encoded: receiptData), !data.isEmpty else {
            throw Refusal(.unprocessable, "receipt_data must be base64")
        }
        let paid: [Subscription.Tier] = [.starter, .pro, .business]
        let words = productID.split(separator: ".").map(String.init)
        guard let tier = paid.first(where: { words.contains($0.rawValue) }) else {
            throw Refusal(.unprocessable, "product_id names no tier: starter, pro or business")
        }
        return tier
    }
}
