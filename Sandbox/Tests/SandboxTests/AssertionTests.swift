import AttestationFormat
import CutieAPI
import Foundation
import Sandbox
import Testing

/// Tests of the assertions that attested devices send in requests that change data.
@Suite struct AssertionTests {
    private static let body = #"{"app_id":"app_sandbox","category":"bug","initial_message":"x"}"#

    @Test func `An attested device that never signs its requests is not locked out`() async throws {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            try await device.attest(with: key)
            #expect(try await device.call("POST", "/v1/conversations", Self.body).status == 201)
            let forged = try await device.signed("POST", "/v1/conversations", Self.body, by: TestKey())
            #expect(forged.status == 403 && forged.code == .notAttested)
            #expect(try await device.list().conversations.count == 1)
        }
    }

    @Test
    func `If assertions are required, only requests that change data must be signed`()
        async throws
    {
        try await withSandbox({ $0.requiresAssertions = true }) { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            let id = try await device.begin()
            try await device.attest(with: key)
            let token = String(repeating: "ab", count: 32)
            let changes = [
                ("POST", "/v1/conversations", Self.body),
                ("POST", "/v1/conversations/\(id)/messages", #"{"message":"x"}"#),
                ("POST", "/v1/conversations/\(id)/messages/mark-all-read", "{}"),
                ("POST", "/v1/notifications/register", #"{"platform":"linux","push_token":"\#(token)"}"#),
                ("DELETE", "/v1/notifications/unregister", #"{"platform":"linux"}"#),
                ("POST", "/v1/sdk/link/initiate", "{}"),
            ]
            for (method, path, body) in changes {
                let bare = try await device.call(method, path, body)
                #expect(bare.status == 403 && bare.code == .assertionRequired, "\(path)")
                let signed = try await device.signed(method, path, body, by: key)
                #expect(signed.status < 300, "\(path): \(signed.error ?? "")")
            }
            #expect(try await device.conversation(id).messages?.count == 2)
            #expect(try await device.list("?limit=1").conversations.count == 1)
            #expect(try await device.attestationState().attestation?.signCount == changes.count)
        }
    }

    @Test func `A signed request cannot be replayed`() async throws {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            try await device.attest(with: key)
            let subject = AssertionSubject.request(
                method: "POST", target: "/v1/conversations", body: Array(Self.body.utf8), device: device.id)
            let header = ["X-App-Assertion": try key.assertion(about: subject)]
            #expect(try await device.call("POST", "/v1/conversations", Self.body, header).status == 201)
            let replay = try await device.call("POST", "/v1/conversations", Self.body, header)
            #expect(replay.status == 403 && replay.code == .assertionReplayed)
            #expect(try await device.list().conversations.count == 1)
        }
    }

    @Test func `An assertion is valid only for one request of one device`() async throws {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            try await device.attest(with: key)
            let body = Array(Self.body.utf8)
            let path = "/v1/conversations"
            let wrong: [AssertionSubject] = [
                .request(method: "PATCH", target: path, body: body, device: device.id),
                .request(method: "POST", target: path + "?x=1", body: body, device: device.id),
                .request(method: "POST", target: path, body: body + [32], device: device.id),
                .request(method: "POST", target: path, body: body, device: "device_other"),
                .clientData("x|y"),
            ]
            for subject in wrong {
                let header = ["X-App-Assertion": try key.assertion(about: subject)]
                let answer = try await device.call("POST", path, Self.body, header)
                #expect(answer.status == 403 && answer.code == .assertionInvalid, "\(subject)")
            }
            let stranger = try await device.signed("POST", path, Self.body, by: TestKey())
            #expect(stranger.code == .notAttested)
            for garbage in ["x", "e30=", String(repeating: "A", count: 4000)] {
                let answer = try await device.call("POST", path, Self.body, ["X-App-Assertion": garbage])
                #expect(answer.code == .assertionInvalid)
            }
            #expect(try await device.list().conversations.isEmpty)
        }
    }

    @Test func `Assertions may arrive out of order if their counters are within the counter window`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            try await device.attest(with: key)
            let subject = AssertionSubject.request(
                method: "POST", target: "/v1/sdk/link/initiate", body: [], device: device.id)
            func send(_ counter: UInt64) async throws -> ErrorCode? {
                let header = ["X-App-Assertion": try key.assertion(about: subject, counter: counter)]
                return try await device.call("POST", "/v1/sdk/link/initiate", nil, header).code
            }
            #expect(try await send(100) == nil)
            #expect(try await send(99) == nil)
            #expect(try await send(99) == .assertionReplayed)
            #expect(try await send(36) == .assertionReplayed)
            #expect(try await send(.max) == nil)
            #expect(try await send(101) == .assertionReplayed)
            #expect(try await device.attestationState().attestation?.signCount == .max)
        }
    }

    @Test func `Attesting a key again does not reset its counters`() async throws {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            try await device.attest(with: key)
            let subject = AssertionSubject.request(
                method: "POST", target: "/v1/conversations", body: Array(Self.body.utf8), device: device.id)
            let header = ["X-App-Assertion": try key.assertion(about: subject)]
            #expect(try await device.call("POST", "/v1/conversations", Self.body, header).status == 201)
            #expect(try await device.call("DELETE", "/v1/device/attest").status == 200)
            try await device.attest(with: key)
            let replay = try await device.call("POST", "/v1/conversations", Self.body, header)
            #expect(replay.code == .assertionReplayed)
        }
    }

    @Test
    func `A request with a revoked token gets 401 before the server verifies the request's assertion`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let key = TestKey()
            try await device.attest(with: key)
            _ = try await admin.call("POST", "/v1/sandbox/devices/\(device.id)/revoke")
            let refused = try await device.signed("POST", "/v1/conversations", Self.body, by: key)
            #expect(refused.status == 401 && refused.code == nil)
            let fresh = try await sandbox.device(device.id)
            #expect(try await fresh.attestationState().attested)
            #expect(try await fresh.signed("POST", "/v1/conversations", Self.body, by: key).status == 201)
        }
    }
}
