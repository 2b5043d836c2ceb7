import CutieAPI
import GRDB
import Hummingbird

/// Texts that are written once and sent often.
struct CannedResponseRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/canned-responses", [.get: list, .post: create])
        router.resource(
            "/v1/conversations/:conversation/canned-responses/:response/use", [.post: use])
    }

    @Sendable private func list(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(token, .readCannedResponses)
                let sql = "SELECT * FROM cannedResponse ORDER BY title, id"
                return ["canned_responses": try CannedResponse.fetchAll(database, sql: sql)]
            })
    }

    @Sendable private func create(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(token, .writeCannedResponses)
                let draft: CannedResponse.Draft = try call.decode()
                try draft.title.checkMessage("title")
                try draft.content.checkMessage("content")
                let id = Secret.make("canned_")
                try change.database.run(
                    sql: "INSERT INTO cannedResponse VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        id, draft.title, draft.content, draft.category, change.now.milliseconds,
                    ])
                return try change.database.cannedResponse(id)
            }, status: .created)
    }

    /// Answers with one, as an admin's own words.
    @Sendable private func use(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        let (id, response) = (try call.conversationID(), try call.parameter("response"))
        let answer = try await archive.change { change in
            try change.database.requireAdmin(token, .readCannedResponses, .writeMessages)
            let conversation = try change.database.conversation(id, for: .admin)
            let variables = try call.decode(CannedResponse.Use.self).variables?.mapValues(\.text) ?? [:]
            let text = try change.database.cannedResponse(response).filled(with: variables)
            let key = call.header(HeaderName.idempotencyKey)
            return try change.once(Viewer.admin.owner, key: key, request: call.fingerprint) {
                let message = try change.add(.reply(text), to: conversation)
                return KeptAnswer(status: 201, body: try JSON.encode(message))
            }
        }
        return .kept(answer)
    }
}

extension Database {
    fileprivate func cannedResponse(_ id: String) throws -> CannedResponse {
        let found = try CannedResponse.fetchOne(
            self, sql: "SELECT * FROM cannedResponse WHERE id = ?", arguments: [id])
        guard let found else { throw Refusal(.notFound, "no such canned response") }
        return found
    }
}
