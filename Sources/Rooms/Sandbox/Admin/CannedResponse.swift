import CutieAPI
import GRDB

/// A text that an admin sends often. `{{name}}` stands for what differs.
struct CannedResponse: Codable, FetchableRecord {
    let id: String
    let title: String
    let content: String
    /// Of the admin's own making; not that of a conversation.
    let category: String?
    let createdAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case title, content, category
        case id = "response_id"
        case createdAt = "created_at"
    }

    init(row: Row) {
        id = row["id"]
        title = row["title"]
        content = row["content"]
        category = row["category"]
        createdAt = Timestamp(milliseconds: row["createdAt"])
    }

    /// What is to be stored of a new one.
    struct Draft: Decodable {
        let title: String
        let content: String
        let category: String?
    }

    struct Use: Decodable {
        let variables: [String: VariableText]?
    }

    /// The content with each `{{name}}` replaced. Throws 422 where one has no value: a person must not
    /// read the braces.
    func filled(with variables: [String: String]) throws(Refusal) -> String {
        var text = ""
        var rest = content[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}")
        {
            let name = rest[start.upperBound..<end.lowerBound].filter { $0 != " " }
            guard let value = variables[name] else {
                throw Refusal(.unprocessable, "variables.\(name) is missing")
            }
            text += rest[..<start.lowerBound] + value
            rest = rest[end.upperBound...]
        }
        return text + rest
    }
}
