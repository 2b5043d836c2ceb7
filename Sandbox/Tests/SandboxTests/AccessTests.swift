import CutieAPI
import Foundation
import Testing

@Suite struct AccessTests {
    @Test
    func `A repeated registration returns the same token unless the token was revoked`()
        async throws
    {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let admin = try await sandbox.admin()
            func register() async throws -> Registration.Response {
                try await device.call("POST", "/v1/device/register", #"{"app_id":"app_sandbox"}"#).decoded()
            }
            let again = try await register()
            #expect(again.isNew == false)
            #expect(again.deviceToken.rawValue == device.headers["X-Device-Token"])
            _ = try await admin.call("POST", "/v1/sandbox/devices/\(device.id)/revoke")
            #expect(try await device.call("GET", "/v1/conversations").status == 401)
            let fresh = try await register()
            #expect(fresh.deviceToken != again.deviceToken)
            let headers = ["X-Device-Token": fresh.deviceToken.rawValue]
            #expect(try await device.call("GET", "/v1/conversations", nil, headers).status == 200)
        }
    }

    @Test(arguments: [
        ["X-App-ID": "app_other"], ["X-App-ID": ""], ["X-Device-Token": "cutie_dt_wrong"],
        ["X-Device-Token": ""], ["X-Device-ID": "device_1"],
        ["X-Device-ID": "device_00000000-0000-4000-8000-000000000000"],
    ])
    func `A request without the required headers is refused`(wrong: [String: String]) async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            for path in ["/v1/conversations", "/v1/events", "/v1/events/stream", "/v1/sdk/link/devices"] {
                let answer = try await device.call("GET", path, nil, wrong)
                #expect(answer.status == 401, "\(path)")
                #expect(answer.error != nil)
            }
        }
    }

    @Test func `The token of a device is refused if the request names another device`() async throws {
        try await withSandbox { sandbox in
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let stolen = ["X-Device-Token": one.headers["X-Device-Token"] ?? ""]
            #expect(try await two.call("GET", "/v1/conversations", nil, stolen).status == 401)
        }
    }

    @Test func `A user gets 404 for another user's conversation`() async throws {
        try await withSandbox { sandbox in
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let id = try await one.begin()
            let path = "/v1/conversations/\(id)"
            #expect(try await two.call("GET", path).status == 404)
            #expect(try await two.call("POST", path + "/messages", #"{"message":"hi"}"#).status == 404)
            #expect(try await two.markRead(id) == 404)
            #expect(try await two.list().conversations.isEmpty)
            #expect(try await one.conversation(id).messages?.count == 1)
        }
    }

    @Test func `Devices cannot call admin methods, and admins cannot call device methods`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            #expect(try await device.call("PATCH", "/v1/conversations/\(id)", "{}").status == 401)
            #expect(try await device.call("GET", "/v1/tags").status == 401)
            #expect(try await device.call("GET", "/v1/sandbox/devices").status == 401)
            #expect(try await admin.call("POST", "/v1/conversations", "{}").status == 401)
        }
    }

    @Test func `An unknown path returns 404 and an unsupported method returns 405, both with a JSON body`()
        async throws
    {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let lost = try await device.call("GET", "/v1/nothing")
            #expect(lost.status == 404 && lost.error != nil)
            let wrong = try await device.call("PUT", "/v1/conversations", "{}")
            #expect(wrong.status == 405 && wrong.error != nil)
            #expect(wrong.header("Allow") == "GET, POST")
            #expect(try await device.call("GET", "/v1/device/register").status == 405)
            #expect(try await device.call("DELETE", "/v1/events").status == 405)
        }
    }

    private static let bodies: [(String, Int, String)] = [
        ("{", 400, "the body is not valid JSON"),
        (#"{"category":"bug","initial_message":"x","app_id":"\x"}"#, 400, "the body is not valid JSON"),
        ("[]", 422, "the body must be a JSON object"), ("", 422, "category is missing"),
        (#"{"app_id":"app_sandbox","category":"bug"}"#, 422, "initial_message is missing"),
        (
            #"{"app_id":"app_sandbox","category":"bug","initial_message":7}"#, 422,
            "initial_message has the wrong type"
        ),
        (
            #"{"app_id":"app_sandbox","category":"poem","initial_message":"x"}"#, 422,
            "category must be one of bug, feature, question, feedback, other"
        ),
        (
            #"{"app_id":"app_sandbox","category":"bug","initial_message":"  "}"#, 422,
            "initial_message must not be empty"
        ),
    ]

    @Test(arguments: bodies)
    func `Malformed JSON and invalid fields cause different errors`(
        body: String, status: Int, sentence: String
    ) async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let answer = try await device.call("POST", "/v1/conversations", body)
            #expect(answer.status == status && answer.error == sentence, "\(answer.error ?? "")")
            #expect(try await device.list().conversations.isEmpty)
        }
    }

    @Test func `A malformed number and a number out of range cause different errors`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let word = try await device.call("GET", "/v1/conversations?limit=many")
            #expect(word.status == 400 && word.error == "limit must be a whole number")
            let small = try await device.call("GET", "/v1/conversations?limit=0")
            #expect(small.status == 422 && small.error == "limit must be from 1")
            let large = try await admin.call("GET", "/v1/analytics/conversation-stats?days=99999")
            #expect(large.status == 422 && large.error == "days must be from 1 to 3650")
            let token = #"{"platform":"linux","push_token":"short"}"#
            let odd = try await device.call("POST", "/v1/notifications/register", token)
            #expect(odd.status == 422 && odd.error == "push_token has an invalid value")
        }
    }

    @Test func `A request body that is too long is rejected before it is received completely`() async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let id = try await device.begin()
            let long = String(repeating: "a", count: 1 << 20)
            let path = "/v1/conversations/\(id)/messages"
            let answer = try await device.call("POST", path, #"{"message":"\#(long)"}"#)
            #expect(answer.status == 413)
            #expect(answer.error != nil)
            #expect(try await device.conversation(id).messages?.count == 1)
        }
    }
}
