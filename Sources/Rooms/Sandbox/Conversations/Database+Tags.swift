import CutieAPI
import GRDB

extension Database {
    /// By name; of nil, those of all conversations.
    func tags(of conversations: [Conversation.ID]?) throws -> [Tag] {
        let ids = conversations.map { $0.map(\.rawValue) } ?? []
        let marks = ids.map { _ in "?" }.joined(separator: ",")
        let filter = conversations == nil ? "" : "WHERE conversationID IN (\(marks))"
        let rows = try Row.fetchAll(
            self, sql: "SELECT * FROM tag \(filter) ORDER BY name, conversationID",
            arguments: StatementArguments(ids))
        return rows.map(Tag.init(row:))
    }
}

extension Tag {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"], conversation: Conversation.ID(row["conversationID"]), name: row["name"],
            color: row["color"])
    }
}
