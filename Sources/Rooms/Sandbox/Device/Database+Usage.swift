import CutieAPI
import Foundation
import GRDB

extension Database {
    /// What the caller's group used in this month.
    func usage(of caller: Caller) throws -> Subscription.Usage {
        let (month, start) = Self.thisMonth
        let (tier, state, until) = try subscription(of: caller.device, at: .now)
        let conversations = try count(
            "SELECT count(*) FROM conversation WHERE groupID = ? AND createdAt >= ?", caller, since: start)
        let messages = try count(
            """
            SELECT count(*) FROM message JOIN conversation ON conversation.id = conversationID
            WHERE groupID = ? AND message.createdAt >= ? AND senderType = 'user'
            """, caller, since: start)
        let limit = tier.conversationLimit
        return Subscription.Usage(
            billingPeriod: month, tier: tier, state: state, until: until,
            usage: Subscription.Counts(
                feedbackCount: conversations, feedbackLimit: limit,
                feedbackRemaining: limit.map { max(0, $0 - conversations) }, messageCount: messages,
                attachmentBytes: 0, storageLimitBytes: limit.map { $0 << 20 }))
    }

    /// What is paid lasts three days longer than it is paid for.
    private func subscription(
        of device: DeviceID, at now: Timestamp
    ) throws -> (Subscription.Tier, Subscription.State, Timestamp?) {
        let row = try row(
            sql: "SELECT tier, paidUntil FROM device WHERE id = ? AND tier IS NOT NULL",
            arguments: [device.rawValue])
        guard let row else { return (.free, .none, nil) }
        let tier = Subscription.Tier(row["tier"])
        let paid = Timestamp(milliseconds: row["paidUntil"])
        let grace = paid.advanced(bySeconds: 3 * 86_400)
        if now < paid { return (tier, .active, paid) }
        return now < grace ? (tier, .gracePeriod, grace) : (.free, .expired, nil)
    }

    private func count(_ query: String, _ caller: Caller, since start: Timestamp) throws -> Int {
        try Int.fetchOne(
            self, sql: query, arguments: [caller.group.rawValue, start.milliseconds]) ?? 0
    }

    /// `2026-11`, and when it began in UTC.
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
