import CutieAPI
import Sandbox
import Testing

/// Tests of servers with disabled features (`--without`).
@Suite struct PlainServerTests {
    private static let body = #"{"app_id":"app_sandbox","category":"bug","initial_message":"x"}"#

    @Test func `A server that does not support idempotency keys executes a repeated request again`()
        async throws
    {
        try await withSandbox({ $0.disabledFeatures = [.idempotency] }) { sandbox in
            let device = try await sandbox.device()
            let key = ["Idempotency-Key": "k"]
            for _ in 1...2 {
                let answer = try await device.call("POST", "/v1/conversations", Self.body, key)
                #expect(answer.status == 201 && answer.header("Idempotency-Replayed") == nil)
            }
            #expect(try await device.list().conversations.count == 2)
        }
    }

    @Test func `If the feature "up-to" is disabled, a mark-read request marks all messages as read`()
        async throws
    {
        try await withSandbox({ $0.disabledFeatures = [.upTo] }) { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            let first = try await admin.reply("one", to: id)
            try await admin.reply("two", to: id)
            let answer = try await device.call(
                "POST", "/v1/conversations/\(id)/messages/mark-all-read", #"{"up_to":"\#(first.id)"}"#)
            let mark: ReadMark.Response = try answer.decoded()
            #expect(mark.upTo == nil && mark.unreadCount == 0)
        }
    }

    @Test func `A server that does not support ETags always returns the complete list`() async throws {
        try await withSandbox({ $0.disabledFeatures = [.etag] }) { sandbox in
            let device = try await sandbox.device()
            let answer = try await device.call("GET", "/v1/conversations", nil, ["If-None-Match": "*"])
            #expect(answer.status == 200 && answer.header("ETag") == nil)
        }
    }

    @Test func `A server that does not support attestation refuses attestations but accepts signed requests`()
        async throws
    {
        try await withSandbox({ $0.disabledFeatures = [.attestation] }) { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            #expect(try await device.call("POST", "/v1/device/attest/challenge").status == 404)
            let signed = try await device.signed("POST", "/v1/conversations", Self.body, by: key)
            #expect(signed.status == 201)
        }
    }

    @Test func `A server that does not support registration identifies a device only by its ID`() async throws
    {
        try await withSandbox({ $0.disabledFeatures = [.register] }) { sandbox in
            let id = DeviceID("device_00000000-0000-4000-8000-000000000001")
            let device = TestDevice(
                sandbox: sandbox, id: id, headers: ["X-App-ID": "app_sandbox", "X-Device-ID": id.rawValue])
            #expect(try await device.call("POST", "/v1/device/register", "{}").status == 404)
            #expect(try await device.list().conversations.isEmpty)
            let conversation = try await device.begin()
            #expect(try await device.list().conversations.map(\.id) == [conversation])
        }
    }

    @Test func `A server that does not support subscriptions returns 404 for the subscription endpoints`()
        async throws
    {
        try await withSandbox({ $0.disabledFeatures = [.subscription] }) { sandbox in
            let device = try await sandbox.device()
            #expect(try await device.call("GET", "/v1/usage").status == 404)
            #expect(try await device.call("POST", "/v1/subscription/verify").status == 404)
        }
    }
}
