import Config
import CutieAPI
import HTTP
import Reasons
import Testing

@testable import Doctor

struct APICheckTests {
    private func checks(_ outcome: APIFacts.Outcome) throws -> [Check] {
        APIFacts.makeChecks(for: [try .sample(outcome)])
    }

    @Test(arguments: [
        (200, Check.Verdict.ok), (401, .ok), (403, .ok), (404, .failure), (429, .warning), (500, .failure),
        (503, .failure), (302, .warning),
    ])
    func `The result of the API check depends on the HTTP status`(status: Int, verdict: Check.Verdict) throws
    {
        let checks = try checks(.answered(status: status, secondsAhead: nil))
        #expect(checks["api"]?.verdict == verdict)
        #expect(checks["tls"]?.verdict == .ok)
    }

    private static let failure = Reason(.hostUnreachable, ["host": "h", "detail": ""])
    private static let advice = "check your network connection"

    @Test(arguments: [
        HTTPError.Code.cannotConnect, .cannotResolve, .timedOut, .interrupted,
    ])
    func `Only the API check fails if the API is unreachable`(code: HTTPError.Code) throws {
        let checks = try checks(.failed(HTTPError(code, Self.failure)))
        #expect(checks["api"] == Check("api", .failure, "h cannot be reached", advice: Self.advice))
        #expect(checks.count { $0.verdict == .failure } == 1)
    }

    @Test func `Doctor suggests correcting the address if the API redirects to another origin`() throws {
        let checks = try checks(.failed(HTTPError(.refusedRedirect, .text("h redirects to https://other"))))
        #expect(
            checks["api"]
                == Check(
                    "api", .failure, "h redirects to https://other", advice: "correct api_url (cutied setup)")
        )
    }

    @Test(arguments: [
        HTTPError.TLSFailure.certificateExpired, .certificateNotYetValid, .wrongHost, .pinMismatch,
        .unknownIssuer, .protocolVersion, .caFileUnreadable, .handshake,
    ])
    func `An invalid certificate causes the TLS check to fail, but not the API check`(
        failure: HTTPError.TLSFailure
    )
        throws
    {
        let checks = try checks(.failed(HTTPError(.tls(failure), Self.failure)))
        #expect(checks["tls"] == Check("tls", .failure, "h cannot be reached", advice: Self.advice))
        #expect(checks["api"]?.verdict == .ok)
    }

    @Test func `Only the API check fails if there is no network`() throws {
        let checks = try checks(.noNetwork)
        #expect(checks.filter { $0.verdict == .failure }.map(\.name) == ["api"])
    }

    @Test(arguments: [
        (Int64(0), Check.Verdict.ok, "within"), (120, .ok, "within"), (121, .failure, "121 s behind"),
        (-3600, .failure, "3600 s ahead of"), (.min, .failure, "ahead"),
    ])
    func `No warning is printed if the clock difference is at most two minutes`(
        ahead: Int64, verdict: Check.Verdict, finding: String
    ) throws {
        let check = try checks(.answered(status: 401, secondsAhead: ahead))["clock"]
        #expect(check?.verdict == verdict)
        #expect(check?.finding.contains(finding) == true)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:10:00 GMT", Int64(600_000), Int64(600_000), Int64(0)),
        // The server's time is compared with the midpoint between the start and the end of the call.
        ("Thu, 01 Jan 1970 00:10:00 GMT", 590_000, 594_000, 8),
        ("Thu, 01 Jan 1970 00:10:00 GMT", 700_000, 700_000, -100),
        ("soon", 0, 0, nil), (nil, 0, 0, nil),
    ])
    func `The clock difference is measured at the midpoint of a request`(
        date: String?, asked: Int64, answered: Int64, ahead: Int64?
    ) {
        #expect(APIFacts.clockOffset(serverDate: date, sentAt: asked, receivedAt: answered) == ahead)
    }

    @Test
    func `The local clock is not reported as wrong if only one of several servers has a different time`()
        throws
    {
        let right = try APIFacts.sample(.answered(status: 401, secondsAhead: 1), account: "a")
        let wrong = try APIFacts.sample(.answered(status: 401, secondsAhead: 9999), account: "b")
        #expect(APIFacts.makeChecks(for: [wrong, right])["clock"]?.verdict == .ok)
    }

    @Test func `With several accounts, the name of each check contains the account name`() throws {
        let checks = APIFacts.makeChecks(for: [try .sample(account: "a"), try .sample(account: "b")])
        #expect(checks.map(\.name).filter { $0.hasPrefix("tls") } == ["tls (a)", "tls (b)"])
        #expect(APIFacts.makeChecks(for: []).isEmpty)
    }

    @Test func `The transport check lists the transports that the API offers`() throws {
        let check = APIFacts.makeChecks(for: [try .sample(stream: .absent)])["transports"]
        #expect(check == Check("transports", .ok, "the API offers long-poll, poll"))
    }

    @Test func `The transport check fails if the API does not offer the configured transport`() throws {
        let facts = try APIFacts.sample(stream: .absent, transport: .stream)
        #expect(APIFacts.makeChecks(for: [facts])["transports"]?.verdict == .failure)
        let allowed = try APIFacts.sample(stream: .unknown, transport: .stream)
        #expect(APIFacts.makeChecks(for: [allowed])["transports"]?.verdict == .ok)
    }

    @Test(arguments: [
        (Int64(2_066_169_599_999), Check.Verdict.ok), (2_066_169_600_000, .warning),
        (2_097_705_599_999, .warning), (2_097_705_600_000, .failure),
    ])
    func `A warning appears in the year before the hosted service's certificate pins expire`(
        now: Int64, verdict: Check.Verdict
    ) throws {
        let hosted = try APIFacts.sample(at: "https://eu.api.cuti-e.com", now: now)
        #expect(APIFacts.makeChecks(for: [hosted])["pins"]?.verdict == verdict)
        let own = try APIFacts.sample(at: "https://notapi.cuti-e.com.example.org", now: now)
        #expect(APIFacts.makeChecks(for: [own])["pins"] == nil)
        let pinned = try APIFacts.sample(at: "https://eu.api.cuti-e.com", ownPins: 1, now: now)
        #expect(APIFacts.makeChecks(for: [pinned])["pins"]?.verdict == .ok)
    }
}
