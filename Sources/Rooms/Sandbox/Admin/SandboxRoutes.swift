import CutieAPI
import FoundationEssentials
import GRDB
import Hummingbird

/// What no real server has: a look behind the counter for tests, and many messages at once. Admins only.
struct SandboxRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/sandbox/devices", [.get: devices])
        router.resource(
            "/v1/sandbox/conversations/:conversation/messages", limit: 16 << 20, [.post: sendMany])
        router.resource("/v1/sandbox/activity", [.get: activity])
    }

    @Sendable private func devices(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(token, .sandbox)
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM device ORDER BY joinedAt, id")
                return ["devices": try rows.map { try KnownDevice($0, database) }]
            })
    }

    /// Many messages in one transaction, also of the system and under other names.
    @Sendable private func sendMany(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(token, .sandbox)
                let batch: MessageBatch = try call.decode()
                let messages = try batch.messages.map { message in
                    let conversation = try change.database.conversation(id, for: .admin)
                    return try change.add(try Draft(message), to: conversation)
                }
                return ["messages": messages]
            }, status: .created)
    }

    /// The bodies of the activity pings, oldest first.
    @Sendable private func activity(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        let bodies = try await archive.read { database in
            try database.requireAdmin(token, .sandbox)
            return try String.fetchAll(database, sql: "SELECT body FROM activity ORDER BY rowid")
        }
        return .json(bytes: Array("{\"pings\":[\(bodies.joined(separator: ","))]}".utf8))
    }
}
