public import CutieAPI

/// What an authorization server says about itself: RFC 8414, and OpenID Connect Discovery, whose names are the same.
public struct IssuerMetadata: Hashable, Sendable, Codable {
    /// Bytes; real ones are a few thousand.
    public static let sizeLimit = 256 << 10
    /// Of a list.
    private static let longestList = 256

    public let issuer: String
    public let tokenEndpoint: EndpointURL
    public internal(set) var authorizationEndpoint: EndpointURL?
    public internal(set) var deviceAuthorizationEndpoint: EndpointURL?
    public internal(set) var revocationEndpoint: EndpointURL?
    public internal(set) var userinfoEndpoint: EndpointURL?
    /// The public keys of ID tokens.
    public internal(set) var keysAddress: EndpointURL?
    /// nil: it does not say.
    public internal(set) var scopesSupported: [String]?
    public internal(set) var grantTypesSupported: [String]?
    public internal(set) var tokenAuthenticationMethods: [String]?
    public internal(set) var codeChallengeMethods: [String]?
    public internal(set) var promptValues: [String]?
    /// Every redirect says who sends it: RFC 9207.
    public internal(set) var namesItselfInRedirects = false
    /// Pages about the person's account; **extension**.
    public internal(set) var accountPages: AccountPages?

    public struct AccountPages: Hashable, Sendable, Codable {
        public var register: EndpointURL?
        public var forgot: EndpointURL?

        public init(register: EndpointURL? = nil, forgot: EndpointURL? = nil) {
            (self.register, self.forgot) = (register, forgot)
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            register = container.lenient(.register, as: EndpointURL.self)
            forgot = container.lenient(.forgot, as: EndpointURL.self)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case issuer
        case tokenEndpoint = "token_endpoint"
        case authorizationEndpoint = "authorization_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case userinfoEndpoint = "userinfo_endpoint"
        case keysAddress = "jwks_uri"
        case scopesSupported = "scopes_supported"
        case grantTypesSupported = "grant_types_supported"
        case tokenAuthenticationMethods = "token_endpoint_auth_methods_supported"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case promptValues = "prompt_values_supported"
        case namesItselfInRedirects = "authorization_response_iss_parameter_supported"
        case accountPages = "account_urls"
    }

    init(issuer: String, tokenEndpoint: EndpointURL) {
        (self.issuer, self.tokenEndpoint) = (issuer, tokenEndpoint)
    }

    /// An endpoint to which no secret may go is as one that is missing; without the token endpoint nothing works.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try container.decode(String.self, forKey: .issuer)
        tokenEndpoint = try container.decode(EndpointURL.self, forKey: .tokenEndpoint)
        authorizationEndpoint = container.lenient(.authorizationEndpoint, as: EndpointURL.self)
        deviceAuthorizationEndpoint = container.lenient(.deviceAuthorizationEndpoint, as: EndpointURL.self)
        revocationEndpoint = container.lenient(.revocationEndpoint, as: EndpointURL.self)
        userinfoEndpoint = container.lenient(.userinfoEndpoint, as: EndpointURL.self)
        keysAddress = container.lenient(.keysAddress, as: EndpointURL.self)
        scopesSupported = Self.list(.scopesSupported, in: container)
        grantTypesSupported = Self.list(.grantTypesSupported, in: container)
        tokenAuthenticationMethods = Self.list(.tokenAuthenticationMethods, in: container)
        codeChallengeMethods = Self.list(.codeChallengeMethods, in: container)
        promptValues = Self.list(.promptValues, in: container)
        namesItselfInRedirects =
            container.lenient(.namesItselfInRedirects, as: Bool.self)
            ?? (container.lenient(.namesItselfInRedirects, as: String.self) == "true")
        accountPages = container.lenient(.accountPages, as: AccountPages.self)
    }

    private static func list(
        _ key: CodingKeys, in container: KeyedDecodingContainer<CodingKeys>
    ) -> [String]? {
        container.lenientList(key, of: String.self).map { Array($0.prefix(longestList)) }
    }
}

extension IssuerMetadata {
    /// Metadata that may not be used. What is kept of an earlier one stays.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case tooLarge
        /// A page, or something else that is not metadata.
        case unreadable(UnreadableJSON)
        /// The document names `written` as the issuer, and `configured` was asked.
        case otherIssuer(written: String, configured: String)

        public var description: String {
            switch self {
            case .tooLarge: "the issuer's metadata is larger than \(IssuerMetadata.sizeLimit >> 10) KiB"
            case .unreadable(let reason): "what the issuer answers is no metadata: \(reason)"
            case .otherIssuer(let written, let configured):
                "the server at \(configured) calls itself \(written); set `issuer` to exactly that if you trust it"
            }
        }
    }

    /// Reads what was found at one of `issuer.metadataAddresses`.
    public init(json: [UInt8], of issuer: Issuer) throws(Problem) {
        guard json.count <= Self.sizeLimit else { throw .tooLarge }
        do { self = try JSON.decode(from: json) } catch { throw .unreadable(error) }
        guard issuer.isNamed(inMetadata: self.issuer) else {
            throw .otherIssuer(written: Self.shown(self.issuer), configured: issuer.description)
        }
    }

    /// Returns `issuer` cut to a line that is safe to show.
    private static func shown(_ issuer: String) -> String {
        APIError(status: 200, text: issuer).text ?? "nothing"
    }

    /// Whether the issuer, as a redirect or a kept session names it, is the one of this metadata. `tenant`: as the ID
    /// token says it.
    public func isNamed(by name: String, tenant: String? = nil) -> Bool {
        IssuerName(issuer).matches(name, tenant: tenant)
    }

    /// Whether something is missing that OpenID Connect's document of the same issuer may have.
    public var isPartial: Bool { userinfoEndpoint == nil || keysAddress == nil }

    /// Returns the metadata with what only `other`, a document of the same issuer, has of OpenID Connect.
    public func adding(_ other: IssuerMetadata) -> IssuerMetadata {
        var sum = self
        sum.userinfoEndpoint = userinfoEndpoint ?? other.userinfoEndpoint
        sum.keysAddress = keysAddress ?? other.keysAddress
        sum.namesItselfInRedirects = namesItselfInRedirects || other.namesItselfInRedirects
        return sum
    }

    /// What Cuti-E's service offers where it says nothing: client credentials and refreshing, at the API itself.
    public static func cutiE(at api: APIAddress) -> IssuerMetadata? {
        guard let endpoint = try? EndpointURL(api.description + "/v1/auth/oauth/token") else { return nil }
        var metadata = IssuerMetadata(issuer: api.origin, tokenEndpoint: endpoint)
        metadata.grantTypesSupported = [Grant.clientCredentials, Grant.refreshToken]
        metadata.tokenAuthenticationMethods = ["client_secret_post"]
        return metadata
    }

    /// The values of `grant_type`.
    enum Grant {
        static let authorizationCode = "authorization_code"
        static let clientCredentials = "client_credentials"
        static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
        static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        static let refreshToken = "refresh_token"
        static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    }

    /// How somebody can sign in there. `hasSecret`: the client has one.
    public func methods(hasSecret: Bool) -> [SignInMethod] {
        SignInMethod.allCases.filter { method in
            switch method {
            case .device: deviceAuthorizationEndpoint != nil
            case .browser: authorizationEndpoint != nil && provesCodes && lists(Grant.authorizationCode)
            // Servers that know it do not always list it.
            case .client: hasSecret
            }
        }
    }

    /// Without a proof a code that somebody else sees is theirs, too.
    private var provesCodes: Bool { codeChallengeMethods?.contains(ProofKey.method) ?? true }

    private func lists(_ grant: String) -> Bool { grantTypesSupported?.contains(grant) ?? true }

    /// Basic where the server does not say, as RFC 8414 has it.
    func client(_ id: String, secret: Token<ClientSecret>?) -> AuthenticatedClient {
        guard let secret else { return AuthenticatedClient(id: id, method: .none) }
        let methods = tokenAuthenticationMethods ?? ["client_secret_basic"]
        let isForm = !methods.contains("client_secret_basic") && methods.contains("client_secret_post")
        return AuthenticatedClient(id: id, method: isForm ? .form(secret) : .basic(secret))
    }
}

/// How somebody signs in, the one to prefer first.
public enum SignInMethod: String, Hashable, Sendable, CaseIterable {
    /// On any device that has a browser, by a code: RFC 8628.
    case device
    /// In this desktop's browser, which comes back to us: RFC 6749 §4.1.
    case browser
    /// By the client's own secret, without a person: RFC 6749 §4.4.
    case client
}
