import CutieAPI
import Testing

@testable import OAuth

struct AnswerTests {
    private func answer(_ json: String) throws -> TokenResponse { try TokenResponse(json: Array(json.utf8)) }

    /// The example is from RFC 6749 §5.1.
    @Test func `The example token response in RFC 6749 is decoded`() throws {
        let answer = try answer(
            #"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"bearer","expires_in":3600,"#
                + #""refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","example_parameter":"example_value"}"#)
        #expect(answer.accessToken.rawValue == "2YotnFZFEjr1zCsicMWpAA")
        #expect(answer.refreshToken?.rawValue == "tGzv3JOkF0XG5Qx2TlKWIA")
        #expect(answer.expiresIn == 3600)
        #expect(answer.scope == nil)
        let again: TokenResponse = try JSON.decode(from: JSON.encode(answer))
        #expect(again == answer)
        #expect(!"\(answer)".contains("2Yotn") && !String(reflecting: answer).contains("tGzv3"))
    }

    @Test(arguments: [
        "<html></html>", "{}", #"{"access_token":"a"}"#, #"{"access_token":"a","token_type":"mac"}"#,
        #"{"access_token":"","token_type":"Bearer"}"#, #"{"access_token":"a b","token_type":"Bearer"}"#,
        #"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#, #"{"access_token":1,"token_type":"Bearer"}"#,
        #"{"access_token":"a","token_type":"Bearer","refresh_token":"\n"}"#,
    ])
    func `An invalid token response is rejected`(json: String) {
        #expect(throws: UnreadableJSON.self) { try answer(json) }
    }

    @Test(arguments: [
        ("3600", 3600), (#""3600""#, 3600), ("3600.7", 3600), ("0", nil), ("-1", nil), ("null", nil),
        ("1e300", nil), (#""soon""#, nil), ("99999999999", 366 * 86_400),
    ])
    func `The lifetime of a token is limited to a plausible number of seconds`(written: String, seconds: Int?)
        throws
    {
        let answer = try answer(#"{"access_token":"a","token_type":"Bearer","expires_in":\#(written)}"#)
        #expect(answer.expiresIn == seconds)
    }

    @Test(arguments: [
        // Each row contains the lifetime, the age, and whether a refresh is due. All times are in seconds.
        (3600, 0, false), (3600, 3539, false), (3600, 3540, true), (100, 74, false), (100, 75, true),
        (1, 0, false), (1, 1, true), (nil, 1_000_000, false), (3600, -1, true), (3600, 100_000, true),
    ])
    func `A token is refreshed one minute before its expiry, or after three quarters of a short lifetime`(
        life: Int?, age: Int64, isDue: Bool
    ) {
        let start = Timestamp(milliseconds: 1_780_000_000_000)
        let now = Timestamp(milliseconds: start.milliseconds + age * 1000)
        #expect(TokenLifetime(receivedAt: start, expiresIn: life).needsRenewal(at: now) == isDue)
    }

    @Test(arguments: [
        (#""a b""#, ["a", "b"]), (#""a,b""#, ["a", "b"]), (#""a,b c""#, ["a,b", "c"]),
        (#"["a","b"]"#, ["a", "b"]),
        (#""""#, []), ("null", nil), ("7", nil),
    ])
    func `The scopes in a token response may be separated by spaces or commas, or be a list`(
        written: String, names: [String]?
    ) throws {
        let answer = try answer(#"{"access_token":"a","token_type":"Bearer","scope":\#(written)}"#)
        #expect(answer.scope?.names == names)
    }

    @Test(arguments: [(#""""#, nil), ("null", nil), (#""r""#, "r")])
    func `An empty refresh token is treated as missing`(written: String, token: String?) throws {
        let answer = try answer(#"{"access_token":"a","token_type":"Bearer","refresh_token":\#(written)}"#)
        #expect(answer.refreshToken?.rawValue == token)
    }

    @Test(arguments: [
        (
            "access_token=a%2Bb&token_type=bearer&scope=repo%2Cgist",
            #"{"access_token":"a+b","scope":"repo,gist","token_type":"bearer"}"#
        ),
        ("error=slow_down&interval=10", #"{"error":"slow_down","interval":"10"}"#), ("", nil),
        ("<html>", nil),
        ("a=1&a=2", nil), ("a=%2", nil),
    ])
    func `A form-encoded token response is decoded in the same way as JSON`(form: String, json: String?) {
        #expect(
            Form.jsonObject(fromForm: Array(form.utf8)).map { String(decoding: $0, as: UTF8.self) } == json)
    }

    @Test(arguments: [
        (#"{"error":"invalid_request"}"#, "invalid_request"),
        (#"{"error":"invalid_grant","error_description":"used\nbefore"}"#, "invalid_grant: used before"),
        (#"{"error":"slow_down","error_description":7}"#, "slow_down"),
    ])
    func `The OAuth error codes of RFC 6749 are decoded`(json: String, text: String) throws {
        let error = try #require(OAuthError(json: Array(json.utf8), hiding: Redaction()))
        #expect(error.description == text)
    }

    @Test(arguments: [
        "<html>", "", "{}", #"{"error":""}"#, #"{"error":"no such token"}"#, #"{"error":{"code":1}}"#,
        #"{"error":"a\"b"}"#,
    ])
    func `A response from a proxy is not decoded as an OAuth error`(json: String) {
        #expect(OAuthError(json: Array(json.utf8), hiding: Redaction()) == nil)
    }

    @Test func `If the server's response repeats a secret, the error message does not contain the secret`() {
        let secrets = Redaction(["tGzv3JOkF0XG5Qx2TlKWIA"])
        let error = OAuthError(
            json: Array(#"{"error":"invalid_grant","error_description":"tGzv3JOkF0XG5Qx2TlKWIA"}"#.utf8),
            hiding: secrets)
        #expect(error?.message == "(secret)")
        #expect(OAuthError(code: "tGzv3JOkF0XG5Qx2TlKWIA", message: nil, hiding: secrets) == nil)
    }

    @Test(arguments: [
        // The example is from RFC 6750 §3.
        (#"Bearer realm="example""#, nil, nil),
        (
            #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#,
            "invalid_token", nil
        ),
        (
            #"Bearer error="insufficient_scope", scope="messages:write tags:write""#, "insufficient_scope",
            "messages:write tags:write"
        ),
        (#"bearer error=insufficient_scope,scope="a\"b c""#, "insufficient_scope", "c"),
        ("Bearer", nil, nil),
    ])
    func `A Bearer challenge is parsed`(header: String, error: String?, scope: String?) throws {
        let challenge = try #require(BearerChallenge(header: header))
        #expect(challenge.error == error)
        #expect(challenge.scope == scope.map(Scope.init(text:)))
    }

    @Test(arguments: [#"Basic realm="x""#, "", "Bearertoken", "Negotiate"])
    func `A challenge with another scheme is not a Bearer challenge`(header: String) {
        #expect(BearerChallenge(header: header) == nil)
    }

    @Test func `An incomplete parameter at the end of a Bearer challenge is ignored`() {
        #expect(BearerChallenge(header: #"Bearer error="x"#)?.error == nil)
    }
}
