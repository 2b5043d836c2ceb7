import CutieAPI
import Testing

@testable import OAuth

/// Tests of the requests to a service, which RFC 7009, 7517, 7523, 7638 and 8693 define.
struct ServiceTests {
    private static let service = "https://service.example.edu/oauth2"

    private func server(revocation: String? = service + "/revoke") throws -> ServiceAuthorizationServer {
        ServiceAuthorizationServer(
            token: try EndpointURL(Self.service + "/token"), revocation: try revocation.map(EndpointURL.init),
            clientID: "cutied")
    }

    private func parameters(_ form: FormRequest) -> [String: String] {
        Dictionary(form.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + " and " + $1 })
    }

    private func json(_ bytes: some Encodable) throws -> String {
        String(decoding: try JSON.encode(bytes), as: UTF8.self)
    }

    // MARK: - RFC 8693

    @Test func `The request for a token exchange matches RFC 8693`() throws {
        let issuer = AuthorizationServer(
            IssuerMetadata(
                issuer: "https://issuer.example",
                tokenEndpoint: try EndpointURL("https://issuer.example/token")), clientID: "cutied",
            secret: nil)
        let form = issuer.tokenExchangeRequest(
            accessToken: "accVkjcJyb4BWCxGsndESCJQbdFMogUC5PbRDqceLTC",
            audience: try EndpointURL(Self.service + "/token"))
        #expect(form.url.description == "https://issuer.example/token")
        #expect(form.authorization == nil)
        #expect(
            parameters(form) == [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                "subject_token": "accVkjcJyb4BWCxGsndESCJQbdFMogUC5PbRDqceLTC",
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
                "requested_token_type": "urn:ietf:params:oauth:token-type:jwt",
                "audience": "https://service.example.edu/oauth2/token", "client_id": "cutied",
            ])
        #expect(
            form.secrets.redactingSecrets(in: "accVkjcJyb4BWCxGsndESCJQbdFMogUC5PbRDqceLTC") == "(secret)")
    }

    private func answer(
        _ token: String = "a.b.c", issued: String = #""urn:ietf:params:oauth:token-type:jwt""#,
        type: String = #""N_A""#, more: String = ""
    ) -> String {
        #"{"access_token":"\#(token)","issued_token_type":\#(issued),"token_type":\#(type)\#(more)}"#
    }

    @Test(arguments: [#""N_A""#, #""n_a""#, #""Bearer""#, #""bearer""#])
    func `The response to a token exchange request is decoded`(type: String) throws {
        let text = answer(
            "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", type: type, more: #","expires_in":300,"scope":"x""#)
        let assertion = try UserAssertion(json: Array(text.utf8))
        #expect(assertion.text.rawValue == "eyJhbGciOiJFUzI1NiJ9.e30.c2ln")
        #expect(assertion.expiresIn == 300)
        #expect(!"\(assertion) \(String(reflecting: assertion))".contains("eyJ"))
    }

    @Test func `An invalid response to a token exchange is rejected`() {
        let bad = [
            "<html>", "{}", answer(""), answer("a b"), answer(#"a\r\nX: y"#),
            answer(String(repeating: "a", count: 8193)),
            answer(issued: #""urn:ietf:params:oauth:token-type:access_token""#), answer(issued: "null"),
            answer(type: #""mac""#), answer(type: "null"), #"{"access_token":"a.b.c","token_type":"N_A"}"#,
            answer() + String(repeating: " ", count: TokenResponse.sizeLimit),
        ]
        for text in bad {
            #expect(throws: UnreadableJSON.self, "\(text.prefix(99))") {
                try UserAssertion(json: Array(text.utf8))
            }
        }
    }

    @Test func `A token exchange response may omit the lifetime of the assertion`() throws {
        #expect(try UserAssertion(json: Array(answer().utf8)).expiresIn == nil)
    }

    // MARK: - RFC 7523

    @Test
    func `The request for a service token contains a user assertion and a proof of possession of the key`()
        throws
    {
        let form = try server().serviceTokenRequest(
            assertion: "header.person.signature", keyProof: "header.proof.signature")
        #expect(form.url.description == "https://service.example.edu/oauth2/token")
        #expect(form.authorization == nil)
        #expect(
            parameters(form) == [
                "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "assertion": "header.person.signature",
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion": "header.proof.signature", "client_id": "cutied",
            ])
        let echo = "no header.person.signature and no header.proof.signature"
        #expect(form.secrets.redactingSecrets(in: echo) == "no (secret) and no (secret)")
        #expect(!"\(form) \(String(reflecting: form))".contains("header."))
    }

    @Test func `The request for an app token contains the daemon's service token`() throws {
        let form = try server().appTokenRequest(
            assertion: "header.app.signature", scope: Scope(["qti:read", "qti:write"]),
            serviceToken: "SlAV32hkKGxgOWnxG9")
        #expect(form.authorization == "Bearer SlAV32hkKGxgOWnxG9")
        #expect(
            parameters(form) == [
                "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "assertion": "header.app.signature", "scope": "qti:read qti:write", "client_id": "cutied",
            ])
        let echo = "SlAV32hkKGxgOWnxG9; Bearer SlAV32hkKGxgOWnxG9; header.app.signature"
        #expect(form.secrets.redactingSecrets(in: echo) == "(secret); (secret); (secret)")
        let plain = try server().appTokenRequest(assertion: "a", scope: Scope([]), serviceToken: "t")
        #expect(!plain.parameters.contains { $0.name == "scope" })
    }

    @Test func `A service token is refreshed in the same way as other tokens`() throws {
        let form = try server().refreshRequest(refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA")
        #expect(
            String(decoding: form.body, as: UTF8.self)
                == "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA&client_id=cutied")
        #expect(form.authorization == nil)
        #expect(form.secrets.redactingSecrets(in: "tGzv3JOkF0XG5Qx2TlKWIA") == "(secret)")
    }

    // MARK: - RFC 7009

    /// The request is defined in RFC 7009 §2.1.
    @Test(arguments: [
        (AuthorizationServer.TokenKind.refresh, "refresh_token"), (.access, "access_token"),
    ])
    func `A service token can be revoked only if the service offers revocation`(
        kind: AuthorizationServer.TokenKind, hint: String
    ) throws {
        let form = try #require(try server().revocationRequest(token: "45ghiukldjahdnhzdauz", kind: kind))
        #expect(form.url.description == "https://service.example.edu/oauth2/revoke")
        #expect(
            String(decoding: form.body, as: UTF8.self)
                == "token=45ghiukldjahdnhzdauz&token_type_hint=\(hint)&client_id=cutied")
        #expect(form.secrets.redactingSecrets(in: "45ghiukldjahdnhzdauz") == "(secret)")
        #expect(try server(revocation: nil).revocationRequest(token: "t", kind: kind) == nil)
    }

    // MARK: - RFC 7517 and 7638

    /// The example key in RFC 7517 appendix A.1.
    private static let example = #"""
        {"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
         "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","use":"enc","kid":"1"}
        """#

    private func key(_ json: String = example) throws -> JSONWebKey {
        try JSON.decode(JSONWebKey.self, from: Array(json.utf8))
    }

    @Test func `The example key in RFC 7517 is decoded, and encoded again`() throws {
        let key = try key()
        #expect(try self.key(json(key)) == key)
    }

    /// A public key as written by `openssl ec -pubout -outform DER`.
    private static let der: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
        0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04, 0x0b, 0x7e, 0x2e, 0x7c, 0xab, 0x4f, 0x4c,
        0x5e, 0x85, 0x25, 0x2f, 0x78, 0xad, 0x0b, 0xa0, 0xa3, 0x0d, 0xd5, 0xf5, 0x4c, 0x91, 0xc1, 0x20, 0x17,
        0x04, 0x94, 0x4b, 0x07, 0x63, 0x52, 0x26, 0x88, 0x69, 0x4f, 0x43, 0x28, 0x7a, 0x0b, 0x01, 0xb9, 0xa1,
        0xab, 0x72, 0x60, 0x44, 0x1f, 0xe5, 0xe6, 0x59, 0xbb, 0x45, 0xfd, 0xa5, 0xdf, 0xfa, 0xd4, 0x10, 0x78,
        0x11, 0x9c, 0x34, 0x88, 0x6f, 0x9f,
    ]

    @Test func `A key from OpenSSL is encoded as a JWK according to RFC 7517`() throws {
        let key = try #require(JSONWebKey(subjectPublicKeyInfo: Self.der))
        #expect(
            try json(key) == #"{"crv":"P-256","kty":"EC","x":"C34ufKtPTF6FJS94rQugow3V9UyRwSAXBJRLB2NSJog","#
                + #""y":"aU9DKHoLAbmhq3JgRB_l5lm7Rf2l3_rUEHgRnDSIb58"}"#)
    }

    @Test func `A key that is not an elliptic-curve key is rejected`() {
        var p384 = Self.der
        p384[22] = 0x22
        let compressed = Array(Self.der.prefix(26)) + [0x02] + Array(Self.der[27..<59])
        for bytes in [[], p384, compressed, Self.der + [0], Array(Self.der.dropLast())] {
            #expect(JSONWebKey(subjectPublicKeyInfo: bytes) == nil)
        }
    }

    @Test(arguments: [
        ("EC", "RSA"), ("P-256", "P-384"), ("MKBC", "MKB"), ("7D4", "7D4="), ("7D4", "7D5"), ("4Etl", "4E/l"),
        (#""y":"#, #""z":"#),
    ])
    func `A key that is not on the curve P-256 is rejected`(part: String, other: String) {
        #expect(throws: UnreadableJSON.self) { try key(Self.example.replacing(part, with: other)) }
    }

    // MARK: - Claims

    private static let jwk =
        #"{"crv":"P-256","kty":"EC","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","#
        + #""y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#

    @Test func `The client issues its own proof of possession, which expires after five minutes`()
        throws
    {
        let proof = KeyProof(
            client: "cutied", tokenEndpoint: try EndpointURL(Self.service + "/token"), key: try key(),
            id: "id-1", issuedAt: Timestamp(milliseconds: 1_780_000_000_999))
        #expect(
            try json(proof)
                == #"{"aud":"https://service.example.edu/oauth2/token","cnf":{"jwk":\#(Self.jwk)},"#
                + #""exp":1780000300,"iat":1780000000,"iss":"cutied","jti":"id-1","sub":"cutied"}"#)
    }

    @Test func `The assertion for an app contains the user, the app and the service`() throws {
        let assertion = AppAssertion(
            client: "cutied", person: "kim", app: "org.example.Notes",
            tokenEndpoint: try EndpointURL(Self.service + "/token"),
            service: try EndpointURL("https://service.example.edu/lms/"), key: try key(), id: "id-2",
            issuedAt: Timestamp(milliseconds: 1_780_000_000_000))
        #expect(
            try json(assertion)
                == #"{"aud":"https://service.example.edu/oauth2/token","azp":"org.example.Notes","#
                + #""cnf":{"jwk":\#(Self.jwk)},"exp":1780000300,"iat":1780000000,"iss":"cutied","jti":"id-2","#
                + #""resource":"https://service.example.edu/lms/","sub":"kim"}"#)
        let text = try Assertion(assertion)
        #expect(text.makeJWT(signature: [0x30, 6, 2, 1, 1, 2, 1, 2])?.split(separator: ".").count == 3)
    }
}
