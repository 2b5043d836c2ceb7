import Foundation

extension SandboxFixture {
    /// Registers a device. Returns a client that has the token of the device and acts as an app without a
    /// daemon.
    public func device(_ id: String) async throws -> Device {
        struct Registered: Decodable { let device_token: String }
        let registered: Registered = try await exchange(
            "POST", "/v1/device/register", ["X-App-ID": appID, "X-Device-ID": id], ["app_id": appID])
        return Device(sandbox: self, id: id, token: registered.device_token)
    }

    /// Redeems a feedback token as the Feedback App on another device. Throws an error if the server refuses
    /// the token.
    public func redeem(_ token: String) async throws {
        let _: Anything = try await exchange(
            "POST", "/v1/feedback-app/redeem",
            ["X-App-ID": appID, "X-Device-ID": "device_" + UUID().uuidString], ["token": token])
    }

    /// A client with the permissions of one device.
    public struct Device: Sendable {
        let sandbox: SandboxFixture
        public let id: String
        public let token: String

        /// Starts a conversation. Returns the ID of the conversation.
        public func startConversation(_ title: String, _ text: String = "Hello") async throws -> String {
            struct Created: Decodable { let conversation_id: String }
            let created: Created = try await call(
                "POST", "/v1/conversations",
                [
                    "category": "question", "title": title, "initial_message": text, "app_id": sandbox.appID,
                ])
            return created.conversation_id
        }

        public func read(_ conversation: String) async throws {
            let _: SandboxFixture.Anything = try await call(
                "POST", "/v1/conversations/\(conversation)/messages/mark-all-read", [:])
        }

        /// Returns the device's total unread count on the server.
        public func fetchTotalUnread() async throws -> Int {
            struct Page: Decodable { let total_unread: Int }
            let page: Page = try await call("GET", "/v1/conversations?limit=1", nil)
            return page.total_unread
        }

        /// Links this device with `other`, so that both share an inbox.
        public func link(_ other: Device) async throws {
            struct Offer: Decodable { let link_token: String }
            let offer: Offer = try await call("POST", "/v1/sdk/link/initiate", [:])
            let _: SandboxFixture.Anything = try await other.call(
                "POST", "/v1/sdk/link/confirm", ["link_token": offer.link_token, "device_name": "phone"])
        }

        /// Confirms the link token that another device created.
        public func confirm(link token: String) async throws {
            let _: SandboxFixture.Anything = try await call(
                "POST", "/v1/sdk/link/confirm", ["link_token": token, "device_name": "phone"])
        }

        /// Opens an event stream and waits for `count` heartbeats. By then, every stream that was opened
        /// earlier has received at least as many heartbeats.
        public func waitForHeartbeats(_ count: Int) async throws {
            let head = [
                "GET /v1/events/stream HTTP/1.1", "Host: 127.0.0.1", "Accept: text/event-stream",
                "X-App-ID: \(sandbox.appID)", "X-Device-ID: \(id)", "X-Device-Token: \(token)",
            ]
            try await runOnBackgroundThread { [port = sandbox.port] in
                let socket = try PlainSocket(port: port)
                try socket.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
                var text = ""
                while text.components(separatedBy: ": here").count <= count {
                    let chunk = try socket.receive()
                    guard !chunk.isEmpty else { throw SandboxFailure(description: "no stream: " + text) }
                    text += String(decoding: chunk, as: UTF8.self)
                }
            }
        }

        private func call<Answer: Decodable & Sendable>(
            _ method: String, _ target: String, _ body: [String: String]?
        ) async throws -> Answer {
            try await sandbox.exchange(
                method, target,
                ["X-App-ID": sandbox.appID, "X-Device-ID": id, "X-Device-Token": token], body)
        }
    }
}
