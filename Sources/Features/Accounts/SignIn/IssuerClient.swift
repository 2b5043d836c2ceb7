import Config
import CutieAPI
import EventLog
package import HTTP
import Identity
import OAuth
import Platform
import Reasons

/// A client for the issuer of one account: its metadata and its OAuth endpoints.
final class IssuerClient {
    let account: Account
    let directory: IssuerDirectory
    let keys: IssuerKeys
    private let httpClient: HTTPClient
    private let runtime: RuntimeEnvironment

    init(
        of account: Account, directory: IssuerDirectory, httpClient: HTTPClient,
        runtime: RuntimeEnvironment
    ) {
        (self.account, self.directory) = (account, directory)
        (self.httpClient, self.runtime) = (httpClient, runtime)
        keys = IssuerKeys(of: account, httpClient: httpClient, runtime: runtime)
    }

    /// A response to a form.
    enum Reply {
        case body([UInt8], at: Timestamp)
        case refused(OAuthRefusal)
        /// No response arrived from an authorization server.
        case unanswered(Reason, floor: Duration?)
    }

    func fetchServer() async throws(APIFailure) -> AuthorizationServer {
        AuthorizationServer(
            try await directory.fetchMetadata(), clientID: account.configuration.signIn.clientID,
            secret: try readClientSecret())
    }

    func send(_ form: FormRequest) async throws(APIFailure) -> Reply {
        switch try await forms.send(form) {
        case .body(let body, let date): return .body(body, at: date)
        case .refused(let refusal): return .refused(refusal)
        case .moved(let reason):
            // The endpoint has moved, so the cached metadata is outdated.
            directory.invalidate()
            return .unanswered(reason, floor: nil)
        case .withoutErrorCode(let reason):
            return .unanswered(reason, floor: nil)
        case .unanswered(let reason, let floor): return .unanswered(reason, floor: floor)
        }
    }

    private var forms: FormClient {
        FormClient(
            to: .issuer, httpClient: httpClient, runtime: runtime, policy: tlsPolicy(for:))
    }

    /// Requests tokens. The caller interprets a refusal.
    func requestTokens(with form: FormRequest) async throws(APIFailure) -> TokenReply {
        switch try await send(form) {
        case .body(let body, let date):
            do { return .tokens(try TokenResponse(json: body), at: date) } catch {
                return .unusable(
                    Reason(.issuerResponseInvalid, reasons: ["message": error.reason]),
                    isPage: error.problem == .notJSON)
            }
        case .refused(let refusal): return .refused(refusal)
        case .unanswered(let reason, let floor): return .unanswered(reason, floor: floor)
        }
    }

    enum TokenReply {
        case tokens(TokenResponse, at: Timestamp)
        case refused(OAuthRefusal)
        /// A 2xx without tokens: the server may have consumed the single-use code. `isPage`: whether the body
        /// is not JSON and may come from a captive portal.
        case unusable(Reason, isPage: Bool)
        case unanswered(Reason, floor: Duration?)
    }

    /// Returns the validated ID token of a token response; `nil` if the response contains none. `date`: the
    /// current time according to the server. `verifiesSignature`: whether to verify the signature
    /// with the keys of the issuer.
    func verifyIDToken(
        in response: TokenResponse, at date: Timestamp, from server: AuthorizationServer, nonce: String?,
        verifiesSignature: Bool
    ) async throws -> IDToken? {
        guard let text = response.idToken?.rawValue else { return nil }
        let token = try IDToken(text)
        try token.checkClaims(
            issuer: server.metadata.issuer, clientID: server.clientID, nonce: nonce, now: date)
        try token.checkHash(of: response.accessToken, sha256Function: SignInCryptography.sha256)
        if verifiesSignature { try await keys.verify(token, keysAt: server.metadata.keysAddress) }
        return token
    }

    /// Returns the userinfo claims of the user; `nil` if the issuer does not provide them.
    func fetchUserInfo(
        at endpoint: EndpointURL, accessToken: Token<AccessToken>
    ) async throws(APIFailure) -> Claims? {
        let headers = HTTPHeaders([
            (HeaderName.accept, "application/json"),
            (HeaderName.authorization, "Bearer " + accessToken.rawValue),
        ])
        var request = HTTPRequest(endpoint.description, headers: headers)
        request.responseLimit = IDToken.sizeLimit
        do {
            let response = try await httpClient.send(request, policy: tlsPolicy(for: endpoint))
            guard response.status == 200 else { return nil }
            return try? Claims(userinfo: response.body)
        } catch {
            if error.code == .cancelled { throw .cancelled }
            return nil
        }
    }

    private func tlsPolicy(for endpoint: EndpointURL) -> TLSPolicy { account.tlsPolicy(for: endpoint.origin) }

    /// Returns the client secret; `nil` if none is configured. Reads the file for each request, because the
    /// user may change the file while the daemon runs. Throws `forbidden` if the file contains no usable
    /// secret.
    private func readClientSecret() throws(APIFailure) -> Token<ClientSecret>? {
        guard let path = account.configuration.signIn.clientSecretFile else { return nil }
        do {
            let bytes = try SmallFile.read(path, sizeLimit: Self.secretLimit)
            let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard text.count == 1, let secret = text.first else {
                throw APIFailure.forbidden(
                    Reason(.clientSecretMissing, ["path": path]))
            }
            return Token(String(secret))
        } catch let failure as APIFailure {
            throw failure
        } catch {
            throw .forbidden(Reason(.clientSecretUnreadable, ["message": "\(error)"]))
        }
    }

    private static let secretLimit = 4096
}

extension Account {
    /// Returns the TLS policy for requests to an endpoint that a server named, for example in the issuer's
    /// metadata. The certificate pins apply only to the API's host. Loopback is allowed only if the endpoint
    /// has the origin of the configured API or issuer, or if the API or the issuer is itself on a loopback
    /// address.
    package func tlsPolicy(for origin: String) -> TLSPolicy {
        var policy = tls
        if origin != address.origin { policy.pins = [] }
        let issuer = configuration.signIn.issuer.flatMap { try? APIAddress($0) }
        let configured = [address, issuer].compactMap(\.self)
        policy.allowedHosts =
            configured.contains { $0.origin == origin || $0.isLoopback } ? .all : .remoteOnly
        return policy
    }

    /// Returns the TLS policy for requests to a service. Loopback is allowed only if `origin` itself is a
    /// loopback address; a host name that resolves to this computer is rejected.
    package func tlsPolicy(forServiceAt origin: String) -> TLSPolicy {
        var policy = tlsPolicy(for: origin)
        policy.allowedHosts = (try? APIAddress(origin))?.isLoopback == true ? .all : .remoteOnly
        return policy
    }
}
