import CutieAPI
import Testing

@Suite struct APIErrorTests {
    @Test(arguments: [
        (401, APIError.Disposition.unauthorized), (404, .notOffered), (405, .notOffered), (406, .notOffered),
        (501, .notOffered), (408, .retry), (425, .retry), (429, .retry), (500, .retry), (502, .retry),
        (503, .retry), (599, .retry), (400, .fatal), (403, .fatal), (409, .fatal), (422, .fatal),
        (302, .fatal),
        (600, .fatal), (0, .fatal),
    ])
    func `Whether a request is retried depends on the HTTP status`(
        _ status: Int, _ disposition: APIError.Disposition
    ) {
        #expect(APIError(status: status).disposition == disposition)
    }

    @Test(arguments: [
        (#"{"error":"bad app id"}"#, "bad app id"), ("", nil), ("<html>", nil), (#"{"error":7}"#, nil),
        (#"{"error":""}"#, nil), (#"{"error":"a\u001b[31m\nb\u202e"}"#, "a [31m b "),
    ])
    func `The error contains the server's message if the response contains a message`(
        _ body: String, _ text: String?
    ) {
        #expect(APIError(status: 400, body: body.utf8, hiding: Redaction()).text == text)
    }

    @Test(arguments: [
        (#"{"error":"x","code":"not_attested"}"#, ErrorCode.notAttested),
        (#"{"error":"x","code":"quite_new"}"#, ErrorCode("quite_new")), (#"{"error":"x"}"#, nil),
        (#"{"error":"x","code":7}"#, nil),
    ])
    func `The error contains the server's error code if the response contains a code`(
        _ body: String, _ code: ErrorCode?
    ) {
        let error = APIError(status: 403, body: body.utf8, hiding: Redaction())
        #expect(error.code == code && error.text == "x")
    }

    @Test func `The error message from the server is truncated`() {
        let error = APIError(status: 400, text: String(repeating: "é", count: 5000))
        #expect(error.text?.count == 300)
        #expect(APIError(status: 403, text: "no").description == "the server returned 403: no")
        #expect(APIError(status: 500).description == "the server returned 500")
    }

    @Test func `An error code from the server is shown only if the code is a single word`() {
        let error = APIError(status: 409, text: "it was used", code: ErrorCode("token_used"))
        #expect(error.description == "the server returned 409: it was used (token_used)")
        for odd in ["", "two words", "\u{1B}[2J", String(repeating: "x", count: 65)] {
            #expect(APIError(status: 409, code: ErrorCode(odd)).code == nil)
        }
    }

    static let now = Timestamp(milliseconds: 784_111_770_000)

    @Test(arguments: [
        ("120", Duration.seconds(120)), (" 5 ", .seconds(5)), ("0", .zero),
        ("99999999999999999999999", .seconds(600)), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(7)),
        ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(600)),
    ])
    func `Retry-After may be a number of seconds or a date, and the delay is limited to 10 minutes`(
        _ header: String, _ delay: Duration
    ) throws {
        let wish = try #require(RetryAfter(header: header))
        #expect(wish.retryDelay(now: Self.now) == delay)
    }

    @Test(arguments: [
        "", " ", "-1", "1.5", "soon", "12 34", "١٢", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT", "06 Nov 1994", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 8 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT",
    ])
    func `An invalid Retry-After is ignored`(_ header: String) {
        #expect(RetryAfter(header: header) == nil)
        #expect(APIError(status: 503, body: [], retryAfter: header, hiding: Redaction()).retryAfter == nil)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200), ("Mon, 28 Feb 2100 23:59:59 GMT", 4_107_542_399),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Tue, 31 Dec 2024 23:59:59 GMT", 1_735_689_599),
    ])
    func `A Retry-After date is parsed with a precision of one second`(_ header: String, _ seconds: Int64) {
        #expect(RetryAfter(header: header) == .at(Timestamp(milliseconds: seconds * 1000)))
    }

    @Test func `A Retry-After date far in the past or future does not cause the delay to overflow`() {
        let wish = RetryAfter.at(Timestamp(milliseconds: .max))
        #expect(wish.retryDelay(now: Timestamp(milliseconds: .min)) == .seconds(600))
        let past = RetryAfter.at(Timestamp(milliseconds: .min))
        #expect(past.retryDelay(now: Timestamp(milliseconds: .max)) == .zero)
        #expect(RetryAfter.seconds(.min).retryDelay(now: Self.now) == .zero)
    }
}
