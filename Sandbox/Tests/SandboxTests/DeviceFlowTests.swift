import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// Tests of the device flow (RFC 8628).
@Suite struct DeviceFlowTests {
    @Test func `A client gets tokens after the user has approved the device code`() async throws {
        try await withSandbox({ $0.deviceCodeInterval = 0 }) { sandbox in
            let issuer = try await sandbox.issuer()
            let code = try await issuer.deviceCode()
            #expect(code.verification_uri == sandbox.address.url + "/device" && code.expires_in == 600)
            #expect(code.verification_uri_complete.hasSuffix("/device?user_code=\(code.user_code)"))
            let waiting = try await issuer.poll(code)
            #expect(waiting.status == 400 && waiting.error == "authorization_pending")
            let browser = issuer.browser()
            let consent = try await browser.signIn(
                issuer.email, issuer.password, to: code.verification_uri_complete)
            #expect(consent.title == "Is this your device?" && consent.text.contains(code.user_code))
            let done = try await browser.submit(consent, ["decision": "allow"])
            #expect(done.status == 200 && done.title == "Done")
            let tokens: TestIssuer.Tokens = try await issuer.poll(code).decoded()
            #expect(try await issuer.works(tokens.access_token))
            #expect(try tokens.claims()["admin_id"] == .text(issuer.adminID))
            #expect(try await issuer.poll(code).error == "invalid_grant")
        }
    }

    @Test func `A user code is accepted in lower case and with a space instead of the hyphen`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let code = try await issuer.deviceCode()
            let browser = issuer.browser()
            let question = try await browser.signIn(issuer.email, issuer.password, to: "/device")
            #expect(question.title == "Sign in a device")
            let typed = code.user_code.lowercased().replacing("-", with: "%20")
            #expect(try await browser.open("/device?user_code=\(typed)").text.contains(code.user_code))
            let wrong = try await browser.open("/device?user_code=BBBB-BBBB")
            #expect(wrong.status == 422 && wrong.problem.contains("No device is waiting"))
            #expect(try await browser.open("/device?user_code=%3Cb%3E").text.contains("&lt;b&gt;"))
        }
    }

    @Test func `A refused or expired device code is reported to the client`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let (one, two) = (try await issuer.deviceCode(), try await issuer.deviceCode())
            let browser = issuer.browser()
            let consent = try await browser.signIn(
                issuer.email, issuer.password, to: one.verification_uri_complete)
            _ = try await browser.submit(consent, ["decision": "refuse"])
            #expect(try await issuer.poll(one).error == "access_denied")
            #expect(try await sandbox.admin().call("POST", "/v1/sandbox/expire").status == 200)
            let late = try await issuer.poll(two)
            #expect(late.status == 400 && late.error == "expired_token")
            #expect(try await browser.open(two.verification_uri_complete).status == 422)
        }
    }

    @Test func `A client that polls too often must increase the polling interval`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let code = try await issuer.deviceCode()
            #expect(code.interval == 5)
            #expect(try await issuer.poll(code).error == "authorization_pending")
            let early = try await issuer.poll(code).decoded(TestIssuer.Refused.self)
            #expect(early.error == "slow_down" && early.error_description?.contains("10 seconds") == true)
            let again = try await issuer.poll(code).decoded(TestIssuer.Refused.self)
            #expect(again.error_description?.contains("15 seconds") == true)
        }
    }

    @Test
    func `A device code is accepted only from its client, which must be a public client`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let code = try await issuer.deviceCode()
            let (id, secret) = (sandbox.address.client.id, sandbox.address.client.secret)
            let program = ["client_id": id, "client_secret": secret]
            let asked = try await issuer.post("device", program)
            #expect(asked.status == 400 && asked.error == "unauthorized_client")
            let stolen = program.merging([
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": code.device_code,
            ]) { $1 }
            #expect(try await issuer.post("token", stolen).error == "invalid_grant")
            let stranger = try await issuer.post("device", ["client_id": "stranger"])
            #expect(stranger.status == 401 && stranger.error == "invalid_client")
            let greedy = try await issuer.post("device", ["client_id": "cutied", "scope": "root"])
            #expect(greedy.error == "invalid_scope")
        }
    }
}
