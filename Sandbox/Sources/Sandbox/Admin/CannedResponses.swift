import CutieAPI
import GRDB
import Hummingbird

/// Routes for canned responses: stored messages that admins reuse.
struct CannedResponseRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/canned-responses", [.get: list, .post: create])
        router.addResource(
            at: "/v1/conversations/:conversation/canned-responses/:response/use", [.post: sendCannedResponse])
    }

    @Sendable private func list(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(ofAccessToken: token, scopes: .readCannedResponses)
                let sql = "SELECT * FROM cannedResponse ORDER BY title, id"
                return ["canned_responses": try CannedResponse.fetchAll(database, sql: sql)]
            })
    }

    @Sendable private func create(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let answer = try await archive.change { change in
            let staff = try change.database.requireAdmin(ofAccessToken: token, scopes: .writeCannedResponses)
            let draft: CannedResponse.Draft = try call.decodeBody()
            try draft.title.requireNonBlank(fieldName: "title")
            try draft.content.requireNonBlank(fieldName: "content")
            let key = requestParser.parseIdempotencyKey(of: call)
            return try change.performIdempotently(
                forOwner: staff.id, idempotencyKey: key, requestFingerprint: call.fingerprint
            ) {
                StoredResponse(status: 201, body: try JSON.encode(try change.addCannedResponse(draft)))
            }
        }
        return .makeResponse(from: answer)
    }

    /// Sends a canned response as a message from the admin.
    @Sendable private func sendCannedResponse(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let (id, response) = (try call.conversationID(), try call.pathParameter("response"))
        let answer = try await archive.change { change in
            let staff = try change.database.requireAdmin(
                ofAccessToken: token, scopes: .readCannedResponses, .writeMessages)
            let conversation = try change.database.findConversation(id: id, for: .unrestricted)
            let variables =
                try call.decodeBody(as: CannedResponse.Use.self).variables?.mapValues(\.text) ?? [:]
            let text = try change.database.findCannedResponse(id: response).renderContent(with: variables)
            let key = requestParser.parseIdempotencyKey(of: call)
            return try change.performIdempotently(
                forOwner: staff.id, idempotencyKey: key, requestFingerprint: call.fingerprint
            ) {
                let message = try change.addMessage(.makeReply(withText: text, by: staff), to: conversation)
                return StoredResponse(status: 201, body: try JSON.encode(message))
            }
        }
        return .makeResponse(from: answer)
    }
}

extension Database {
    fileprivate func findCannedResponse(id: String) throws -> CannedResponse {
        let found = try CannedResponse.fetchOne(
            self, sql: "SELECT * FROM cannedResponse WHERE id = ?", arguments: [id])
        guard let found else { throw Refusal(.notFound, "canned response not found") }
        return found
    }
}

extension SandboxTransaction {
    fileprivate func addCannedResponse(_ draft: CannedResponse.Draft) throws -> CannedResponse {
        let id = RandomText.makeID(prefix: "canned_")
        try database.run(
            sql: "INSERT INTO cannedResponse VALUES (?, ?, ?, ?, ?)",
            arguments: [id, draft.title, draft.content, draft.category, now.milliseconds])
        return try database.findCannedResponse(id: id)
    }
}

/// A message that admins reuse. `{{name}}` in its content is a placeholder for the variable `name`.
struct CannedResponse: Codable, FetchableRecord {
    let id: String
    let title: String
    let content: String
    /// A free-form category for admins, unrelated to the category of a conversation.
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

    /// The request body for a new canned response.
    struct Draft: Decodable {
        let title: String
        let content: String
        let category: String?
    }

    struct Use: Decodable {
        let variables: [String: VariableText]?
    }

    /// Returns the content with each `{{name}}` replaced by its value.
    ///
    /// - Throws: `Refusal` (422) if a variable has no value, so that no user receives a message with
    ///   `{{name}}`.
    func renderContent(with variables: [String: String]) throws(Refusal) -> String {
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

/// The value of a variable of a canned response, as text. A JSON string is used unchanged, `null` becomes an
/// empty string, and any other JSON value is encoded as JSON.
struct VariableText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try LooseValue(from: decoder)
        if case .string(let string) = value {
            text = string
        } else {
            text = value == .null ? "" : String(decoding: try JSON.encode(value), as: UTF8.self)
        }
    }
}

private enum LooseValue: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case list([LooseValue])
    case object([String: LooseValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([LooseValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: LooseValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
