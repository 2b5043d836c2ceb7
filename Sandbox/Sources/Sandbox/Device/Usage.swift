import Crypto
import CutieAPI
import Foundation
import GRDB
import Hummingbird

/// Subscription routes for SDKs before version 2.0.
struct UsageRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/subscription/verify", [.post: storeSubscription])
        router.addResource(at: "/v1/usage", [.get: showUsage])
    }

    /// Stores a subscription for 30 days. The product ID contains the tier, for example `pro` in
    /// `com.example.pro.monthly`.
    @Sendable private func storeSubscription(_ call: SandboxCall) async throws -> Response {
        try checkDeviceSecret(of: call)
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        return try .json(
            await archive.change { change in
                let caller = try change.database.authenticateDevice(with: credential)
                let receipt: Subscription.Receipt = try call.decodeBody()
                try receipt.platform.requireNonBlank(fieldName: "platform")
                let tier = try receipt.parseTier()
                let until = change.now.advanced(bySeconds: 30 * 86_400)
                try change.setSubscription(of: caller.device, to: tier, until: until)
                return VerificationResponse(tier: tier, state: .active, until: until)
            })
    }

    @Sendable private func showUsage(_ call: SandboxCall) async throws -> Response {
        try checkDeviceSecret(of: call)
        let credential = try requestParser.parseDevice(of: call)
        return try .json(
            await archive.read { try $0.computeUsage(of: $0.authenticateDevice(with: credential)) })
    }

    /// Checks the device secret.
    ///
    /// - Throws: `Refusal` (401) if `X-Device-Secret` is not the salted hash of the device ID.
    private func checkDeviceSecret(of call: SandboxCall) throws(Refusal) {
        let device = try requestParser.parseDevice(of: call).device
        let digest = SHA256.hash(data: Data("\(device)cutie-device-salt-v1".utf8))
        guard call.header(HeaderName.deviceSecret) == Hexadecimal.hexText(of: digest) else {
            throw Refusal(.unauthorized, "missing or wrong X-Device-Secret")
        }
    }
}

private struct VerificationResponse: Encodable {
    var success = true
    let tier: Subscription.Tier
    let state: Subscription.State
    let until: Timestamp
}

extension Subscription.Receipt {
    fileprivate func parseTier() throws(Refusal) -> Subscription.Tier {
        guard let data = Data(base64Encoded: receiptData), !data.isEmpty else {
            throw Refusal(.unprocessable, "receipt_data must be base64")
        }
        let paid: [Subscription.Tier] = [.starter, .pro, .business]
        let words = productID.split(separator: ".").map(String.init)
        guard let tier = paid.first(where: { words.contains($0.rawValue) }) else {
            throw Refusal(.unprocessable, "product_id must be starter, pro or business")
        }
        return tier
    }
}

extension Database {
    /// Returns the usage of the caller's group in the current month.
    func computeUsage(of caller: AuthenticatedDevice) throws -> Subscription.Usage {
        let (month, start) = Self.thisMonth
        let (tier, state, until) = try findSubscription(of: caller.device, at: .now)
        let conversations = try fetchCount(
            sql: "SELECT count(*) FROM conversation WHERE groupID = ? AND createdAt >= ?", for: caller,
            since: start
        )
        let messages = try fetchCount(
            sql: """
                SELECT count(*) FROM message JOIN conversation ON conversation.id = conversationID
                WHERE groupID = ? AND message.createdAt >= ? AND senderType = 'user'
                """, for: caller, since: start)
        let limit = tier.conversationLimit
        return Subscription.Usage(
            billingPeriod: month, tier: tier, state: state, until: until,
            usage: Subscription.Counts(
                feedbackCount: conversations, feedbackLimit: limit,
                feedbackRemaining: limit.map { max(0, $0 - conversations) }, messageCount: messages,
                attachmentBytes: 0, storageLimitBytes: limit.map { $0 << 20 }))
    }

    /// Returns the tier, the state and the expiry time of a device's subscription; the time is `nil` if no
    /// subscription is active or in its grace period. The grace
    /// period is the three days after the expiry time.
    private func findSubscription(
        of device: DeviceID, at now: Timestamp
    ) throws -> (Subscription.Tier, Subscription.State, Timestamp?) {
        let row = try fetchRow(
            sql: "SELECT tier, paidUntil FROM device WHERE id = ? AND tier IS NOT NULL",
            arguments: [device.rawValue])
        guard let row else { return (.free, .none, nil) }
        let tier = Subscription.Tier(row["tier"])
        let paid = Timestamp(milliseconds: row["paidUntil"])
        let grace = paid.advanced(bySeconds: 3 * 86_400)
        if now < paid { return (tier, .active, paid) }
        return now < grace ? (tier, .gracePeriod, grace) : (.free, .expired, nil)
    }

    private func fetchCount(sql query: String, for caller: AuthenticatedDevice, since start: Timestamp)
        throws
        -> Int
    {
        try Int.fetchOne(
            self, sql: query, arguments: [caller.group.rawValue, start.milliseconds]) ?? 0
    }

    /// The current month, for example `2026-11`, and the time at which it started (UTC).
    private static var thisMonth: (name: String, start: Timestamp) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month], from: Date())
        let start = calendar.date(from: parts) ?? Date()
        let month = String(parts.month ?? 1)
        return (
            "\(parts.year ?? 1970)-" + (month.count < 2 ? "0" : "") + month,
            Timestamp(milliseconds: Int64(start.timeIntervalSince1970 * 1000))
        )
    }
}
