import CutieAPI
import Hummingbird

/// Messages and read state.
struct MessageRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        let path: RouterPath = "/v1/conversations/:conversation/messages"
        router.resource(path, [.get: list, .post: send])
        router.resource("/v1/conversations/:conversation/messages/mark-all-read", [.post: markRead])
    }

    /// A device's message, or an admin's reply or note.
    @Sendable private func send(_ call: Call) async throws -> Response {
        let credential = try await gate.changingAnyone(call, archive)
        let id = try call.conversationID()
        let answer = try await archive.change { change in
            let viewer = try change.database.viewer(credential, .writeMessages)
            let conversation = try change.database.conversation(id, for: viewer)
            let draft = try Draft(call, by: viewer)
            let key = gate.idempotencyKey(call)
            return try change.once(viewer.owner, key: key, request: call.fingerprint) {
                KeptAnswer(status: 201, body: try JSON.encode(try change.add(draft, to: conversation)))
            }
        }
        return .kept(answer)
    }

    @Sendable private func list(_ call: Call) async throws -> Response {
        let credential = try gate.anyone(call)
        let id = try call.conversationID()
        return try .json(
            await archive.read { database in
                let viewer = try database.viewer(credential, .readConversations)
                let limit = min(try call.number("limit", default: 50, in: 1...Int.max), 100)
                _ = try database.conversation(id, for: viewer)
                return ["messages": try database.messages(of: id, for: viewer, limit: limit)]
            })
    }

    @Sendable private func markRead(_ call: Call) async throws -> Response {
        let credential = try await gate.changingDevice(call, archive)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                let viewer = Viewer.device(try change.database.caller(credential))
                let conversation = try change.database.conversation(id, for: viewer)
                let mark: ReadMark = try call.decode()
                let bound = gate.has(.upTo) ? mark.upTo : nil
                let read = try change.markRead(conversation, upTo: bound)
                return ReadMark.Answer(
                    upTo: bound, unreadCount: read.unreadCount, totalUnread: read.totalUnread)
            })
    }
}
