import AccessAPI
import Foundation
import OAuth
import TestSupport
import Testing

@testable import Access
@testable import Notifications

/// Tests of requests that use the field names of NAIL, and of requests that contain a token signed by the
/// app.
@MainActor
struct SignedRequestTests {
    private let fixture: ServiceFixture
    private let keys: IssuerKeys

    init() async throws {
        fixture = try await ServiceFixture()
        keys = try IssuerKeys()
        // The granted access makes later requests succeed without a question.
        try await fixture.authorize()
    }

    private static let claims = [
        "aud": #""urn:ietf:params:oauth:assertion""#, "sub": #""notes""#, "iss": #""org.example.Notes""#,
        "name": #""Notes""#,
    ]

    /// Returns a signed JWT. `KEY` in `header` is replaced by the public key.
    private func token(
        header: String = #"{"alg":"ES256","jwk":KEY}"#, _ changes: [String: String?] = [:],
        signedBy signer: IssuerKeys? = nil
    ) throws -> String {
        struct KeySet: Decodable { let keys: [[String: String]] }
        let set = try JSONDecoder().decode(KeySet.self, from: Data(try keys.keySet().utf8))
        let key = try JSONEncoder().encode(try #require(set.keys.first))
        var claims = Self.claims
        for (name, value) in changes { claims[name] = value }
        let body = "{" + claims.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
        let signed = [header.replacing("KEY", with: String(decoding: key, as: UTF8.self)), body]
            .map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let signature = try (signer ?? keys).sign(Array(signed.utf8), .ES256)
        return signed + "." + Base64URL.encode(signature)
    }

    private func services(token: String?) async throws -> [AuthorizedService] {
        var call = fixture.call()
        call.token = token
        return try await fixture.provider.authorizeProtocols(call, for: fixture.app()).services
    }

    @Test func `A request with a valid token that the app signed returns the services`() async throws {
        #expect(try await services(token: token()).count == 1)
        let list = #"["a","urn:ietf:params:oauth:assertion"]"#
        #expect(try await services(token: token(["aud": list, "exp": "9000000000"])).count == 1)
        #expect(
            try await services(token: token(header: #"{"typ":"JWT","alg":"ES256","jwk":KEY}"#)).count == 1)
    }

    @Test(arguments: [
        ["aud": #""urn:ietf:params:oauth:other""#], ["aud": nil], ["sub": #""other""#], ["sub": nil],
        ["iss": #""org.example.Other""#], ["name": #""Other""#], ["name": nil], ["exp": "1"],
        ["exp": #""soon""#],
    ])
    func `A request whose token was signed for another request gets an empty list`(changes: [String: String?])
        async throws
    {
        #expect(try await services(token: token(changes)).isEmpty)
        #expect(try fixture.questions.fetchOpenQuestions().isEmpty)
    }

    @Test(arguments: [
        #"{"alg":"ES256"}"#, #"{"alg":"none","jwk":KEY}"#, #"{"alg":"HS256","jwk":KEY}"#, #"{"jwk":KEY}"#,
        #"{"alg":"ES256","jwk":{"kty":"RSA","n":"AQAB","e":"AQAB"}}"#, "[]",
    ])
    func `A request whose token has no usable key gets an empty list`(header: String) async throws {
        #expect(try await services(token: token(header: header)).isEmpty)
        #expect(try fixture.questions.fetchOpenQuestions().isEmpty)
    }

    @Test func `A request whose token is not a JWT or is signed with another key gets an empty list`()
        async throws
    {
        let valid = try token()
        let unsigned = valid.split(separator: ".").dropLast().joined(separator: ".")
        for text in [
            "", "x", "a.b.c", "given-secret-2", unsigned, unsigned + ".", valid + ".x",
            try token(signedBy: IssuerKeys()),
        ] {
            #expect(try await services(token: text).isEmpty, "\(text)")
        }
        #expect(try await services(token: nil).count == 1)
    }

    @Test func `The field names that NAIL specifies are accepted in requests and included in replies`()
        async throws
    {
        let call = AuthorizeProtocols(
            protocols: ServiceFixture.files, client_id: "notes", app_id: "org.example.Notes",
            app_name: "Notes")
        let service = try #require(
            try await fixture.provider.authorizeProtocols(call, for: fixture.app()).services.first)
        let authorization = service.authorization
        #expect(authorization.access_token == authorization.accessToken)
        #expect(authorization.token_type == "Bearer" && authorization.api_key == "")
        #expect(authorization.expires_in == 3600)
        #expect(service.homePageLink.isEmpty || service.homePageLink.contains("://"))
    }

    @Test(arguments: ["clientId", "appId", "appName"])
    func `A request is rejected if a value is missing, or if the two names of a field have different values`(
        parameter: String
    ) async throws {
        var (missing, different) = (fixture.call(), fixture.call())
        switch parameter {
        case "clientId": (missing.clientId, different.client_id) = (nil, "other")
        case "appId": (missing.appId, different.app_id) = (nil, "org.example.Other")
        default: (missing.appName, different.app_name) = (nil, "Other")
        }
        for call in [missing, different] {
            let refused = await #expect(throws: InvalidArgument.self) {
                try await fixture.provider.authorizeProtocols(call, for: fixture.app())
            }
            #expect(refused?.parameter == parameter)
        }
    }
}
