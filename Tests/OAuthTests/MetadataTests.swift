import CutieAPI
import Testing

@testable import OAuth

struct MetadataTests {
    @Test(arguments: [
        // The examples in RFC 8414 §3.1 and OpenID Connect Discovery §4.1.
        (
            "https://example.com", "https://example.com/.well-known/oauth-authorization-server",
            "https://example.com/.well-known/openid-configuration"
        ),
        (
            "https://example.com/issuer1",
            "https://example.com/.well-known/oauth-authorization-server/issuer1",
            "https://example.com/issuer1/.well-known/openid-configuration"
        ),
        (
            "https://example.com/a/b/", "https://example.com/.well-known/oauth-authorization-server/a/b",
            "https://example.com/a/b/.well-known/openid-configuration"
        ),
        (
            "http://127.0.0.1:8787", "http://127.0.0.1:8787/.well-known/oauth-authorization-server",
            "http://127.0.0.1:8787/.well-known/openid-configuration"
        ),
    ])
    func `An issuer's metadata has two possible addresses`(issuer: String, first: String, second: String)
        throws
    {
        #expect(try Issuer(issuer).metadataAddresses == [first, second])
    }

    @Test(arguments: [
        "http://example.com", "example.com", "https://example.com?x=1", "https://example.com#x",
        "https://a@example.com", "ftp://example.com", "",
    ])
    func `An invalid issuer URL is rejected`(text: String) {
        #expect(throws: APIAddress.ParseError.self) { try Issuer(text) }
    }

    /// The example in RFC 8414 §3.2, shortened.
    private static let example = #"""
        {"issuer":"https://server.example.com",
         "authorization_endpoint":"https://server.example.com/authorize",
         "token_endpoint":"https://server.example.com/token",
         "token_endpoint_auth_methods_supported":["client_secret_basic","private_key_jwt"],
         "userinfo_endpoint":"https://server.example.com/userinfo",
         "jwks_uri":"https://server.example.com/jwks.json",
         "scopes_supported":["openid","profile","email","offline_access"],
         "response_types_supported":["code","code token"],
         "ui_locales_supported":["en-US","fr-CA"]}
        """#

    private func read(_ json: String, of issuer: String = "https://server.example.com") throws
        -> IssuerMetadata
    {
        try IssuerMetadata(json: Array(json.utf8), of: Issuer(issuer))
    }

    @Test func `The example metadata in RFC 8414 is decoded`() throws {
        let metadata = try read(Self.example)
        #expect(metadata.tokenEndpoint.description == "https://server.example.com/token")
        #expect(metadata.userinfoEndpoint?.origin == "https://server.example.com")
        #expect(metadata.signInMethods(hasClientSecret: false) == [.browser])
        #expect(metadata.signInMethods(hasClientSecret: true) == [.browser, .client])
        #expect(!metadata.includesIssuerInRedirects)
        let again: IssuerMetadata = try JSON.decode(from: JSON.encode(metadata))
        #expect(again == metadata, "the stored metadata")
    }

    @Test(arguments: [
        "https://server.example.com/", "https://Server.example.com", "https://other.example.com",
    ])
    func `Metadata is accepted only if its issuer equals the configured issuer exactly`(issuer: String) {
        let problem = IssuerMetadata.Problem.otherIssuer(
            written: "https://server.example.com", configured: issuer)
        #expect(throws: problem) { try read(Self.example, of: issuer) }
        #expect("\(problem)".contains("https://server.example.com;"), "what the server wrote")
        #expect("\(problem)".contains("at \(issuer) "), "what is configured")
    }

    private static let entra =
        #"{"issuer":"https://login.microsoftonline.com/{tenantid}/v2.0","#
        + #""token_endpoint":"https://login.microsoftonline.com/common/oauth2/v2.0/token"}"#

    @Test(arguments: [
        ("https://login.microsoftonline.com/common/v2.0", true),
        ("https://login.microsoftonline.com/organizations/v2.0", true),
        ("https://login.microsoftonline.com/common", false),
        ("https://login.microsoftonline.com/common/v1.0", false),
        ("https://login.microsoftonline.com/a/b/v2.0", false),
        ("https://login.microsoftonline.com//v2.0", false), ("https://other.example/common/v2.0", false),
    ])
    func `An issuer URL with a tenant placeholder matches each tenant at the same host`(
        issuer: String, isIt: Bool
    ) {
        #expect(((try? read(Self.entra, of: issuer)) != nil) == isIt)
    }

    @Test func `If the RFC 8414 document lacks a field, the value in the OpenID Connect document is used`()
        throws
    {
        let first = try read(
            #"{"issuer":"https://server.example.com","token_endpoint":"https://server.example.com/a"}"#)
        let second = try read(
            #"{"issuer":"https://server.example.com","token_endpoint":"https://server.example.com/b","#
                + #""userinfo_endpoint":"https://server.example.com/u","jwks_uri":"https://server.example.com/k","#
                + #""authorization_response_iss_parameter_supported":"true"}"#)
        let sum = first.addingMissingOpenIDFields(from: second)
        #expect(sum.tokenEndpoint == first.tokenEndpoint)
        #expect(sum.userinfoEndpoint == second.userinfoEndpoint && sum.keysAddress == second.keysAddress)
        #expect(sum.includesIssuerInRedirects)
        #expect(first.isPartial && !sum.isPartial)
    }

    @Test(arguments: [
        "<html>Log in</html>", "", "[]", #"{"issuer":"https://server.example.com"}"#,
        #"{"issuer":"https://server.example.com","token_endpoint":"http://server.example.com/token"}"#,
        #"{"issuer":1,"token_endpoint":"https://server.example.com/token"}"#,
    ])
    func `Invalid issuer metadata is rejected`(json: String) {
        #expect { try read(json) } throws: { error in
            if case .unreadable? = error as? IssuerMetadata.Problem { true } else { false }
        }
    }

    @Test func `Metadata that exceeds the size limit is rejected`() {
        let padding = String(repeating: " ", count: IssuerMetadata.sizeLimit)
        #expect(throws: IssuerMetadata.Problem.tooLarge) { try read(Self.example + padding) }
    }

    @Test func `An endpoint whose URL does not use TLS is treated as missing`() throws {
        let metadata = try read(
            #"{"issuer":"https://server.example.com","token_endpoint":"https://server.example.com/token","#
                + #""device_authorization_endpoint":"http://server.example.com/device","#
                + #""revocation_endpoint":7,"userinfo_endpoint":"javascript:alert(1)"}"#)
        #expect(metadata.deviceAuthorizationEndpoint == nil)
        #expect(metadata.revocationEndpoint == nil)
        #expect(metadata.userinfoEndpoint == nil)
        #expect(metadata.signInMethods(hasClientSecret: false).isEmpty)
    }

    @Test func `The browser flow requires that the issuer supports the challenge method S256`() throws {
        let metadata = try read(
            Self.example.replacing(
                "\"ui_locales", with: #""code_challenge_methods_supported":["plain"],"ui_locales"#))
        #expect(metadata.signInMethods(hasClientSecret: false).isEmpty)
    }

    @Test func `Cuti-E's built-in metadata supports only the client credentials grant`() throws {
        let metadata = try #require(IssuerMetadata.makeDefault(forCutiEServerAt: .production))
        #expect(metadata.tokenEndpoint.description == "https://api.cuti-e.com/v1/auth/oauth/token")
        #expect(metadata.signInMethods(hasClientSecret: false).isEmpty)
        #expect(metadata.signInMethods(hasClientSecret: true) == [.client])
    }

    @Test(arguments: [
        (nil, Scope.identity), (["openid", "email"], Scope(["openid", "email"])),
        (["conversations:read", "admin:all"], Scope(["conversations:read"])), ([], Scope([])),
    ])
    func `Only scopes that the issuer offers are requested`(offered: [String]?, scope: Scope) {
        #expect(Scope.makeDefault(isForSupportStaff: true, offeredScopes: offered) == scope)
    }

    @Test func `An account that is not for support staff does not request the scopes for support staff`() {
        let offered = ["openid", "conversations:read"]
        #expect(Scope.makeDefault(isForSupportStaff: false, offeredScopes: offered) == Scope(["openid"]))
    }

    @Test func `The order and repetition of scope names are ignored, and invalid names are omitted`() {
        #expect(Scope(text: "b a  a") == Scope(text: "a b"))
        #expect(Scope(["a b", "c\"", "", "d"]).names == ["d"])
    }
}
