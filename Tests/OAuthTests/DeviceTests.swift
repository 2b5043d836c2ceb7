import CutieAPI
import Testing

@testable import OAuth

struct DeviceTests {
    /// The example in RFC 8628 §3.2.
    private static let example =
        #"{"device_code":"GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS","user_code":"WDJB-MJHT","#
        + #""verification_uri":"https://example.com/device","#
        + #""verification_uri_complete":"https://example.com/device?user_code=WDJB-MJHT","#
        + #""expires_in":1800,"interval":5}"#

    private func authorization(_ json: String = example) throws -> DeviceAuthorization {
        try DeviceAuthorization(json: Array(json.utf8))
    }

    @Test func `The example device authorization response in RFC 8628 is decoded`() throws {
        let authorization = try authorization()
        #expect(authorization.userCode == "WDJB-MJHT")
        #expect(authorization.verificationURI.description == "https://example.com/device")
        #expect(authorization.completeURI?.description == "https://example.com/device?user_code=WDJB-MJHT")
        #expect(authorization.expiresIn == 1800 && authorization.interval == 5)
        #expect(!"\(authorization)".contains("GmRhm"))
    }

    @Test(arguments: [
        // The field name that Google uses.
        (#""verification_uri":"#, #""verification_url":"#),
        (#""verification_uri_complete":"#, #""verification_url_complete":"#),
        // The older endpoint of Entra encodes numbers as strings. An interval may also be null.
        ("1800", #""1800""#), (#""interval":5"#, #""interval":"5""#), (#""interval":5"#, #""interval":null"#),
        (#""interval":5"#, #""interval":0"#), (#""interval":5"#, #""interval":"soon""#),
    ])
    func `Device authorization responses with other field names and types are decoded to the same values`(
        standard: String, spelling: String
    ) throws {
        #expect(
            try authorization(Self.example.replacing(standard, with: spelling)) == authorization(),
            "\(spelling)")
    }

    @Test
    func `Without an interval in the device authorization response, the polling interval is five seconds`()
        throws
    {
        #expect(try authorization(Self.example.replacing(#","interval":5"#, with: "")).interval == 5)
    }

    @Test(arguments: [
        ("https://example.com/device\"", "http://example.com/device\""), ("WDJB-MJHT", "WD\\u202eJB"),
        ("1800", "null"), ("GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", ""),
    ])
    func `A device authorization response with an invalid user code or device code is rejected`(
        good: String, bad: String
    ) {
        #expect(throws: UnreadableJSON.self) {
            try authorization(Self.example.replacing(good, with: bad))
        }
    }

    private func refusal(_ code: String) throws -> DevicePolling.Input {
        .refused(try #require(OAuthError(code: code, message: nil)))
    }

    @Test func `The server's polling interval is used, and slow_down increases it`() throws {
        var polling = DevicePolling(try authorization(), now: .seconds(100))
        #expect(polling.firstAction(now: .seconds(100)) == .wait(.seconds(5)))
        #expect(polling.handle(.waited, now: .seconds(105)) == .ask)
        #expect(
            polling.handle(try refusal("authorization_pending"), now: .seconds(105))
                == .wait(.seconds(5)))
        #expect(polling.handle(try refusal("slow_down"), now: .seconds(110)) == .wait(.seconds(10)))
        #expect(
            polling.handle(try refusal("authorization_pending"), now: .seconds(120))
                == .wait(.seconds(10)))
        #expect(polling.handle(try refusal("slow_down"), now: .seconds(130)) == .wait(.seconds(15)))
    }

    @Test(arguments: [(15, 15), (7, 10), (3600, 60)])
    func `A longer interval in a slow_down response becomes the polling interval`(given: Int, wait: Int)
        throws
    {
        var polling = DevicePolling(try authorization(), now: .zero)
        let error = try #require(
            OAuthError(json: Array(#"{"error":"slow_down","interval":\#(given)}"#.utf8), hiding: Redaction()))
        #expect(polling.handle(.refused(error), now: .seconds(5)) == .wait(.seconds(wait)))
    }

    @Test func `The polling interval increases if a poll gets no response, and is reset by a response`()
        throws
    {
        var polling = DevicePolling(try authorization(), now: .zero)
        let waits = (1...6).map { _ in polling.handle(.unanswered(), now: .seconds(10)) }
        #expect(waits == [10, 20, 40, 60, 60, 60].map { .wait(.seconds($0)) })
        #expect(
            polling.handle(.unanswered(floor: .seconds(90)), now: .seconds(10)) == .wait(.seconds(90)))
        #expect(
            polling.handle(try refusal("authorization_pending"), now: .seconds(20)) == .wait(.seconds(5))
        )
    }

    @Test(arguments: [
        ("access_denied", DevicePolling.PollingFailure.denied), ("expired_token", .expired),
        ("authorization_declined", .denied), ("code_expired", .expired),
        ("invalid_client", nil), ("invalid_grant", nil),
    ])
    func `A final error ends the polling for tokens`(code: String, failure: DevicePolling.PollingFailure?)
        throws
    {
        var polling = DevicePolling(try authorization(), now: .zero)
        let error = try #require(OAuthError(code: code, message: nil))
        #expect(polling.handle(.refused(error), now: .seconds(5)) == .fail(failure ?? .refused(error)))
    }

    @Test func `Polling ends when the device code expires, and no delay lasts beyond the expiry`() throws {
        var polling = DevicePolling(try authorization(), now: .zero)
        #expect(polling.handle(try refusal("slow_down"), now: .seconds(1795)) == .wait(.seconds(5)))
        #expect(polling.handle(.waited, now: .seconds(1800)) == .fail(.expired))
        #expect(polling.handle(.unanswered(), now: .seconds(1801)) == .fail(.expired))
    }

    @Test func `Polling ends when the tokens are returned`() throws {
        let answer = try TokenResponse(json: Array(#"{"access_token":"a","token_type":"Bearer"}"#.utf8))
        var polling = DevicePolling(try authorization(), now: .zero)
        #expect(polling.handle(.answered(answer), now: .seconds(5)) == .succeed(answer))
    }
}
