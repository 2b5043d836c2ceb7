import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

@Suite struct IdempotencyTests {
    private static let body = #"{"app_id":"app_sandbox","category":"bug","initial_message":"once"}"#

    @Test
    func `A repeated request with the same idempotency key gets the first response and creates nothing`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, other) = (try await sandbox.device(), try await sandbox.device())
            let key = ["Idempotency-Key": UUID().uuidString]
            let first = try await device.call("POST", "/v1/conversations", Self.body, key)
            let again = try await device.call("POST", "/v1/conversations", Self.body, key)
            #expect(first.status == 201 && again.status == 201)
            #expect(first.body == again.body)
            #expect(try await device.list().conversations.count == 1)
            let foreign = try await other.call("POST", "/v1/conversations", Self.body, key)
            #expect(foreign.status == 201 && foreign.body != first.body)
        }
    }

    @Test func `A canned response is sent once per idempotency key, and two users may use the same key`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let scope = "canned_responses:read canned_responses:write"
            let person = try await issuer.tokens(["scope": scope]).access_token
            let program = try await sandbox.admin().tokens.access_token
            func make(_ token: String) async throws -> RunningSandbox.Answer {
                let headers = ["Authorization": "Bearer \(token)", "Idempotency-Key": "k"]
                return try await sandbox.call(
                    "POST", "/v1/canned-responses", headers, #"{"title":"Hello","content":"Hi"}"#)
            }
            let (first, again) = (try await make(person), try await make(person))
            #expect(first.status == 201 && first.body == again.body)
            let other = try await make(program)
            #expect(other.status == 201 && other.body != first.body)
        }
    }

    @Test func `An idempotency key cannot be reused for another message`() async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let path = "/v1/conversations/\(try await device.begin())/messages"
            let key = ["Idempotency-Key": "k"]
            let first = try await device.call("POST", path, #"{"message":"one"}"#, key)
            #expect(try await device.call("POST", path, #"{"message":"two"}"#, key).status == 422)
            let again = try await device.call("POST", path, #"{"message":"one"}"#, key)
            #expect(try again.decoded(Message.self) == first.decoded(Message.self))
            let long = ["Idempotency-Key": String(repeating: "k", count: 256)]
            #expect(try await device.call("POST", path, #"{"message":"x"}"#, long).status == 400)
        }
    }

    @Test func `An idempotency key can be used again if the first request with the key was refused`()
        async throws
    {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let key = ["Idempotency-Key": "k"]
            #expect(try await device.call("POST", "/v1/conversations", "{}", key).status == 422)
            #expect(try await device.call("POST", "/v1/conversations", Self.body, key).status == 201)
        }
    }

    @Test
    func `Responses, tokens, events and credentials survive a restart if they are stored in a database file`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let file = directory.file("sandbox.db")
        let kept = PersistedState()
        try await withSandbox({ $0.database = file }) { sandbox in
            let device = try await sandbox.device()
            let cursor = try await device.poll(after: nil).cursor
            let answer = try await device.call(
                "POST", "/v1/conversations", Self.body, ["Idempotency-Key": "k"])
            await kept.keep(device, cursor, answer.body, sandbox.address.client)
        }
        try await withSandbox({ $0.database = file }) { sandbox in
            let before = try #require(await kept.device)
            #expect(await kept.client == sandbox.address.client)
            let device = TestDevice(sandbox: sandbox, id: before.id, headers: before.headers)
            let again = try await device.call(
                "POST", "/v1/conversations", Self.body, ["Idempotency-Key": "k"])
            #expect(again.body == (await kept.body))
            let events = try await device.poll(after: await kept.cursor).events
            #expect(events.compactMap(\.text) == ["once"])
        }
    }
}

/// The values that a test keeps between two runs of a sandbox.
private actor PersistedState {
    private(set) var device: TestDevice?
    private(set) var cursor: Event.ID?
    private(set) var body = Data()
    private(set) var client: OAuthClient?

    func keep(_ device: TestDevice, _ cursor: Event.ID?, _ body: Data, _ client: OAuthClient) {
        (self.device, self.cursor, self.body, self.client) = (device, cursor, body, client)
    }
}
