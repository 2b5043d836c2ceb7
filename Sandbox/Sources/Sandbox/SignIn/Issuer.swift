import CutieAPI
import Hummingbird

/// The authorization server as seen by the client. The issuer URL must match the URL that the client
/// requested, so the host name comes from the request (for example `localhost`).
struct Issuer: Sendable {
    let url: String

    /// Creates an issuer from the `Host` header.
    ///
    /// - Throws: `Refusal` (400) if the header is missing or invalid.
    init(_ call: SandboxCall, isSecure: Bool) throws(Refusal) {
        guard let host = call.request.head.authority, !host.isEmpty,
            host.utf8.allSatisfy({ $0.isHostByte })
        else { throw Refusal(.badRequest, "the Host header is missing or not valid") }
        url = "\(isSecure ? "https" : "http")://\(host)"
    }

    func endpoint(_ path: Path) -> String { url + path.rawValue }

    /// The URLs that assertions for this API must contain.
    var service: ServiceAddresses {
        ServiceAddresses(issuer: url, tokenEndpoint: endpoint(.token), link: url + "/")
    }

    enum Path: String {
        case token = "/v1/auth/oauth/token"
        case authorize = "/v1/auth/oauth/authorize"
        case deviceAuthorization = "/v1/auth/oauth/device"
        case revoke = "/v1/auth/oauth/revoke"
        case userInfo = "/v1/auth/userinfo"
        case keys = "/v1/auth/jwks"
        case metadata = "/.well-known/oauth-authorization-server"
        case discovery = "/.well-known/openid-configuration"
        case device = "/device"
        case login = "/login"
        case logout = "/logout"
        case register = "/register"
        case forgot = "/forgot"

        var route: RouterPath { RouterPath(rawValue) }
    }
}

extension UInt8 {
    fileprivate var isHostByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8](".:-[]".utf8).contains(self)
        }
    }
}

/// The issuer metadata according to RFC 8414, OpenID Connect Discovery 1.0 and RFC 9207. The field
/// `account_urls` is an extension of Cuti-E.
struct IssuerMetadata: Encodable {
    let issuer: String
    var authorizationEndpoint: String?
    let tokenEndpoint: String
    var deviceAuthorizationEndpoint: String?
    var revocationEndpoint: String?
    let userInfoEndpoint: String
    let keys: String
    let scopes = Scope.allCases.filter { Set<Scope>.offered.contains($0) }
    var responseTypes: [String] = []
    let responseModes = ["query"]
    let grantTypes: [String]
    let clientAuthentication = ["none", "client_secret_basic", "client_secret_post"]
    /// The authentication methods of the revocation endpoint. If this field were absent, clients would assume
    /// only `client_secret_basic`.
    var revocationAuthentication: [String]?
    let challengeMethods = ["S256"]
    let returnsIssuerInResponses = true
    /// Whether the issuer supports the parameter `request_uri`. If this field were absent, clients would
    /// assume `true`.
    let supportsRequestURI = false
    let promptValues = ["none", "login", "create"]
    let subjectTypes = ["public"]
    let signingAlgorithms = IDTokenAlgorithm.allCases
    let claims = [
        "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "admin_id", "name", "email",
        "email_verified",
    ]
    let accountURLs: [String: String]

    enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case userInfoEndpoint = "userinfo_endpoint"
        case keys = "jwks_uri"
        case scopes = "scopes_supported"
        case responseTypes = "response_types_supported"
        case responseModes = "response_modes_supported"
        case grantTypes = "grant_types_supported"
        case clientAuthentication = "token_endpoint_auth_methods_supported"
        case revocationAuthentication = "revocation_endpoint_auth_methods_supported"
        case supportsRequestURI = "request_uri_parameter_supported"
        case challengeMethods = "code_challenge_methods_supported"
        case returnsIssuerInResponses = "authorization_response_iss_parameter_supported"
        case promptValues = "prompt_values_supported"
        case subjectTypes = "subject_types_supported"
        case signingAlgorithms = "id_token_signing_alg_values_supported"
        case claims = "claims_supported"
        case accountURLs = "account_urls"
    }

    init(_ issuer: Issuer, _ requestParser: RequestParser) {
        self.issuer = issuer.url
        tokenEndpoint = issuer.endpoint(.token)
        userInfoEndpoint = issuer.endpoint(.userInfo)
        keys = issuer.endpoint(.keys)
        accountURLs = ["register": issuer.endpoint(.register), "forgot": issuer.endpoint(.forgot)]
        grantTypes = GrantType.allCases.filter { requestParser.supports($0) }.map(\.rawValue)
        if requestParser.isEnabled(.browserFlow) {
            authorizationEndpoint = issuer.endpoint(.authorize)
            responseTypes = ["code"]
        }
        if requestParser.isEnabled(.deviceFlow) {
            deviceAuthorizationEndpoint = issuer.endpoint(.deviceAuthorization)
        }
        if requestParser.isEnabled(.revocation) {
            revocationEndpoint = issuer.endpoint(.revoke)
            revocationAuthentication = clientAuthentication
        }
    }
}

/// A supported OAuth grant type.
enum GrantType: String, CaseIterable {
    case authorizationCode = "authorization_code"
    case clientCredentials = "client_credentials"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    /// The exchange of an assertion for a token of this service (RFC 7523).
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    case refreshToken = "refresh_token"
    /// The exchange of a user's access token for an assertion about the user (RFC 8693).
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
}

extension RequestParser {
    func supports(_ grant: GrantType) -> Bool {
        switch grant {
        case .authorizationCode: isEnabled(.browserFlow)
        case .deviceCode: isEnabled(.deviceFlow)
        case .jwtBearer: isEnabled(.assertions)
        case .tokenExchange: isEnabled(.tokenExchange)
        case .clientCredentials, .refreshToken: true
        }
    }
}

/// Routes for the issuer metadata and the public keys.
struct MetadataRoutes: Sendable {
    let requestParser: RequestParser
    let signer: IdentitySigner
    let isSecure: Bool

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(
            at: Issuer.Path.keys.route, [.get: { _ in try .json(KeySet(keys: try await signer.publicKeys)) }])
        guard requestParser.isEnabled(.metadata) else { return }
        if requestParser.isEnabled(.serverMetadata) {
            router.addResource(at: Issuer.Path.metadata.route, [.get: show])
        }
        router.addResource(at: Issuer.Path.discovery.route, [.get: show])
    }

    @Sendable private func show(_ call: SandboxCall) async throws -> Response {
        try .json(IssuerMetadata(try Issuer(call, isSecure: isSecure), requestParser))
    }

    private struct KeySet: Encodable {
        let keys: [PublicKey]
    }
}
