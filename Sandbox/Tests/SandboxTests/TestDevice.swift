import CutieAPI
import Foundation
import Sandbox
import Testing

/// A client that acts as a registered device.
struct TestDevice: Sendable {
    let sandbox: RunningSandbox
    let id: DeviceID
    var headers: [String: String]

    func call(
        _ method: String, _ path: String, _ body: String? = nil, _ more: [String: String] = [:]
    ) async throws -> RunningSandbox.Answer {
        try await sandbox.call(method, path, headers.merging(more) { $1 }, body)
    }

    func begin(_ text: String = "It broke", title: String = "Trouble") async throws -> Conversation.ID {
        let body = """
            {"app_id":"app_sandbox","category":"bug","title":"\(title)","initial_message":"\(text)"}
            """
        let answer = try await call("POST", "/v1/conversations", body)
        try #require(answer.status == 201, "\(answer.error ?? "")")
        return try answer.decoded(CreatedConversation.self).id
    }

    func say(_ text: String, in conversation: Conversation.ID) async throws -> Message {
        try await call(
            "POST", "/v1/conversations/\(conversation)/messages", #"{"message":"\#(text)"}"#
        ).decoded()
    }

    func list(_ query: String = "") async throws -> ConversationPage {
        let answer = try await call("GET", "/v1/conversations" + query)
        try #require(answer.status == 200, "\(answer.error ?? "")")
        return try answer.decoded()
    }

    func conversation(_ id: Conversation.ID) async throws -> Conversation {
        try await call("GET", "/v1/conversations/\(id)").decoded()
    }

    @discardableResult
    func markRead(_ id: Conversation.ID, upTo message: Message.ID? = nil) async throws -> Int {
        let body = message.map { #"{"up_to":"\#($0)"}"# }
        return try await call("POST", "/v1/conversations/\(id)/messages/mark-all-read", body).status
    }

    func poll(after cursor: Event.ID?, wait: Int = 0) async throws -> EventPage {
        let after = cursor.map { "&after=\($0)" } ?? ""
        let answer = try await call("GET", "/v1/events?wait=\(wait)\(after)")
        try #require(answer.status == 200, "\(answer.error ?? "")")
        return try answer.decoded()
    }
}

extension RunningSandbox {
    func device(_ id: DeviceID = DeviceID("device_\(UUID().uuidString)")) async throws -> TestDevice {
        var headers = ["X-App-ID": "app_sandbox", "X-Device-ID": id.rawValue]
        let answer = try await call("POST", "/v1/device/register", headers, #"{"app_id":"app_sandbox"}"#)
        try #require(answer.status == 200, "\(answer.error ?? "")")
        headers["X-Device-Token"] = try answer.decoded(Registration.Response.self).deviceToken.rawValue
        return TestDevice(sandbox: self, id: id, headers: headers)
    }

    /// Signs in with the admin credentials of the sandbox.
    func admin() async throws -> TestAdmin {
        let body = """
            {"grant_type":"client_credentials","client_id":"\(address.client.id)",\
            "client_secret":"\(address.client.secret)"}
            """
        let answer = try await call("POST", "/v1/auth/oauth/token", [:], body)
        try #require(answer.status == 200, "\(answer.error ?? "")")
        return TestAdmin(sandbox: self, tokens: try answer.decoded())
    }
}
