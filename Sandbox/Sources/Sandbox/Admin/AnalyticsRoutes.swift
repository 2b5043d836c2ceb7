import CutieAPI
import GRDB
import Hummingbird

/// Routes for statistics over the last `days` days. Admins only.
struct AnalyticsRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/analytics/conversation-stats", [.get: reportConversationStatistics])
        router.addResource(at: "/v1/analytics/response-times", [.get: reportResponseTimes])
    }

    @Sendable private func reportConversationStatistics(_ call: SandboxCall) async throws -> Response {
        let (token, days, start) = try parseTokenAndPeriod(of: call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(ofAccessToken: token, scopes: .readAnalytics)
                let byStatus = try database.countConversations(groupedBy: "status", since: start)
                return ConversationStats(
                    days: days, total: byStatus.values.reduce(0, +), byStatus: byStatus,
                    byCategory: try database.countConversations(groupedBy: "category", since: start),
                    byPriority: try database.countConversations(groupedBy: "priority", since: start))
            })
    }

    @Sendable private func reportResponseTimes(_ call: SandboxCall) async throws -> Response {
        let (token, days, start) = try parseTokenAndPeriod(of: call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(ofAccessToken: token, scopes: .readAnalytics)
                let (count, average) = try database.fetchFirstResponseStatistics(since: start)
                return ResponseTimes(days: days, answered: count, averageFirstResponse: average)
            })
    }

    private func parseTokenAndPeriod(of call: SandboxCall) throws -> (
        token: String, days: Int, start: Timestamp
    ) {
        let token = try requestParser.parseAccessToken(of: call)
        let days = try call.queryNumber("days", default: 30, in: 1...3650)
        return (token, days, Timestamp.now.advanced(bySeconds: -days * 86_400))
    }
}

private struct ConversationStats: Encodable {
    let days: Int
    let total: Int
    let byStatus: [String: Int]
    let byCategory: [String: Int]
    let byPriority: [String: Int]

    enum CodingKeys: String, CodingKey {
        case days, total
        case byStatus = "by_status"
        case byCategory = "by_category"
        case byPriority = "by_priority"
    }
}

private struct ResponseTimes: Encodable {
    let days: Int
    /// The number of conversations that have a reply from an admin.
    let answered: Int
    /// The average time to the first reply, in seconds; `nil` if no conversation has a reply.
    let averageFirstResponse: Double?

    enum CodingKeys: String, CodingKey {
        case days, answered
        case averageFirstResponse = "average_first_response_seconds"
    }
}

extension Database {
    fileprivate func countConversations(groupedBy column: String, since start: Timestamp) throws -> [String:
        Int]
    {
        let name = column.quotedDatabaseIdentifier
        let rows = try Row.fetchAll(
            self,
            sql: "SELECT \(name) AS word, count(*) AS n FROM conversation WHERE createdAt >= ? GROUP BY 1",
            arguments: [start.milliseconds])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["word"], $0["n"]) })
    }

    /// Returns the number of conversations with a reply, and the average time to the first reply in seconds;
    /// the average is `nil` if no conversation has a reply.
    fileprivate func fetchFirstResponseStatistics(since start: Timestamp) throws -> (Int, Double?) {
        let row = try fetchRow(
            sql: """
                SELECT count(*) AS n, avg(answered - createdAt) / 1000.0 AS average FROM (
                    SELECT conversation.createdAt, min(message.createdAt) AS answered
                    FROM conversation JOIN message ON conversationID = conversation.id
                    WHERE conversation.createdAt >= ? AND senderType = 'admin' AND NOT isNote
                    GROUP BY conversation.id)
                """,
            arguments: [start.milliseconds])
        guard let row else { return (0, nil) }
        let average: Double? = row["average"]
        return (row["n"], average)
    }
}
