public import CutieAPI
public import Reasons

/// The metadata of an authorization server, according to RFC 8414 or OpenID Connect Discovery, which use the
/// same keys.
public struct IssuerMetadata: Hashable, Sendable, Codable {
    /// The maximum size of the metadata in bytes. Typical metadata has a few thousand bytes.
    public static let sizeLimit = 256 << 10
    /// The maximum number of elements that are read from a list.
    private static let maxListCount = 256

    public let issuer: String
    public let tokenEndpoint: EndpointURL
    public internal(set) var authorizationEndpoint: EndpointURL?
    public internal(set) var deviceAuthorizationEndpoint: EndpointURL?
    public internal(set) var revocationEndpoint: EndpointURL?
    public internal(set) var userinfoEndpoint: EndpointURL?
    /// The URL of the public keys for ID tokens; `nil` if missing.
    public internal(set) var keysAddress: EndpointURL?
    /// The supported scopes. This list and each of the following lists is `nil` if the metadata does not
    /// contain it.
    public internal(set) var scopesSupported: [String]?
    public internal(set) var grantTypesSupported: [String]?
    public internal(set) var tokenAuthenticationMethods: [String]?
    public internal(set) var codeChallengeMethods: [String]?
    public internal(set) var promptValues: [String]?
    /// Whether the server adds the issuer to every redirect (RFC 9207).
    public internal(set) var includesIssuerInRedirects = false
    /// Web pages for the user's account (an extension of RFC 8414); `nil` if there are none.
    public internal(set) var accountPages: AccountPages?

    /// The web pages that create an account and reset its password.
    public struct AccountPages: Hashable, Sendable, Codable {
        public var register: EndpointURL?
        public var forgot: EndpointURL?

        public init(register: EndpointURL? = nil, forgot: EndpointURL? = nil) {
            (self.register, self.forgot) = (register, forgot)
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            register = container.decodeIfReadable(.register, as: EndpointURL.self)
            forgot = container.decodeIfReadable(.forgot, as: EndpointURL.self)
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
        case includesIssuerInRedirects = "authorization_response_iss_parameter_supported"
        case accountPages = "account_urls"
    }

    init(issuer: String, tokenEndpoint: EndpointURL) {
        (self.issuer, self.tokenEndpoint) = (issuer, tokenEndpoint)
    }

    /// Decodes the metadata. An endpoint with an insecure URL is treated as missing. Throws if the token
    /// endpoint is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try container.decode(String.self, forKey: .issuer)
        tokenEndpoint = try container.decode(EndpointURL.self, forKey: .tokenEndpoint)
        authorizationEndpoint = container.decodeIfReadable(.authorizationEndpoint, as: EndpointURL.self)
        deviceAuthorizationEndpoint = container.decodeIfReadable(
            .deviceAuthorizationEndpoint, as: EndpointURL.self)
        revocationEndpoint = container.decodeIfReadable(.revocationEndpoint, as: EndpointURL.self)
        userinfoEndpoint = container.decodeIfReadable(.userinfoEndpoint, as: EndpointURL.self)
        keysAddress = container.decodeIfReadable(.keysAddress, as: EndpointURL.self)
        scopesSupported = Self.decodeList(forKey: .scopesSupported, from: container)
        grantTypesSupported = Self.decodeList(forKey: .grantTypesSupported, from: container)
        tokenAuthenticationMethods = Self.decodeList(forKey: .tokenAuthenticationMethods, from: container)
        codeChallengeMethods = Self.decodeList(forKey: .codeChallengeMethods, from: container)
        promptValues = Self.decodeList(forKey: .promptValues, from: container)
        includesIssuerInRedirects =
            container.decodeIfReadable(.includesIssuerInRedirects, as: Bool.self)
            ?? (container.decodeIfReadable(.includesIssuerInRedirects, as: String.self) == "true")
        accountPages = container.decodeIfReadable(.accountPages, as: AccountPages.self)
    }

    private static func decodeList(
        forKey key: CodingKeys, from container: KeyedDecodingContainer<CodingKeys>
    ) -> [String]? {
        container.decodeListIfReadable(key, of: String.self).map { Array($0.prefix(maxListCount)) }
    }
}

extension IssuerMetadata {
    /// The reason why new metadata is rejected. The stored metadata remains in use.
    public enum Problem: ReasonedError, Hashable, Sendable {
        case tooLarge
        /// The document is not metadata, for example an HTML page.
        case unreadable(UnreadableJSON)
        /// The document names the issuer `written`, but was requested for the issuer `configured`.
        case otherIssuer(written: String, configured: String)

        public var reason: Reason {
            switch self {
            case .tooLarge: Reason(.metadataTooLarge, ["limit": String(IssuerMetadata.sizeLimit >> 10)])
            case .unreadable(let problem): Reason(.metadataInvalid, ["detail": ": \(problem)"])
            case .otherIssuer(let written, let configured):
                Reason(.metadataOfOtherIssuer, ["address": configured, "name": written])
            }
        }
    }

    /// Parses a document that was fetched from one of `issuer.metadataAddresses`.
    public init(json: [UInt8], of issuer: Issuer) throws(Problem) {
        guard json.count <= Self.sizeLimit else { throw .tooLarge }
        do { self = try JSON.decode(from: json) } catch { throw .unreadable(error) }
        guard issuer.matchesMetadataIssuer(self.issuer) else {
            throw .otherIssuer(written: Self.displayText(of: self.issuer), configured: issuer.description)
        }
    }

    /// Returns `issuer` as a single line that is safe to display, truncated if necessary.
    private static func displayText(of issuer: String) -> String {
        APIError(status: 200, text: issuer).text ?? "nothing"
    }

    /// Returns whether `name`, from a redirect or a stored session, is the issuer of this metadata. `tenant`:
    /// the tenant from the ID token; `nil` if any tenant is valid.
    public func matchesIssuer(_ name: String, tenant: String? = nil) -> Bool {
        IssuerIdentifierPattern(issuer).matches(name, tenant: tenant)
    }

    /// Whether the metadata lacks endpoints that the issuer's OpenID Connect document may contain.
    public var isPartial: Bool { userinfoEndpoint == nil || keysAddress == nil }

    /// Returns the metadata with the missing OpenID Connect fields taken from `other`. `other` must have the
    /// same issuer.
    public func addingMissingOpenIDFields(from other: IssuerMetadata) -> IssuerMetadata {
        var sum = self
        sum.userinfoEndpoint = userinfoEndpoint ?? other.userinfoEndpoint
        sum.keysAddress = keysAddress ?? other.keysAddress
        sum.includesIssuerInRedirects = includesIssuerInRedirects || other.includesIssuerInRedirects
        return sum
    }

    /// Returns the default metadata for a Cuti-E server that publishes no metadata: client credentials and
    /// refresh tokens, with endpoints at the API. Returns `nil` if the endpoint would not be a valid URL.
    public static func makeDefault(forCutiEServerAt api: APIAddress) -> IssuerMetadata? {
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

    /// Returns the available sign-in methods. `hasClientSecret`: whether the client has a secret.
    public func signInMethods(hasClientSecret: Bool) -> [SignInMethod] {
        SignInMethod.allCases.filter { method in
            switch method {
            case .device: deviceAuthorizationEndpoint != nil
            case .browser:
                authorizationEndpoint != nil && supportsPKCE && supportsGrantType(Grant.authorizationCode)
            // Do not require that the server lists the grant type, because some servers support client
            // credentials but do not list the grant type.
            case .client: hasClientSecret
            }
        }
    }

    /// Whether the server supports PKCE; `true` if the metadata lists no methods. Without PKCE, an attacker
    /// who intercepts the authorization code could redeem it.
    private var supportsPKCE: Bool { codeChallengeMethods?.contains(ProofKey.method) ?? true }

    private func supportsGrantType(_ grant: String) -> Bool { grantTypesSupported?.contains(grant) ?? true }

    /// Returns the client with an authentication method that the server supports: Basic if the server lists
    /// no methods (RFC 8414 §2).
    func makeClient(id: String, secret: Token<ClientSecret>?) -> AuthenticatedClient {
        guard let secret else { return AuthenticatedClient(id: id, method: .none) }
        let methods = tokenAuthenticationMethods ?? ["client_secret_basic"]
        let isForm = !methods.contains("client_secret_basic") && methods.contains("client_secret_post")
        return AuthenticatedClient(id: id, method: isForm ? .form(secret) : .basic(secret))
    }
}

/// The sign-in methods, in order of preference.
public enum SignInMethod: String, Hashable, Sendable, CaseIterable {
    /// The user signs in with a code, on any device with a browser (RFC 8628).
    case device
    /// The user signs in with the browser of this desktop, which then redirects to the daemon (RFC 6749
    /// §4.1).
    case browser
    /// The daemon signs in with the client secret, without a user (RFC 6749 §4.4).
    case client
}
