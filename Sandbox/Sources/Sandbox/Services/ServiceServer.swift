import CutieAPI
import HTTPTypes
import Hummingbird

/// A service that issues its own tokens, and accepts assertions from an issuer to identify users. All data is
/// stored in memory.
public struct ServiceServer: Sendable {
    let options: ServiceOptions
    private let archive: Archive

    /// Creates a service.
    ///
    /// - Throws: `SandboxError` if the issuer is not a valid address or a protocol name is invalid.
    public init(_ options: ServiceOptions) throws {
        var options = options
        while options.issuer.hasSuffix("/") { options.issuer.removeLast() }
        guard (try? APIAddress(options.issuer)) != nil else {
            throw SandboxError(
                .badURL, "\(options.issuer) is not an address; it should look like http://127.0.0.1:8787")
        }
        if let name = options.protocols.first(where: { !$0.isProtocol }) {
            throw SandboxError(
                .badURL, "\(name) is not a protocol name; it should look like org.example.notes")
        }
        self.options = options
        archive = try Archive(path: ":memory:", retainedEvents: 0)
    }

    /// Serves requests until `stop` returns. If `stop` is `nil`, serves until SIGTERM or SIGINT.
    ///
    /// - Parameter onListening: called with the URL when the server is ready for connections.
    /// - Throws: `SandboxError`.
    public func run(
        until stop: (@Sendable () async -> Void)? = nil,
        onListening: @escaping @Sendable (String) async -> Void
    ) async throws {
        let tokens = ServiceTokens(
            archive: archive, keys: IssuerKeys(issuer: options.issuer), scopes: options.scopes,
            lifetime: options.tokenLife)
        let routes = ServiceRoutes(options: options, archive: archive, tokens: tokens, startedAt: .now)
        let listener = Listener(host: options.host, port: options.port)
        try await listener.serve(routes.makeRouter(), until: stop, onListening: onListening)
    }
}

extension String {
    fileprivate var isProtocol: Bool {
        (1...128).contains(utf8.count) && self != ServiceDocument.oauth2
            && utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}

/// The routes of a service: its description, its token endpoint and one path per protocol.
struct ServiceRoutes: Sendable {
    let options: ServiceOptions
    let archive: Archive
    let tokens: ServiceTokens
    let startedAt: Timestamp

    func makeRouter() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: RefusalMiddleware())
        addDescriptionRoutes(to: router)
        router.addResource(
            at: "/description/rsd.json", [.get: { try makeDocument(for: $0).makeResponse(to: $0) }])
        router.addResource(at: "/oauth2/token", [.post: issueToken])
        router.addResource(at: "/oauth2/revoke", [.post: revoke])
        router.addResource(at: "/protocols/:protocol", [.get: authorizeProtocolRequest])
        return router
    }

    /// Adds the routes that publish the description in the location and format given by `options.form`.
    private func addDescriptionRoutes(to router: Router<BasicRequestContext>) {
        let json: @Sendable (SandboxCall) async throws -> Response = {
            try makeDescriptionResponse(to: $0, contentType: "application/json") { try $0.json }
        }
        let yaml: @Sendable (SandboxCall) async throws -> Response = {
            try makeDescriptionResponse(to: $0, contentType: "application/yaml") { try $0.yaml }
        }
        switch options.form {
        case .list: router.addResource(at: "/services.txt", [.get: showServiceList])
        case .listDocument: router.addResource(at: "/services.txt", [.get: json])
        case .page: router.addResource(at: "/", [.get: showPage])
        case .pageDocument: router.addResource(at: "/", [.get: json])
        case .json, .yaml: break
        }
        if [.list, .page, .json].contains(options.form) { router.addResource(at: "/rsd.json", [.get: json]) }
        if [.list, .page, .yaml].contains(options.form) { router.addResource(at: "/rsd.yaml", [.get: yaml]) }
    }

    @Sendable private func showServiceList(_ call: SandboxCall) async throws -> Response {
        let url = try Issuer(call, isSecure: false).url
        return makeStoredDocument(
            DiscoveryRoutes.makeServiceList(baseURL: url + "/"), contentType: "text/plain"
        )
        .makeResponse(to: call)
    }

    @Sendable private func showPage(_ call: SandboxCall) async throws -> Response {
        let page = """
            <!doctype html><html><head><title>A service</title>
            <link rel="ServiceAPI" type="application/x-rsd+json" href="/rsd.json">
            </head><body>This service is for development.</body></html>

            """
        return makeStoredDocument(Array(page.utf8), contentType: "text/html").makeResponse(to: call)
    }

    private func makeDocument(for call: SandboxCall) throws -> StoredDocument {
        let url = try Issuer(call, isSecure: false).url
        return makeStoredDocument(
            try ServiceDocument.makeServiceDocument(for: options, at: url).json,
            contentType: "application/json")
    }

    private func makeStoredDocument(_ bytes: [UInt8], contentType type: String) -> StoredDocument {
        StoredDocument(bytes: bytes, type: type, changedAt: startedAt)
    }

    private func makeDescriptionResponse(
        to call: SandboxCall, contentType type: String, encoding encode: (ServiceDocument) throws -> [UInt8]
    ) throws -> Response {
        let url = try Issuer(call, isSecure: false).url
        if options.faults.contains(.redirect) {
            return Self.makeRedirect(to: Self.urlAtOtherOrigin(of: url) + "/description/rsd.json")
        }
        if options.faults.contains(.movedDescription) {
            return Self.makeRedirect(to: url + "/description/rsd.json")
        }
        var bytes = try encode(.makeServiceDocument(for: options, at: url))
        if options.faults.contains(.brokenDescription) { bytes.removeLast(bytes.count / 2) }
        if options.faults.contains(.hugeDescription) {
            bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: 2 << 20)
        }
        if options.faults.contains(.xmlDescription) {
            bytes = Array("<?xml version=\"1.0\"?><rsd version=\"1.0\"><service/></rsd>\n".utf8)
        }
        return makeStoredDocument(bytes, contentType: type).makeResponse(to: call)
    }

    private static func makeRedirect(to location: String) -> Response {
        Response(status: .found, headers: [.location: location])
    }

    /// Returns the URL of this server at another origin: `localhost` instead of `127.0.0.1`, or the reverse.
    static func urlAtOtherOrigin(of url: String) -> String {
        url.contains("//localhost")
            ? url.replacing("//localhost", with: "//127.0.0.1")
            : url.replacing("//127.0.0.1", with: "//localhost")
    }

    @Sendable private func issueToken(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        switch try form.requireParameter("grant_type") {
        case GrantType.jwtBearer.rawValue:
            guard !options.faults.contains(.refuseAssertions) else {
                throw SignedAssertion.makeRefusal(reason: "is about a user who has no access")
            }
            let url = try Issuer(call, isSecure: false).url
            let place = ServiceAddresses(
                issuer: options.issuer, tokenEndpoint: url + "/oauth2/token", link: url + "/")
            return try await .json(tokens.redeemAssertion(of: call, form: form, addresses: place))
                .uncacheableResponse
        case GrantType.refreshToken.rawValue:
            guard let answer = try await tokens.exchangeRefreshToken(in: form) else {
                throw Refusal.oauthError("invalid_grant", "the refresh_token is unknown")
            }
            return try .json(answer).uncacheableResponse
        default:
            throw Refusal.oauthError(
                "unsupported_grant_type",
                "it must be \(GrantType.jwtBearer.rawValue) or \(GrantType.refreshToken.rawValue)")
        }
    }

    /// Revokes a token. Succeeds even if the token is unknown, as RFC 7009 requires.
    @Sendable private func revoke(_ call: SandboxCall) async throws -> Response {
        _ = try await tokens.revokeToken(in: try FormParameters(call))
        return Response(status: .ok).uncacheableResponse
    }

    private struct Use: Encodable {
        let person: String
        let app: String
        let `protocol`: String
        let scope: String
    }

    @Sendable private func authorizeProtocolRequest(_ call: SandboxCall) async throws -> Response {
        let name = try call.pathParameter("protocol")
        guard options.protocols.contains(name) else { throw Refusal(.notFound, "protocol not found") }
        let token = try call.parseAccessToken(realm: name)
        guard let (grant, _) = try await archive.read({ try $0.findServiceGrant(ofAccessToken: token) })
        else {
            throw Refusal.invalidToken("the access token is unknown, expired or revoked")
        }
        let scope = options.scope(ofProtocol: name)
        guard let app = grant.appID, grant.scopes.contains(scope) else {
            var refusal = Refusal.oauthError(
                "insufficient_scope", "the token is not valid for \(name)", .forbidden)
            refusal.challenge = "Bearer error=\"insufficient_scope\", scope=\"\(scope)\""
            throw refusal
        }
        return try .json(
            Use(person: grant.subject, app: app, protocol: name, scope: grant.scopeList)
        ).uncacheableResponse
    }
}
