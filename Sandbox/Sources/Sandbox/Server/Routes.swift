import CutieAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// The table of all routes.
struct Routes: Sendable {
    let options: SandboxOptions
    let archive: Archive
    let signer: IdentitySigner

    func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: RefusalMiddleware())
        let requestParser = RequestParser(options)
        router.add(middleware: UnregisteredDeviceMiddleware(archive: archive, requestParser: requestParser))
        router.add(middleware: TokenUseMiddleware(archive: archive))
        if requestParser.has(.register) {
            DeviceRoutes(archive: archive, requestParser: requestParser).add(to: router)
        }
        if requestParser.has(.attestation) {
            AttestationRoutes(archive: archive, requestParser: requestParser).add(to: router)
        }
        ConversationRoutes(archive: archive, requestParser: requestParser).add(to: router)
        MessageRoutes(archive: archive, requestParser: requestParser).add(to: router)
        EventRoutes(archive: archive, requestParser: requestParser, options: options).add(to: router)
        LinkRoutes(archive: archive, requestParser: requestParser).add(to: router)
        PushRoutes(archive: archive, requestParser: requestParser).add(to: router)
        if requestParser.has(.subscription) {
            UsageRoutes(archive: archive, requestParser: requestParser).add(to: router)
        }
        FeedbackAppRoutes(archive: archive, requestParser: requestParser).add(to: router)
        DeviceSimulationRoutes(archive: archive, requestParser: requestParser).add(to: router)
        SandboxRoutes(archive: archive, requestParser: requestParser).add(to: router)
        TagRoutes(archive: archive, requestParser: requestParser).add(to: router)
        CannedResponseRoutes(archive: archive, requestParser: requestParser).add(to: router)
        AnalyticsRoutes(archive: archive, requestParser: requestParser).add(to: router)
        CredentialRoutes(archive: archive, requestParser: requestParser).add(to: router)
        AdminAccountRoutes(archive: archive, requestParser: requestParser).add(to: router)
        addSignIn(to: router, requestParser)
        if requestParser.has(.discovery) {
            DiscoveryRoutes(
                archive: archive, requestParser: requestParser, isSecure: options.tls != nil, startedAt: .now
            )
            .add(to: router)
        }
        return router
    }

    private func addSignIn(to router: Router<BasicRequestContext>, _ requestParser: RequestParser) {
        let isSecure = options.tls != nil
        let browsers = BrowserSessions(archive: archive, isSecure: isSecure)
        MetadataRoutes(requestParser: requestParser, signer: signer, isSecure: isSecure).add(to: router)
        TokenRoutes(
            archive: archive, requestParser: requestParser, signer: signer, rules: options.tokenRules,
            algorithm: options.idTokenAlgorithm, isSecure: isSecure
        ).add(to: router)
        LoginPage(archive: archive, browsers: browsers).add(to: router)
        RegisterPage(archive: archive, browsers: browsers, deliver: options.deliver).add(to: router)
        ForgotPage(archive: archive, browsers: browsers, deliver: options.deliver).add(to: router)
        if requestParser.has(.browserFlow) {
            AuthorizeRoutes(archive: archive, browsers: browsers, isSecure: isSecure).add(to: router)
        }
        if requestParser.has(.deviceFlow) {
            let rules = DeviceRules(life: options.deviceCodeLifetime, interval: options.deviceCodeInterval)
            DeviceAuthorizationRoutes(archive: archive, rules: rules, isSecure: isSecure).add(to: router)
            DevicePage(archive: archive, browsers: browsers).add(to: router)
        }
    }
}

extension SandboxOptions {
    fileprivate var tokenRules: TokenRules {
        TokenRules(accessLife: accessTokenLifetime, hasRefreshGrace: !without.contains(.refreshGrace))
    }
}

typealias Handler = @Sendable (SandboxCall) async throws -> Response

extension Router<BasicRequestContext> {
    /// Adds the handlers of a path. Any other method fails with 405.
    func resource(
        _ path: RouterPath, limit: Int = 1 << 20, _ handlers: [HTTPRequest.Method: Handler]
    ) {
        for (method, handler) in handlers {
            on(path, method: method) { request, context in
                var request = request
                let body = try await request.readBody(upTo: limit)
                return try await handler(
                    SandboxCall(request: request, parameters: context.parameters, body: body))
            }
        }
        let allowed = handlers.keys.map(\.rawValue).sorted().joined(separator: ", ")
        for method in HTTPRequest.Method.served where handlers[method] == nil {
            on(path, method: method) { _, _ in
                var refusal = try Response.json(
                    ErrorBody(error: "method not allowed; this path supports \(allowed)"),
                    status: .methodNotAllowed)
                refusal.headers[.allow] = allowed
                return refusal
            }
        }
    }
}

extension HTTPRequest.Method {
    fileprivate static let served: [Self] = [.get, .head, .post, .put, .patch, .delete, .options]
}

extension Request {
    /// Reads the body. Fails without reading if the `Content-Length` is greater than `limit`.
    ///
    /// Keeps the body in the request, because Hummingbird otherwise traps when the client of an open stream
    /// disconnects.
    ///
    /// - Throws: `Refusal` (413) if the body is longer than `limit`.
    fileprivate mutating func readBody(upTo limit: Int) async throws -> [UInt8] {
        let tooLong = Refusal(.contentTooLarge, "the body is longer than \(limit) bytes")
        if let announced = headers[.contentLength].flatMap({ Int($0) }), announced > limit { throw tooLong }
        do {
            return Array(try await collectBody(upTo: limit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw tooLong
        } catch {
            throw Refusal(.badRequest, "the body did not arrive")
        }
    }
}
