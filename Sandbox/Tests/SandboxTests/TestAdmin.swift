import CutieAPI
import Testing

/// A client that acts as an admin.
struct TestAdmin: Sendable {
    let sandbox: RunningSandbox
    let tokens: Tokens

    struct Tokens: Decodable {
        let access_token: String
        let refresh_token: String
        let expires_in: Int
        let token_type: String
    }

    func call(
        _ method: String, _ path: String, _ body: String? = nil, _ more: [String: String] = [:]
    ) async throws -> RunningSandbox.Answer {
        let headers = more.merging(["Authorization": "Bearer \(tokens.access_token)"]) { $1 }
        return try await sandbox.call(method, path, headers, body)
    }

    @discardableResult
    func reply(
        _ text: String = "We are looking", to id: Conversation.ID, note: Bool = false
    ) async throws -> Message {
        let body = #"{"message":"\#(text)","internal_note":\#(note)}"#
        let answer = try await call("POST", "/v1/conversations/\(id)/messages", body)
        try #require(answer.status == 201, "\(answer.error ?? "")")
        return try answer.decoded()
    }

    /// Sends `count` replies in one transaction, with the texts `1`, `2`, `3` and so on.
    func replyMany(_ count: Int, to id: Conversation.ID) async throws {
        let messages = (1...count).map { #"{"message":"\#($0)"}"# }.joined(separator: ",")
        let answer = try await call(
            "POST", "/v1/sandbox/conversations/\(id)/messages", #"{"messages":[\#(messages)]}"#)
        try #require(answer.status == 201, "\(answer.error ?? "")")
    }
}
