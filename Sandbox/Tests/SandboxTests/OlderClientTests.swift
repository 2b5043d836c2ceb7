import CutieAPI
import Foundation
import Testing

@Suite struct OlderClientTests {
    private static let body = #"{"app_id":"app_sandbox","category":"bug","initial_message":"x"}"#

    @Test func `A linked device without a name has a default name`() async throws {
        try await withSandbox { sandbox in
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let offer: Linking.Offer = try await one.call("POST", "/v1/sdk/link/initiate").decoded()
            let token = offer.linkToken.rawValue
            let confirmation = #"{"link_token":"\#(token)","device_name":" "}"#
            #expect(try await two.call("POST", "/v1/sdk/link/confirm", confirmation).status == 200)
            // The fields that the SDK requires in a response.
            struct Listed: Decodable {
                struct Device: Decodable {
                    let device_id: String
                    let device_name: String
                    let joined_at: Int64
                    let is_primary: Bool
                    let is_current: Bool
                }
                let devices: [Device]
            }
            let listed: Listed = try await one.call("GET", "/v1/sdk/link/devices").decoded()
            #expect(listed.devices.map(\.device_name) == ["Unnamed device", "Unnamed device"])
        }
    }

    @Test(arguments: ["", "device_"])
    func `The link endpoints that the SDK uses accept a device ID with or without its prefix`(prefix: String)
        async throws
    {
        try await withSandbox { sandbox in
            let id = UUID().uuidString
            let host = try await sandbox.device(DeviceID("device_" + id))
            let conversation = try await host.begin()
            let pass: FeedbackApp.Pass = try await sandbox.call(
                "POST", "/v1/feedback-app/generate-token",
                ["X-App-ID": "app_sandbox", "X-Device-ID": prefix + id],
                #"{"device_id":"\#(prefix + id)","app_id":"app_sandbox"}"#
            ).decoded()
            let newcomer = "device_" + UUID().uuidString
            let account: FeedbackApp.Account = try await sandbox.call(
                "POST", "/v1/feedback-app/redeem", ["X-App-ID": "app_sandbox", "X-Device-ID": newcomer],
                #"{"token":"\#(pass.token.rawValue)"}"#
            ).decoded()
            let device = try await sandbox.device(account.deviceID)
            #expect(try await device.list().conversations.map(\.id) == [conversation])
        }
    }

    @Test
    func `Only link endpoints accept a device ID without a prefix; no endpoint accepts an arbitrary ID`()
        async throws
    {
        try await withSandbox { sandbox in
            let id = UUID().uuidString
            let headers = ["X-App-ID": "app_sandbox", "X-Device-ID": id]
            let registration = #"{"app_id":"app_sandbox"}"#
            let refused = try await sandbox.call("POST", "/v1/device/register", headers, registration)
            #expect(refused.status == 401)
            let word = ["X-App-ID": "app_sandbox", "X-Device-ID": "phone"]
            let host = #"{"device_id":"phone","app_id":"app_sandbox"}"#
            let answer = try await sandbox.call("POST", "/v1/feedback-app/generate-token", word, host)
            #expect(answer.status == 401)
        }
    }

    @Test(arguments: [
        ["X-API-Key": "k"], ["X-API-Key": "k", "X-App-ID": "app_sandbox"],
        ["X-API-Key": "k", "X-Device-ID": "device_00000000-0000-4000-8000-000000000001"],
    ])
    func `A client with an API key can use the API without registering`(
        headers: [String: String]
    ) async throws {
        try await withSandbox { sandbox in
            let admin = try await sandbox.admin()
            #expect(try await sandbox.call("GET", "/v1/conversations", headers).status == 200)
            let made = try await sandbox.call("POST", "/v1/conversations", headers, Self.body)
            let created: CreatedConversation = try made.decoded()
            try await admin.reply(to: created.id)
            let page: ConversationPage = try await sandbox.call("GET", "/v1/conversations", headers).decoded()
            #expect(page.conversations.map(\.id) == [created.id] && page.totalUnread == 1)
            let events = try await sandbox.call("GET", "/v1/events?wait=0", headers)
            #expect(events.status == 200)
            let other = ["X-API-Key": "another"]
            let none: ConversationPage = try await sandbox.call("GET", "/v1/conversations", other).decoded()
            let isNamed = headers["X-Device-ID"] != nil
            #expect(none.conversations.isEmpty || isNamed)
        }
    }

    @Test func `An API key does not replace the token of a registered device`() async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            _ = try await device.begin()
            let key = ["X-API-Key": "k"]
            let stolen = ["X-API-Key": "k", "X-App-ID": "app_sandbox", "X-Device-ID": device.id.rawValue]
            #expect(try await sandbox.call("GET", "/v1/conversations", stolen).status == 401)
            #expect(try await device.call("GET", "/v1/conversations", nil, key).status == 200)
            let wrong = key.merging(["X-Device-Token": "cutie_dt_wrong"]) { $1 }
            #expect(try await device.call("GET", "/v1/conversations", nil, wrong).status == 401)
            let other = key.merging(["X-App-ID": "app_other"]) { $1 }
            #expect(try await sandbox.call("GET", "/v1/conversations", other).status == 401)
            #expect(try await sandbox.call("GET", "/v1/conversations", ["X-API-Key": ""]).status == 401)
        }
    }

    @Test func `The category of a canned response may be any text`() async throws {
        try await withSandbox { sandbox in
            let admin = try await sandbox.admin()
            let body = #"{"title":"Hi","content":"Hello","category":"Grüße & Dank"}"#
            struct Canned: Decodable { let category: String? }
            let made = try await admin.call("POST", "/v1/canned-responses", body)
            #expect(made.status == 201)
            #expect(try made.decoded(Canned.self).category == "Grüße & Dank")
        }
    }

    @Test(arguments: [
        (#""x""#, "x"), ("7", "7"), ("-1.5", "-1.5"), ("true", "true"), ("null", ""),
        (#"[1,"a"]"#, #"[1,"a"]"#),
        (#"{"b":null,"a":[false]}"#, #"{"a":[false],"b":null}"#), ("9007199254740993", "9007199254740993"),
    ])
    func `A placeholder value of any JSON type is inserted as text`(value: String, text: String) async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            struct Canned: Decodable { let response_id: String }
            let canned: Canned = try await admin.call(
                "POST", "/v1/canned-responses", #"{"title":"T","content":"<{{it}}>"}"#
            ).decoded()
            let path = "/v1/conversations/\(id)/canned-responses/\(canned.response_id)/use"
            let used = try await admin.call("POST", path, #"{"variables":{"it":\#(value)}}"#)
            #expect(try used.decoded(Message.self).text == "<\(text)>")
        }
    }
}
