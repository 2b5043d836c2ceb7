import CutieAPI
import HTTPTypes
import Hummingbird
import NIOCore

struct Routes: Sendable {
    let options: SandboxOptions
    let archive: Archive
    let signer: IdentitySigner

    func makeRouter() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: RefusalMiddleware())
        let requestParser = RequestParser(options)
        router.add(middleware: UnregisteredDeviceMiddleware(archive: archive, requestParser: requestParser))
        router.add(middleware: TokenUseMiddleware(archive: archive))
        if requestParser.isEnabled(.register) {
            DeviceRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        }
        if requestParser.isEnabled(.attestation) {
            AttestationRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        }
        ConversationRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        MessageRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        EventRoutes(archive: archive, requestParser: requestParser, options: options).addRoutes(to: router)
        LinkRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        PushRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        if requestParser.isEnabled(.subscription) {
            UsageRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        }
        FeedbackAppRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        DeviceSimulationRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        SandboxRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        TagRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        CannedResponseRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        AnalyticsRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        CredentialRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        AdminAccountRoutes(archive: archive, requestParser: requestParser).addRoutes(to: router)
        addSignInRoutes(to: router, requestParser: requestParser)
        if requestParser.isEnabled(.discovery) {
            DiscoveryRoutes(
                archive: archive, requestParser: requestParser, isSecure: options.tls != nil, startedAt: .now
            )
            .addRoutes(to: router)
        }
        return router
    }

    private func addSignInRoutes(to router: Router<BasicRequestContext>, requestParser: RequestParser) {
        let isSecure = options.tls != nil
        let browsers = BrowserSessions(archive: archive, isSecure: isSecure)
        MetadataRoutes(requestParser: requestParser, signer: signer, isSecure: isSecure).addRoutes(to: router)
        TokenRoutes(
            archive: archive, requestParser: requestParser, signer: signer, rules: options.tokenRules,
            algorithm: options.idTokenAlgorithm, isSecure: isSecure
        ).addRoutes(to: router)
        LoginPage(archive: archive, browsers: browsers).addRoutes(to: router)
        RegisterPage(archive: archive, browsers: browsers, deliver: options.deliver).addRoutes(to: router)
        ForgotPage(archive: archive, browsers: browsers, deliver: options.deliver).addRoutes(to: router)
        if requestParser.isEnabled(.browserFlow) {
            AuthorizeRoutes(archive: archive, browsers: browsers, isSecure: isSecure).addRoutes(to: router)
        }
        if requestParser.isEnabled(.deviceFlow) {
            let rules = DeviceFlowTiming(
                lifetime: options.deviceCodeLifetime, interval: options.deviceCodeInterval)
            DeviceAuthorizationRoutes(archive: archive, rules: rules, isSecure: isSecure).addRoutes(
                to: router)
            DevicePage(archive: archive, browsers: browsers).addRoutes(to: router)
        }
    }
}

extension SandboxOptions {
    fileprivate var tokenRules: TokenRules {
        TokenRules(
            accessTokenLifetime: accessTokenLifetime,
            hasRefreshGrace: !disabledFeatures.contains(.refreshGrace))
    }
}

typealias Handler = @Sendable (SandboxCall) async throws -> Response

extension Router<BasicRequestContext> {
    /// Adds the handlers of a path. Requests with any other method fail with 405.
    func addResource(
        at path: RouterPath, bodyLimit: Int = 1 << 20, _ handlers: [HTTPRequest.Method: Handler]
    ) {
        for (method, handler) in handlers {
            on(path, method: method) { request, context in
                var request = request
                let body = try await request.readBody(upTo: bodyLimit)
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
