import CutieAPI
import Testing

@testable import OAuth

struct RedirectTests {
    private static let start = Timestamp(milliseconds: 1_780_000_000_000)
    private static let pending = PendingAuthorization(
        redirect: PendingAuthorization.defaultRedirect, at: start, random: (0..<96).map(UInt8.init))

    private static func metadata(named: Bool = false) throws -> IssuerMetadata {
        var metadata = IssuerMetadata(
            issuer: "https://honest.as.example", tokenEndpoint: try EndpointURL("https://honest.as.example/t")
        )
        metadata.includesIssuerInRedirects = named
        return metadata
    }

    private func outcome(
        _ query: String, after seconds: Int64 = 5, named: Bool = false,
        address: String = PendingAuthorization.defaultRedirect
    ) throws -> Redirect.Outcome {
        let query = query.replacing("STATE", with: Self.pending.state)
        let now = Timestamp(milliseconds: Self.start.milliseconds + seconds * 1000)
        return try Redirect("\(address)?\(query)").validatedOutcome(
            for: Self.pending, issuerMetadata: Self.metadata(named: named), at: now)
    }

    @Test(arguments: [
        "code=SplxlOBeZQQYbYS6WxSbIA&state=STATE", "state=STATE&code=SplxlOBeZQQYbYS6WxSbIA#_=_",
        "code=SplxlOBeZQQYbYS6WxSbIA&state=STATE&session_state=x&session_state=y",
        // The example in RFC 9207 §2.1.
        "code=SplxlOBeZQQYbYS6WxSbIA&state=STATE&iss=https%3A%2F%2Fhonest.as.example",
    ])
    func `The authorization code in a redirect is parsed`(query: String) throws {
        #expect(try outcome(query) == .code("SplxlOBeZQQYbYS6WxSbIA"))
    }

    @Test func `The error code in a redirect is parsed`() throws {
        let outcome = try outcome(
            "error=access_denied&error_description=not+now&state=STATE&iss=https%3A%2F%2Fhonest.as.example",
            named: true)
        #expect(outcome == .error(try #require(OAuthError(code: "access_denied", message: "not now"))))
    }

    @Test(arguments: [
        ("code=c&state=other", 5, false, Redirect.Refusal.unknownState),
        ("code=c&state=STATEx", 5, false, .unknownState),
        ("code=c&state=STATE&iss=https%3A%2F%2Fattacker.example", 5, false, .otherIssuer),
        ("code=c&state=STATE&iss=https%3A%2F%2Fhonest.as.example%2F", 5, false, .otherIssuer),
        ("code=c&state=STATE", 5, true, .otherIssuer),
        ("error=access_denied&state=STATE", 5, true, .otherIssuer),
        ("code=c&state=STATE", 600, false, .expired),
    ])
    func `A redirect that belongs to another sign-in is rejected`(
        query: String, seconds: Int64, named: Bool, refusal: Redirect.Refusal
    ) {
        #expect(throws: refusal) { try outcome(query, after: seconds, named: named) }
    }

    @Test func `A redirect to an address other than the client's redirect address is rejected`() {
        #expect(throws: Redirect.Refusal.unknownState) {
            try outcome("code=c&state=STATE", address: PendingAuthorization.cutiERedirect)
        }
    }

    @Test(arguments: [
        ("io.cutied.cutied:/signin", Redirect.ParseError.incomplete), ("cutie://signin?code=c", .incomplete),
        ("cutie://signin?state=s", .incomplete), ("cutie://signin?code=&state=s", .incomplete),
        ("cutie://signin?code=c&code=d&state=s", .duplicateParameter),
        ("cutie://signin?code=%2&state=s", .unreadable),
        ("cutie://conversation/c?code=c&state=s", .unreadable), ("https://a.example/signin", .unreadable),
        ("cutie://signin?code=c d&state=s", .unreadable), ("cutie://signin?error=a%20b&state=s", .unreadable),
        ("", .unreadable),
    ])
    func `An invalid redirect is rejected with a specific error`(link: String, problem: Redirect.ParseError) {
        #expect(throws: problem) { try Redirect(link) }
    }

    @Test func `A redirect that exceeds the size limit is rejected`() {
        let code = String(repeating: "c", count: Redirect.maxLength)
        #expect(throws: Redirect.ParseError.unreadable) {
            try Redirect("cutie://signin?state=s&code=\(code)")
        }
    }

    @Test func `Printing a redirect does not reveal the authorization code`() throws {
        #expect(!"\(try Redirect("cutie://signin?state=s&code=SplxlOBeZQQYbYS6"))".contains("Splx"))
    }

    @Test func `All random values of a sign-in are different`() {
        let pending = Self.pending
        #expect(Set([pending.state, pending.nonce, pending.proof.verifier.rawValue]).count == 3)
    }
}
