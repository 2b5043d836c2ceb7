import CutieAPI
import GRDB

/// Which part of the conversations is asked for.
struct PageRequest: Sendable {
    var limit: Int
    var offset: Int
    var status: Status?
    var category: CutieAPI.Category?
}

extension Database {
    /// Newest change first. Changes of one millisecond are in the order in which they were made.
    func page(_ request: PageRequest, for viewer: Viewer) throws -> ConversationPage {
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        func demand(_ column: String, _ value: String?) {
            guard let value else { return }
            conditions.append("\(column) = ?")
            arguments.append(value)
        }
        if case .device(let caller) = viewer { demand("groupID", caller.group.rawValue) }
        demand("status", request.status?.rawValue)
        demand("category", request.category?.rawValue)
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let found = try StoredConversation.fetchAll(
            self,
            sql: """
                SELECT * FROM conversation \(filter)
                ORDER BY updatedAt DESC, changed DESC LIMIT ? OFFSET ?
                """,
            arguments: StatementArguments(arguments + [request.limit, request.offset]))
        return ConversationPage(
            conversations: try shown(found, to: viewer), totalUnread: try totalUnread(for: viewer))
    }

    /// Changes whenever a device of the group would see another page.
    func entityTag(of request: PageRequest, for caller: Caller) throws -> String {
        let version = try number(
            sql: "SELECT version FROM deviceGroup WHERE id = ?",
            arguments: [caller.group.rawValue])
        let filters = [request.status?.rawValue, request.category?.rawValue].map { $0 ?? "" }
        return "\"\(caller.group)-\(version ?? 0)-\(request.limit)-\(request.offset)"
            + (filters == ["", ""] ? "" : "-" + filters.joined(separator: "-")) + "\""
    }

    private func totalUnread(for viewer: Viewer) throws -> Int? {
        guard case .device(let caller) = viewer else { return nil }
        return try totalUnread(of: caller.group)
    }
}
