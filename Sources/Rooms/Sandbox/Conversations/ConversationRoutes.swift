import CutieAPI
import HTTPTypes
import Hummingbird

/// Conversations, for devices and admins.
struct ConversationRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/conversations", [.get: list, .post: create])
        router.resource("/v1/conversations/:conversation", [.get: show, .patch: change])
    }

    @Sendable private func create(_ call: Call) async throws -> Response {
        let credential = try await gate.changingDevice(call, archive)
        let answer = try await archive.change { change in
            let caller = try change.database.caller(credential)
            let new: NewConversation = try call.decode()
            try new.check(appID: caller.appID)
            let key = gate.idempotencyKey(call)
            return try change.once(caller.device.rawValue, key: key, request: call.fingerprint) {
                KeptAnswer(status: 201, body: try JSON.encode(try change.create(new, by: caller)))
            }
        }
        return .kept(answer)
    }

    @Sendable private func list(_ call: Call) async throws -> Response {
        let credential = try gate.anyone(call)
        let known = call.header(HeaderName.ifNoneMatch) ?? ""
        let (tag, page) = try await archive.read { database in
            let viewer = try database.viewer(credential, .readConversations)
            let request = try PageRequest(call)
            guard gate.has(.etag), case .device(let caller) = viewer else {
                return (String?.none, try Optional(database.page(request, for: viewer)))
            }
            let tag = try database.entityTag(of: request, for: caller)
            return (tag, known.names(tag) ? nil : try database.page(request, for: viewer))
        }
        var response = try page.map { try Response.json($0) } ?? Response(status: .notModified)
        if let tag {
            response.headers[.eTag] = tag
            response.headers[.cacheControl] = "private, no-cache"
        }
        return response
    }

    @Sendable private func show(_ call: Call) async throws -> Response {
        let credential = try gate.anyone(call)
        let id = try call.conversationID()
        return try .json(
            await archive.read { database in
                let viewer = try database.viewer(credential, .readConversations)
                var shown = try database.shown(try database.conversation(id, for: viewer), to: viewer)
                shown.messages = try database.messages(of: id, for: viewer)
                return shown
            })
    }

    @Sendable private func change(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(token, .writeConversations)
                let columns = try call.decode(ConversationPatch.self).columns()
                let conversation = try change.database.conversation(id, for: .admin)
                if columns.isEmpty { return try change.database.shown(conversation, to: .admin) }
                return try change.update(conversation, columns)
            })
    }
}

extension String {
    /// As the value of `If-None-Match`.
    fileprivate func names(_ tag: String) -> Bool {
        split(separator: ",").contains { part in
            let part = part.drop { $0 == " " }
            return part == "*" || part == tag || part == "W/" + tag
        }
    }
}
