import Foundation

extension SandboxFixture {
    /// Sends a reply as support. Returns the ID of the message.
    @discardableResult
    public func reply(_ text: String, in conversation: String, note: Bool = false) async throws -> String {
        struct Body: Encodable { let message: String, internal_note: Bool }
        let message: Identified = try await admin(
            "POST", "/v1/conversations/\(conversation)/messages", Body(message: text, internal_note: note))
        return message.message_id
    }

    /// Sends several messages in one transaction. `sender` is `admin` or `system`.
    @discardableResult
    public func sendReplies(
        _ texts: [String], in conversation: String, from sender: String = "admin"
    ) async throws -> [String] {
        struct Body: Encodable { let messages: [[String: String]] }
        struct Answer: Decodable { let messages: [Identified] }
        let body = Body(
            messages: texts.map { ["message": $0, "sender_type": sender, "sender_name": "Support"] })
        let answer: Answer = try await admin(
            "POST", "/v1/sandbox/conversations/\(conversation)/messages", body)
        return answer.messages.map(\.message_id)
    }

    public func setPriority(_ priority: String, of conversation: String) async throws {
        let _: Anything = try await admin(
            "PATCH", "/v1/conversations/\(conversation)", ["priority": priority])
    }

    public func setStatus(_ status: String, of conversation: String) async throws {
        let _: Anything = try await admin("PATCH", "/v1/conversations/\(conversation)", ["status": status])
    }

    /// Returns the received activity pings, oldest first.
    public func fetchPings() async throws -> [Ping] {
        struct Page: Decodable { let pings: [Ping] }
        let page: Page = try await admin("GET", "/v1/sandbox/activity", [String: String]?.none)
        return page.pings
    }

    public struct Ping: Decodable, Sendable {
        public let hashed_device_id: String
        public let consent: Bool
        public let app_version: String?
        public let os_version: String?
    }

    /// Revokes the token of a device.
    public func revoke(_ device: String) async throws {
        let _: Anything = try await admin("POST", "/v1/sandbox/devices/\(device)/revoke", [String: String]())
    }

    /// Expires all pending link tokens, feedback tokens and challenges.
    public func expireCodes() async throws {
        let _: Anything = try await admin("POST", "/v1/sandbox/expire", [String: String]())
    }

    /// Returns the texts of all messages in a conversation, oldest first, including notes.
    public func fetchTexts(in conversation: String) async throws -> [String] {
        try await fetchThread(conversation).messages?.map(\.message) ?? []
    }

    /// Returns the conversations of all users, as support sees them.
    public func fetchThreads() async throws -> [Thread] {
        struct Page: Decodable { let conversations: [Thread] }
        let page: Page = try await admin("GET", "/v1/conversations?limit=100", [String: String]?.none)
        return page.conversations
    }

    public struct Thread: Decodable, Sendable {
        public let conversation_id: String
        public let title: String?
        public let user_id: String?
        public let user_name: String?
        public let unread_count: Int?
        public let messages: [Message]?

        public struct Message: Decodable, Sendable {
            public let message_id: String
            public let message: String
        }
    }

    private func fetchThread(_ id: String) async throws -> Thread {
        try await admin("GET", "/v1/conversations/\(id)", [String: String]?.none)
    }

    /// Deletes the attestation of a device, which simulates data loss on the server. The next signed request
    /// of the device is refused.
    public func forgetAttestation(of device: String) async throws {
        let _: Anything = try await admin(
            "POST", "/v1/sandbox/devices/\(device)/forget-attestation", [String: String]())
    }

    /// Returns the data that the server stores about a device.
    public func fetchDevice(_ device: String) async throws -> KnownDevice {
        struct List: Decodable { let devices: [KnownDevice] }
        let list: List = try await admin("GET", "/v1/sandbox/devices", [String: String]?.none)
        guard let known = list.devices.first(where: { $0.device_id == device }) else {
            throw SandboxFailure(description: "no device \(device)")
        }
        return known
    }

    public struct KnownDevice: Decodable, Sendable {
        public let device_id: String
        public let facts: [String: String]
        public let attestation: Key?

        public struct Key: Decodable, Sendable {
            public let key_id: String
            public let environment: String
            public let sign_count: Int
        }
    }

    private struct Identified: Decodable { let message_id: String }

    func admin<Answer: Decodable & Sendable>(
        _ method: String, _ target: String, _ body: (some Encodable)?
    ) async throws -> Answer {
        try await exchange(method, target, ["Authorization": "Bearer " + fetchAdminToken()], body)
    }

    struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// Sends a single request on a new connection.
    func exchange<Answer: Decodable & Sendable>(
        _ method: String, _ target: String, _ headers: [String: String], _ body: (some Encodable)?
    ) async throws -> Answer {
        let content = try body.map { try JSONEncoder().encode($0) } ?? Data()
        let fields = headers.merging([
            "Host": "127.0.0.1", "Connection": "close", "Content-Type": "application/json",
            "Content-Length": String(content.count),
        ]) { $1 }
        let head = "\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        let answer = try await runOnBackgroundThread { [port] in
            let socket = try PlainSocket(port: port)
            try socket.send(Array(head.utf8) + content)
            var bytes: [UInt8] = []
            while case let chunk = try socket.receive(), !chunk.isEmpty { bytes += chunk }
            return bytes
        }
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)), answer.count > 12,
            answer[9] == UInt8(ascii: "2")
        else {
            throw SandboxFailure(
                description: "\(method) \(target): " + String(decoding: answer, as: UTF8.self))
        }
        return try JSONDecoder().decode(Answer.self, from: Data(answer[end.upperBound...]))
    }
}
