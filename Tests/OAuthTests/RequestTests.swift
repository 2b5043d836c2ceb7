import CutieAPI
import Testing

@testable import OAuth

struct RequestTests {
    private func server(
        secret: Token<ClientSecret>? = nil, _ change: (inout IssuerMetadata) -> Void = { _ in }
    ) throws -> AuthorizationServer {
        var metadata = IssuerMetadata(
            issuer: "https://server.example.com",
            tokenEndpoint: try EndpointURL("https://server.example.com/token"))
        metadata.authorizationEndpoint = try EndpointURL("https://server.example.com/authorize?tenant=1")
        metadata.deviceAuthorizationEndpoint = try EndpointURL("https://server.example.com/device")
        change(&metadata)
        return AuthorizationServer(metadata, clientID: "s6BhdRkqt3", secret: secret)
    }

    private func text(_ form: FormRequest?) throws -> String {
        String(decoding: try #require(form).body, as: UTF8.self)
    }

    /// The example is in RFC 6749 appendix B.
    @Test func `A form is encoded as specified in RFC 6749`() {
        #expect(Form.encode(" %&+£€") == "+%25%26%2B%C2%A3%E2%82%AC")
        #expect(Form.decode("+%25%26%2B%C2%A3%E2%82%AC") == " %&+£€")
        #expect(Form.decode("%2") == nil)
        #expect(Form.decode("%FF") == nil)
    }

    @Test func `A public client sends its client ID in the form`() throws {
        let form = try server().refreshRequest(refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA")
        #expect(
            try text(form)
                == "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA&client_id=s6BhdRkqt3")
        #expect(form.authorization == nil)
        #expect(form.url.description == "https://server.example.com/token")
    }

    /// The format of the header is defined in RFC 6749 §2.3.1.
    @Test func `By default, a client with a secret uses HTTP Basic authentication`() throws {
        let form = try server(secret: "gX1fBat3bV").clientCredentialsRequest(scope: Scope(["a", "b"]))
        #expect(form.authorization == "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW")
        #expect(try text(form) == "grant_type=client_credentials&scope=a+b")
    }

    @Test(arguments: [
        (["client_secret_post"], true), (["client_secret_basic", "client_secret_post"], false),
        (["private_key_jwt"], false),
    ])
    func `The client uses an authentication method that the issuer supports`(methods: [String], isForm: Bool)
        throws
    {
        let form = try server(secret: "gX1fBat3bV") { $0.tokenAuthenticationMethods = methods }
            .tokenRequest(deviceCode: "GmRhmhcxhwAzkoEqiMEg")
        #expect((form.authorization == nil) == isForm)
        #expect(try text(form).contains("client_secret=gX1fBat3bV") == isForm)
    }

    /// The examples are in RFC 8628 §3.1 and §3.4.
    @Test func `The requests of the device flow match RFC 8628`() throws {
        let server = try server()
        #expect(
            try text(server.deviceAuthorizationRequest(scope: Scope(["example_scope"]), loginHint: nil))
                == "scope=example_scope&client_id=s6BhdRkqt3")
        #expect(
            try text(server.tokenRequest(deviceCode: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"))
                == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                + "&device_code=GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS&client_id=s6BhdRkqt3")
        #expect(
            try text(server.deviceAuthorizationRequest(scope: Scope([]), loginHint: "kim@example.com"))
                == "login_hint=kim%40example.com&client_id=s6BhdRkqt3")
    }

    @Test func `No request is created for an endpoint that is missing in the metadata`() throws {
        let server = try server { ($0.deviceAuthorizationEndpoint, $0.authorizationEndpoint) = (nil, nil) }
        #expect(server.deviceAuthorizationRequest(scope: .identity, loginHint: nil) == nil)
        #expect(server.revocationRequest(token: "t", kind: .refresh) == nil)
        let pending = Self.pending
        #expect(
            server.authorizationPageURL(
                for: pending, scope: .identity, loginHint: nil, isRegistration: false, sha256Function: { $0 })
                == nil
        )
    }

    private static let pending = PendingAuthorization(
        redirect: PendingAuthorization.defaultRedirect, at: .epoch,
        random: (0..<96).map(UInt8.init))

    @Test func `The authorization URL contains the code challenge and never the code verifier`() throws {
        let pending = Self.pending
        let page = try #require(
            try server().authorizationPageURL(
                for: pending, scope: .identity, loginHint: "kim@example.com", isRegistration: false,
                sha256Function: { _ in [1, 2, 3] }))
        #expect(
            page == "https://server.example.com/authorize?tenant=1&response_type=code&client_id=s6BhdRkqt3"
                + "&redirect_uri=io.cutied.cutied%3A%2Fsignin&state=\(pending.state)&code_challenge=AQID"
                + "&code_challenge_method=S256&scope=openid+profile+email+offline_access&nonce=\(pending.nonce)"
                + "&prompt=consent&login_hint=kim%40example.com")
        #expect(!page.contains(pending.proof.verifier.rawValue))
    }

    @Test(arguments: [(["login", "create"], "create"), (nil, "consent")])
    func `The request to create an account uses a prompt value that the issuer supports`(
        values: [String]?, prompt: String
    ) throws {
        let page = try server { $0.promptValues = values }
            .authorizationPageURL(
                for: Self.pending, scope: .identity, loginHint: nil, isRegistration: true,
                sha256Function: { $0 })
        #expect(page?.hasSuffix("&prompt=\(prompt)") == true)
    }

    /// The example is in RFC 7636 appendix B.
    @Test func `A code verifier and its code challenge match RFC 7636`() {
        let random: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105,
            214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let hash: [UInt8] = [
            19, 211, 30, 150, 26, 26, 216, 236, 47, 22, 177, 12, 76, 152, 46, 8, 118, 168, 120, 173, 109, 241,
            68, 86, 110, 225, 137, 74, 203, 112, 249, 195,
        ]
        let proof = ProofKey(random: random)
        #expect(proof.verifier.rawValue == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        let challenge = proof.computeChallenge { bytes in
            #expect(bytes == Array(proof.verifier.rawValue.utf8))
            return hash
        }
        #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `Printing a token request does not reveal secrets`() throws {
        let form = try server(secret: "gX1fBat3bV").refreshRequest(refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA")
        let printed = "\(form) \(String(reflecting: form)) \(try server(secret: "gX1fBat3bV"))"
        #expect(!printed.contains("tGzv3JOkF0XG5Qx2TlKWIA") && !printed.contains("gX1fBat3bV"))
        let echo = form.secrets.redactingSecrets(
            in: "bad tGzv3JOkF0XG5Qx2TlKWIA czZCaGRSa3F0MzpnWDFmQmF0M2JW")
        #expect(echo == "bad (secret) (secret)")
    }

    /// The example in RFC 7515 appendix A.3: R and S, in the DER encoding that signing keys produce.
    @Test func `A DER signature is converted to the format of RFC 7518`() throws {
        let r: [UInt8] = [
            14, 209, 33, 83, 121, 99, 108, 72, 60, 47, 127, 21, 88, 7, 212, 2, 163, 178, 40, 3, 58, 249, 124,
            126, 23, 129, 154, 195, 22, 158, 166, 101,
        ]
        let s: [UInt8] = [
            197, 10, 7, 211, 140, 60, 112, 229, 216, 241, 45, 175, 8, 74, 84, 128, 166, 101, 144, 197, 242,
            147,
            80, 154, 143, 63, 127, 138, 131, 163, 84, 213,
        ]
        let der = [0x30, 69, 0x02, 32] + r + [0x02, 33, 0] + s
        #expect(Assertion.fixedLengthSignature(fromDER: der) == r + s)
        let assertion = try Assertion(["sub": "kim"], keyID: "k")
        #expect(
            assertion.makeJWT(signature: der)
                == Base64URL.encode(Array(#"{"alg":"ES256","kid":"k","typ":"JWT"}"#.utf8)) + "."
                + Base64URL.encode(Array(#"{"sub":"kim"}"#.utf8)) + "."
                + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
    }

    @Test(arguments: [
        [], [0x30], [0x30, 6, 2, 1, 1, 2, 1], [0x30, 6, 2, 1, 1, 2, 1, 1, 0], [0x31, 6, 2, 1, 1, 2, 1, 1],
        [0x30, 3, 2, 1, 1], [0x30, 5, 2, 0, 2, 1, 1],
    ])
    func `An invalid DER signature is not converted`(der: [UInt8]) {
        #expect(Assertion.fixedLengthSignature(fromDER: der) == nil)
    }

    @Test func `The integers of a signature are padded to their full length`() {
        let zeros = [UInt8](repeating: 0, count: 31)
        #expect(
            Assertion.fixedLengthSignature(fromDER: [0x30, 6, 2, 1, 1, 2, 1, 2]) == zeros + [1] + zeros + [2])
    }
}
