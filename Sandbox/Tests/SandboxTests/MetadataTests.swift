import Crypto
import CryptoExtras
import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// Tests of the issuer metadata (RFC 8414 and OpenID Connect Discovery).
@Suite struct MetadataTests {
    private struct Document: Decodable {
        let issuer: String
        let authorization_endpoint: String?
        let token_endpoint: String
        let device_authorization_endpoint: String?
        let revocation_endpoint: String?
        let revocation_endpoint_auth_methods_supported: [String]?
        let userinfo_endpoint: String
        let jwks_uri: String
        let scopes_supported: [String]
        let response_types_supported: [String]
        let grant_types_supported: [String]
        let token_endpoint_auth_methods_supported: [String]
        let code_challenge_methods_supported: [String]
        let authorization_response_iss_parameter_supported: Bool
        let prompt_values_supported: [String]
        let subject_types_supported: [String]
        let id_token_signing_alg_values_supported: [String]
        let account_urls: [String: String]
    }

    private static let places = [
        "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
    ]

    @Test(arguments: places) func `The metadata is the same at both well-known addresses`(place: String)
        async throws
    {
        try await withSandbox { sandbox in
            let url = sandbox.address.url
            let document: Document = try await sandbox.call("GET", place).decoded()
            #expect(document.issuer == url)
            #expect(document.token_endpoint == url + "/v1/auth/oauth/token")
            #expect(document.authorization_endpoint == url + "/v1/auth/oauth/authorize")
            #expect(document.device_authorization_endpoint == url + "/v1/auth/oauth/device")
            #expect(document.revocation_endpoint == url + "/v1/auth/oauth/revoke")
            #expect(document.userinfo_endpoint == url + "/v1/auth/userinfo")
            #expect(document.response_types_supported == ["code"])
            #expect(document.grant_types_supported.count == 6)
            #expect(document.token_endpoint_auth_methods_supported.contains("none"))
            #expect(document.revocation_endpoint_auth_methods_supported?.contains("none") == true)
            #expect(document.code_challenge_methods_supported == ["S256"])
            #expect(document.authorization_response_iss_parameter_supported)
            #expect(document.prompt_values_supported.contains("create"))
            #expect(document.subject_types_supported == ["public"])
            #expect(document.id_token_signing_alg_values_supported == ["RS256", "ES256"])
            #expect(document.account_urls == ["register": url + "/register", "forgot": url + "/forgot"])
            #expect(document.scopes_supported.contains("offline_access"))
            #expect(document.scopes_supported.contains("canned_responses:write"))
            #expect(!document.scopes_supported.contains("sandbox"))
        }
    }

    @Test func `The issuer URL has the host name of the request`() async throws {
        try await withSandbox { sandbox in
            let named = sandbox.address.url.replacing("127.0.0.1", with: "localhost")
            let document: Document = try await sandbox.call(
                "GET", Self.places[0], ["Host": String(named.dropFirst("http://".count))]
            ).decoded()
            #expect(document.issuer == named && document.jwks_uri == named + "/v1/auth/jwks")
        }
    }

    @Test func `A disabled feature is neither announced nor served`() async throws {
        let without: Set<SandboxFeature> = [
            .deviceFlow, .browserFlow, .revocation, .tokenExchange, .assertions,
        ]
        try await withSandbox({ $0.disabledFeatures = without }) { sandbox in
            let document: Document = try await sandbox.call("GET", Self.places[0]).decoded()
            #expect(document.device_authorization_endpoint == nil)
            #expect(document.authorization_endpoint == nil && document.response_types_supported.isEmpty)
            #expect(document.revocation_endpoint == nil)
            #expect(document.revocation_endpoint_auth_methods_supported == nil)
            #expect(document.grant_types_supported == ["client_credentials", "refresh_token"])
            let issuer = try await sandbox.issuer()
            #expect(try await issuer.post("device", ["client_id": "cutied"]).status == 404)
            #expect(try await issuer.post("revoke", ["client_id": "cutied", "token": "x"]).status == 404)
            #expect(try await issuer.browser().open(issuer.authorization()).status == 404)
            #expect(try await issuer.redeem("x").error == "unsupported_grant_type")
        }
    }

    @Test(arguments: [
        (SandboxFeature.metadata, [404, 404]), (.serverMetadata, [404, 200]), (.stream, [200, 200]),
    ])
    func `Each metadata document can be disabled`(feature: SandboxFeature, statuses: [Int]) async throws {
        try await withSandbox({ $0.disabledFeatures = [feature] }) { sandbox in
            var found: [Int] = []
            for place in Self.places { found.append(try await sandbox.call("GET", place).status) }
            #expect(found == statuses)
            _ = try await sandbox.admin()
        }
    }

    @Test(arguments: IDTokenAlgorithm.allCases)
    func `ID tokens are signed with a published key`(algorithm: IDTokenAlgorithm) async throws {
        struct Keys: Decodable {
            let keys: [[String: String]]
        }
        try await withSandbox({ $0.idTokenAlgorithm = algorithm }) { sandbox in
            let issuer = try await sandbox.issuer()
            let token = try #require(try await issuer.tokens().id_token)
            let parts = token.split(separator: ".")
            let header = try JSON.decode(
                [String: String].self, from: try #require(Data(base64URL: parts[0])))
            #expect(header["alg"] == algorithm.rawValue)
            let keys: Keys = try await sandbox.call("GET", "/v1/auth/jwks").decoded()
            #expect(keys.keys.map { $0["alg"] } == ["RS256", "ES256"])
            let key = try #require(keys.keys.first { $0["kid"] == header["kid"] })
            #expect(key["alg"] == algorithm.rawValue && key["use"] == "sig")
            let signed = Data("\(parts[0]).\(parts[1])".utf8)
            let signature = try #require(Data(base64URL: parts[2]))
            #expect(try Self.verifies(signature, of: signed, by: key))
            #expect(try !Self.verifies(signature, of: signed + [0], by: key))
        }
    }

    private static func verifies(_ signature: Data, of signed: Data, by key: [String: String]) throws -> Bool
    {
        func number(_ name: String) throws -> Data { try #require(Data(base64URL: key[name] ?? "")) }
        guard key["kty"] == "RSA" else {
            return try P256.Signing.PublicKey(rawRepresentation: number("x") + number("y"))
                .isValidSignature(P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed)
        }
        return try _RSA.Signing.PublicKey(n: number("n"), e: number("e"))
            .isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: signed),
                padding: .insecurePKCS1v1_5)
    }
}
