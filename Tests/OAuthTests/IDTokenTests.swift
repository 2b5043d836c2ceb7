import CutieAPI
import Reasons
import Testing

@testable import OAuth

struct IDTokenTests {
    private static let now = Timestamp(milliseconds: 1_311_280_970_000)
    /// The example claims in OpenID Connect Core §2.
    private static let claims =
        #"{"iss":"https://server.example.com","sub":"24400320","aud":"s6BhdRkqt3","nonce":"n-0S6_WzA2Mj","#
        + #""exp":1311281970,"iat":1311280970,"auth_time":1311280969,"acr":"urn:mace:incommon:iap:silver"}"#

    private func token(
        _ claims: String = claims, header: String = #"{"alg":"RS256"}"#, signature: String = "c2ln"
    ) throws -> IDToken {
        let parts = [header, claims].map { Base64URL.encode(Array($0.utf8)) } + [signature]
        return try IDToken(parts.joined(separator: "."))
    }

    private func check(
        _ token: IDToken, issuer: String = "https://server.example.com", client: String = "s6BhdRkqt3",
        nonce: String? = "n-0S6_WzA2Mj", after seconds: Int64 = 0
    ) throws {
        try token.checkClaims(
            issuer: issuer, clientID: client, nonce: nonce,
            now: Timestamp(milliseconds: Self.now.milliseconds + seconds * 1000))
    }

    @Test func `The example claims in OpenID Connect Core are accepted`() throws {
        let token = try token()
        try check(token)
        try check(token, nonce: nil)
        #expect(token.claims == Claims(subject: "24400320"))
    }

    @Test func `The issuer, the audience, the nonce and the expiry of an ID token are verified`() throws {
        let token = try token()
        #expect(throws: IDToken.Problem.otherIssuer) {
            try check(token, issuer: "https://server.example.com/")
        }
        #expect(throws: IDToken.Problem.otherAudience) { try check(token, client: "other") }
        #expect(throws: IDToken.Problem.otherNonce) { try check(token, nonce: "other") }
        #expect(throws: IDToken.Problem.expired) { try check(token, after: 1060) }
        try check(token, after: 1059)
    }

    @Test(arguments: [
        (#"["s6BhdRkqt3"]"#, true), (#"["s6BhdRkqt3","other"]"#, false),
        (#"["other","s6BhdRkqt3"],"azp":"s6BhdRkqt3""#, true), (#""s6BhdRkqt3","azp":"other""#, false),
        ("[]", false), ("7", false),
    ])
    func `An ID token with several audiences is accepted only if its authorized party is the client`(
        audience: String, isOurs: Bool
    )
        throws
    {
        let token = try token(Self.claims.replacing(#""s6BhdRkqt3""#, with: audience))
        if isOurs {
            try check(token)
        } else {
            #expect(throws: IDToken.Problem.otherAudience) { try check(token) }
        }
    }

    /// The rules of OpenID Connect Core §12.2. If the `iss` of the first ID token is unknown (`nil`), only
    /// the user is compared.
    @Test(arguments: [
        ("https://server.example.com", "24400320", nil), (nil, "24400320", nil),
        ("https://server.example.com/tenant", "24400320", IDToken.Problem.otherIssuer),
        ("https://server.example.com", "24400321", .otherSubject), (nil, "", .otherSubject),
    ])
    func `The ID token of a refresh is accepted only for the same user at the same issuer`(
        issuer: String?, subject: String, problem: IDToken.Problem?
    ) throws {
        let token = try token()
        let result = Result { () throws(IDToken.Problem) in
            try token.checkContinuity(withSignInClaims: Claims(subject: subject), signInIssuer: issuer)
        }
        if let problem {
            #expect(throws: problem) { try result.get() }
        } else {
            try result.get()
        }
    }

    @Test(arguments: ["HS256", "HS512", "PS256", "ES384", "EdDSA", "rs256"])
    func `The error for an unsupported signature algorithm contains the name of the algorithm`(name: String) {
        #expect(throws: IDToken.Problem.algorithm(name)) { try token(header: #"{"alg":"\#(name)"}"#) }
        #expect("\(IDToken.Problem.algorithm(name))".contains(name))
    }

    @Test(arguments: [
        // Each row contains the time claims, and the problem expected at time 1311280970.
        (#""iat":1311281030"#, nil), (#""iat":1311281031"#, IDToken.Problem.notYetValid),
        (#""iat":1311280970,"nbf":1311281030"#, nil), (#""iat":1311280970,"nbf":1311281031"#, .notYetValid),
        (#""iat":1311280000,"nbf":1311280000"#, nil), (#""iat":"soon""#, .withoutTime),
        (#""x":1"#, .withoutTime),
    ])
    func `An ID token is valid from its issue time, with a tolerance of one minute`(
        times: String, problem: IDToken.Problem?
    )
        throws
    {
        let token = try token(Self.claims.replacing(#""iat":1311280970"#, with: times))
        if let problem {
            #expect(throws: problem) { try check(token) }
        } else {
            try check(token)
        }
    }

    /// The hash is from the example in OpenID Connect Core appendix A.3.
    @Test func `The access token hash in an ID token is verified`() throws {
        let text = Self.claims.replacing(#""acr""#, with: #""at_hash":"77QmUPtjPfzWtF2AnpK9RQ","acr""#)
        let access = Token<AccessToken>("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        let half: [UInt8] = [
            0xEF, 0xB4, 0x26, 0x50, 0xFB, 0x63, 0x3D, 0xFC, 0xD6, 0xB4, 0x5D, 0x80, 0x9E, 0x92, 0xBD, 0x45,
        ]
        let sha256 = { (bytes: [UInt8]) in
            bytes == Array(access.rawValue.utf8) ? half + Array(repeating: 0, count: 16) : bytes
        }
        try token(text).checkHash(of: access, sha256Function: sha256)
        #expect(throws: IDToken.Problem.otherAccessToken) {
            try token(text).checkHash(of: "other", sha256Function: sha256)
        }
        try token().checkHash(of: "other", sha256Function: sha256)
    }

    @Test(arguments: [
        ("https://e.example/t-1/v2.0", #","tid":"t-1""#, true), ("https://e.example/t-1/v2.0", "", false),
        ("https://e.example/t-1/v2.0", #","tid":"t-2""#, false),
        ("https://e.example/t-1", #","tid":"t-1""#, false),
        ("https://other.example/t-1/v2.0", #","tid":"t-1""#, false),
    ])
    func `The ID token of a multi-tenant issuer must contain the tenant ID of the issuer URL`(
        issuer: String, claim: String, isGood: Bool
    )
        throws
    {
        let claims = Self.claims.replacing("https://server.example.com", with: issuer)
            .replacing(#","exp""#, with: claim + #","exp""#)
        let check = { try self.check(self.token(claims), issuer: "https://e.example/{tenantid}/v2.0") }
        if isGood {
            try check()
        } else {
            #expect(throws: IDToken.Problem.otherIssuer) { try check() }
        }
    }

    @Test(arguments: [#"{"alg":"none"}"#, #"{"alg":"None"}"#])
    func `An ID token without a signature algorithm is rejected`(header: String) {
        #expect(throws: IDToken.Problem.unsigned) { try token(header: header) }
    }

    @Test func `An ID token without its signature part is rejected`() {
        #expect(throws: IDToken.Problem.unsigned) { try token(signature: "") }
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "a.b.c.d", "eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "....."])
    func `A malformed ID token is rejected`(text: String) {
        #expect(throws: IDToken.Problem.unreadable) { try IDToken(text) }
    }

    @Test(arguments: ["1e300", "-5", "1311281970.5", "9223372036854775807"])
    func `A time in an ID token may be an integer or a decimal fraction`(written: String) throws {
        let token = try token(Self.claims.replacing("1311281970", with: written))
        #expect(token.expiresAt.milliseconds >= 0)
    }

    /// The rules are in OpenID Connect Core §5.3.2.
    @Test func `Claims from the userinfo endpoint are added to the claims of the ID token`() throws {
        let more = try Claims(
            userinfo: Array(
                #"{"sub":"24400320","name":"Jane Doe","preferred_username":"j.doe","email":"janedoe@example.com"}"#
                    .utf8))
        let claims = try token().claims.merging(more)
        #expect(claims == Claims(subject: "24400320", name: "Jane Doe", email: "janedoe@example.com"))
        #expect(throws: IDToken.Problem.otherSubject) { try claims.merging(Claims(subject: "2")) }
        let again: Claims = try JSON.decode(from: JSON.encode(claims))
        #expect(again == claims)
    }

    @Test(arguments: ["<html>", "{}", #"{"sub":""}"#, #"{"sub":"a\nb"}"#, #"{"sub":7}"#])
    func `An invalid userinfo response is rejected`(json: String) {
        #expect(throws: IDToken.Problem.unreadable) { try Claims(userinfo: Array(json.utf8)) }
    }

    @Test(arguments: ["علی\u{200C}رضا", "ශ්\u{200D}රී", "👩\u{200D}👩\u{200D}👧", "山田　太郎", "Zoë"])
    func `An ordinary user name is accepted`(name: String) throws {
        let claims = try Claims(
            userinfo: Array(#"{"sub":"s","name":"\#(name)","email":"a@example.org"}"#.utf8))
        #expect(claims.name.map { Array($0.utf8) } == Array(name.utf8))
    }

    @Test(arguments: [#"Kim\u202e"#, #"Kim\n"#, #"\u200d"#, #"Kim\u200b"#])
    func `A user name with hidden characters is discarded`(name: String) throws {
        let claims = try Claims(
            userinfo: Array(#"{"sub":"s","name":"\#(name)","email":"a@example.org"}"#.utf8))
        #expect(claims.name == nil && claims.email == "a@example.org")
    }

    @Test func `Another claim is used as the user name if the name claim contains hidden characters`() throws
    {
        let claims = try Claims(
            userinfo: Array(#"{"sub":"a","name":"x\u202ey","preferred_username":"kim"}"#.utf8))
        #expect(claims.name == "kim")
    }

    @Test(arguments: [
        ("", []), ("AA", [0]), ("_-8", [255, 239]), ("AB", nil), ("A", nil), ("AA==", nil), ("+/", nil),
    ])
    func `For each byte sequence, exactly one base64url encoding is accepted`(text: String, bytes: [UInt8]?) {
        #expect(Base64URL.decode(Substring(text)) == bytes)
        if let bytes { #expect(Base64URL.encode(bytes) == text) }
    }

    @Test(arguments: [
        IDToken.Problem.unreadable, .unsigned, .algorithm("PS256"), .invalidSignature, .otherIssuer,
        .otherAudience, .expired, .notYetValid, .withoutTime, .otherNonce, .otherAccessToken, .otherSubject,
        .missing,
    ])
    func `Each reason for refusing an ID token can be translated`(problem: IDToken.Problem) {
        #expect(problem.reason.code != nil && problem.description == problem.reason.english)
    }

    @Test func `Each reason for refusing metadata or a redirect can be translated`() {
        let other = IssuerMetadata.Problem.otherIssuer(written: "https://b", configured: "https://a")
        #expect(
            other.description
                == "the server at https://a identifies itself as https://b; if you trust this server, set `issuer` to the reported address"
        )
        let metadata = #expect(throws: IssuerMetadata.Problem.self) {
            try IssuerMetadata(json: Array("<html>".utf8), of: Issuer("https://a.example"))
        }
        #expect(metadata?.reason.code == .metadataInvalid)
        #expect(IssuerMetadata.Problem.tooLarge.reason.code == .metadataTooLarge)
        #expect(Redirect.ParseError.allCases.allSatisfy { $0.reason.code != nil })
        #expect(Redirect.ParseError.allCases.allSatisfy { $0.description.contains("sign-in redirect") })
        #expect(Redirect.Refusal.allCases.allSatisfy { $0.reason.code != nil })
    }
}
