import Crypto
import CutieAPI
import Foundation
import Testing

@Suite struct DeviceServicesTests {
    @Test func `A feedback token can be redeemed only once`() async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let host = #"{"device_id":"\#(device.id)","app_id":"app_sandbox"}"#
            let path = "/v1/feedback-app/"
            let headers = ["X-App-ID": "app_sandbox", "X-Device-ID": device.id.rawValue]
            let pass: FeedbackApp.Pass = try await sandbox.call(
                "POST", path + "generate-token", headers, host
            ).decoded()
            let body = #"{"token":"\#(pass.token.rawValue)"}"#
            let account: FeedbackApp.Account = try await sandbox.call(
                "POST", path + "redeem", [:], body
            ).decoded()
            #expect(account.deviceID == device.id && account.appID == "app_sandbox")
            #expect(try await sandbox.call("POST", path + "redeem", [:], body).status == 404)
            let wrong = headers.merging(["X-App-ID": "app_other"]) { $1 }
            #expect(try await sandbox.call("POST", path + "generate-token", wrong, host).status == 401)
        }
    }

    @Test func `A device that redeems a feedback token shares the inbox of the device that issued the token`()
        async throws
    {
        try await withSandbox { sandbox in
            let (host, stranger) = (try await sandbox.device(), try await sandbox.device())
            _ = try await host.begin()
            func pass() async throws -> String {
                let pass: FeedbackApp.Pass = try await host.call(
                    "POST", "/v1/feedback-app/generate-token",
                    #"{"device_id":"\#(host.id)","app_id":"app_sandbox"}"#
                ).decoded()
                return #"{"token":"\#(pass.token.rawValue)"}"#
            }
            func redeem(_ id: String) async throws -> RunningSandbox.Answer {
                try await sandbox.call(
                    "POST", "/v1/feedback-app/redeem", ["X-App-ID": "app_sandbox", "X-Device-ID": id],
                    try await pass())
            }
            #expect(try await redeem(stranger.id.rawValue).status == 401)
            let id = "device_" + UUID().uuidString
            let account: FeedbackApp.Account = try await redeem(id).decoded()
            #expect(account.deviceID.rawValue == id)
            let devices: Linking.Group = try await host.call("GET", "/v1/sdk/link/devices").decoded()
            #expect(Set(devices.devices.map(\.deviceID)) == [host.id, account.deviceID])
        }
    }

    @Test func `A push token is validated and stored with its platform`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let token = String(repeating: "0aF9", count: 16)
            func register(_ token: String) async throws -> Int {
                let body = #"{"platform":"linux","push_token":"\#(token)"}"#
                return try await device.call("POST", "/v1/notifications/register", body).status
            }
            func kept() async throws -> Bool {
                let known = try await admin.call("GET", "/v1/sandbox/devices")
                return String(decoding: known.body, as: UTF8.self).contains(token)
            }
            #expect(try await register("too short") == 422)
            #expect(try await register(token) == 200)
            #expect(try await kept())
            let gone = try await device.call(
                "DELETE", "/v1/notifications/unregister", #"{"platform":"linux"}"#)
            #expect(gone.status == 200)
            #expect(try await !kept())
        }
    }

    @Test func `An activity ping requires a hashed ID and consent`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = String(repeating: "ab", count: 32)
            let bodies = [(id, false), ("device_1", true), (id, true)].map { hash, consent in
                #"{"hashed_device_id":"\#(hash)","consent":\#(consent),"language":"de"}"#
            }
            let statuses = try await bodies.asyncMap { body in
                try await device.call("POST", "/v1/activity/ping", body).status
            }
            #expect(statuses == [422, 422, 200])
            struct Pings: Decodable { let pings: [ActivityPing] }
            let kept: Pings = try await admin.call("GET", "/v1/sandbox/activity").decoded()
            #expect(kept.pings.map(\.device.language) == ["de"])
        }
    }

    @Test
    func `The usage response contains this month's conversation count and the subscription's limit`()
        async throws
    {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let digest = SHA256.hash(data: Data("\(device.id)cutie-device-salt-v1".utf8))
            let secret = ["X-Device-Secret": digest.map { String(format: "%02x", $0) }.joined()]
            let id = try await device.begin()
            _ = try await device.say("and", in: id)
            #expect(try await device.call("GET", "/v1/usage").status == 401)
            let free: Subscription.Usage = try await device.call("GET", "/v1/usage", nil, secret).decoded()
            #expect(free.tier == .free && free.state == Subscription.State.none)
            #expect(free.usage.feedbackCount == 1 && free.usage.feedbackRemaining == 49)
            #expect(free.usage.messageCount == 2)
            func verify(_ receipt: String, _ product: String) async throws -> Int {
                let body =
                    #"{"platform":"linux","receipt_data":"\#(receipt)","product_id":"\#(product)"}"#
                return try await device.call("POST", "/v1/subscription/verify", body, secret).status
            }
            #expect(try await verify("###", "app.pro.month") == 422)
            #expect(try await verify("YWJj", "app.gold") == 422)
            #expect(try await verify("YWJj", "app.pro.month") == 200)
            let paid: Subscription.Usage = try await device.call("GET", "/v1/usage", nil, secret).decoded()
            #expect(paid.tier == .pro && paid.state == .active)
            #expect(paid.usage.feedbackLimit == 10_000)
        }
    }

    @Test(arguments: [
        (86_400, Subscription.State.active, Subscription.Tier.starter),
        (-86_400, .gracePeriod, .starter), (-4 * 86_400, .expired, .free),
    ])
    func `After its end date, a subscription stays valid for a grace period of three days`(
        seconds: Int, state: Subscription.State, tier: Subscription.Tier
    ) async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let digest = SHA256.hash(data: Data("\(device.id)cutie-device-salt-v1".utf8))
            let secret = ["X-Device-Secret": digest.map { String(format: "%02x", $0) }.joined()]
            let until = Int64(Date().timeIntervalSince1970) * 1000 + Int64(seconds) * 1000
            let path = "/v1/sandbox/devices/\(device.id)/subscription"
            let answer = try await admin.call("POST", path, #"{"tier":"starter","until":\#(until)}"#)
            #expect(answer.status == 200)
            let usage: Subscription.Usage = try await device.call("GET", "/v1/usage", nil, secret).decoded()
            #expect(usage.state == state && usage.tier == tier)
        }
    }

    @Test func `An admin can expire all pending tokens and codes`() async throws {
        try await withSandbox { sandbox in
            let (device, other) = (try await sandbox.device(), try await sandbox.device())
            let admin = try await sandbox.admin()
            let offer: Linking.Offer = try await device.call("POST", "/v1/sdk/link/initiate").decoded()
            let host = #"{"device_id":"\#(device.id)","app_id":"app_sandbox"}"#
            let pass: FeedbackApp.Pass = try await device.call(
                "POST", "/v1/feedback-app/generate-token", host
            ).decoded()
            let (challenge, key) = (try await device.challenge(), TestKey())
            #expect(try await admin.call("POST", "/v1/sandbox/expire").status == 200)
            let status: Linking.Progress = try await device.call(
                "GET", "/v1/sdk/link/status/\(offer.linkToken.rawValue)"
            ).decoded()
            #expect(status.status == .expired)
            let confirmation = #"{"link_token":"\#(offer.linkToken.rawValue)"}"#
            #expect(try await other.call("POST", "/v1/sdk/link/confirm", confirmation).status == 404)
            let redemption = #"{"token":"\#(pass.token.rawValue)"}"#
            #expect(try await sandbox.call("POST", "/v1/feedback-app/redeem", [:], redemption).status == 404)
            #expect(try await device.submit(try key.submission(for: challenge)).code == .challengeUnknown)
        }
    }
}
