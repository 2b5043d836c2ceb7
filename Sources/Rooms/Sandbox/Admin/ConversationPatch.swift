import CutieAPI

/// What an admin may change of a conversation.
struct ConversationPatch: Decodable {
    let status: Status?
    let priority: Priority?
    let category: CutieAPI.Category?

    /// The columns to change; none is no error.
    func columns() throws(Refusal) -> [String: String?] {
        try status?.check()
        try priority?.check()
        try category?.check()
        let all = [
            "status": status?.rawValue, "priority": priority?.rawValue, "category": category?.rawValue,
        ]
        return all.filter { $0.value != nil }
    }
}
