import CutieAPI
import Foundation
import Sandbox
import Testing

/// Tests of several `--app-id` options. The apps are independent, like apps on the hosted service.
@Suite struct SeveralAppsTests {
    private func register(
        _ app: String, _ device: String, at sandbox: RunningSandbox
    ) async throws -> RunningSandbox.Answer {
        try await sandbox.call(
            "POST", "/v1/device/register", ["X-App-ID": app, "X-Device-ID": device], #"{"app_id":"\#(app)"}"#)
    }

    private func device(_ app: String, at sandbox: RunningSandbox) async throws -> TestDevice {
        let id = "device_" + UUID().uuidString
        let answer: Registration.Response = try await register(app, id, at: sandbox).decoded()
        let headers = ["X-App-ID": app, "X-Device-ID": id, "X-Device-Token": answer.deviceToken.rawValue]
        return TestDevice(sandbox: sandbox, id: DeviceID(id), headers: headers)
    }

    private func begin(_ app: String, by device: TestDevice) async throws -> Conversation.ID {
        let body = #"{"app_id":"\#(app)","category":"bug","initial_message":"x"}"#
        return try await device.call("POST", "/v1/conversations", body).decoded(CreatedConversation.self).id
    }

    @Test
    func `Each app has its own devices and conversations, and admins see the conversations of all apps`()
        async throws
    {
        try await withSandbox({ $0.appIDs = ["app_a", "app_b"] }) { sandbox in
            let (one, two) = (try await device("app_a", at: sandbox), try await device("app_b", at: sandbox))
            let (first, second) = (try await begin("app_a", by: one), try await begin("app_b", by: two))
            #expect(try await one.list().conversations.map(\.appID) == ["app_a"])
            #expect(try await two.list().conversations.map(\.appID) == ["app_b"])
            let all: ConversationPage = try await sandbox.admin().call("GET", "/v1/conversations").decoded()
            #expect(all.conversations.map(\.id) == [second, first])
            #expect(all.conversations.map(\.appID) == ["app_b", "app_a"])
            #expect(try await register("app_c", "device_" + UUID().uuidString, at: sandbox).status == 401)
        }
    }

    @Test func `A device belongs to one app and can be linked only with devices of that app`() async throws {
        try await withSandbox({ $0.appIDs = ["app_a", "app_b"] }) { sandbox in
            let (one, two) = (try await device("app_a", at: sandbox), try await device("app_b", at: sandbox))
            #expect(try await register("app_b", one.id.rawValue, at: sandbox).status == 401)
            let moved = ["X-App-ID": "app_b"]
            #expect(try await one.call("GET", "/v1/conversations", nil, moved).status == 401)
            let wrong = #"{"app_id":"app_b","category":"bug","initial_message":"x"}"#
            #expect(try await one.call("POST", "/v1/conversations", wrong).status == 401)
            let offer: Linking.Offer = try await one.call("POST", "/v1/sdk/link/initiate").decoded()
            let body = #"{"link_token":"\#(offer.linkToken.rawValue)"}"#
            #expect(try await two.call("POST", "/v1/sdk/link/confirm", body).status == 404)
        }
    }

    @Test func `A Feedback App that sends its own App ID can redeem a token for an account of another app`()
        async throws
    {
        try await withSandbox({ $0.appIDs = ["app_a", "app_b"] }) { sandbox in
            let host = try await device("app_b", at: sandbox)
            let pass: FeedbackApp.Pass = try await host.call(
                "POST", "/v1/feedback-app/generate-token", #"{"device_id":"\#(host.id)","app_id":"app_b"}"#
            ).decoded()
            let id = "device_" + UUID().uuidString
            let account: FeedbackApp.Account = try await sandbox.call(
                "POST", "/v1/feedback-app/redeem", ["X-App-ID": "app_a", "X-Device-ID": id],
                #"{"token":"\#(pass.token.rawValue)"}"#
            ).decoded()
            #expect(account.appID == "app_b" && account.deviceID.rawValue == id)
            #expect(try await register("app_b", id, at: sandbox).status == 200)
        }
    }
}
