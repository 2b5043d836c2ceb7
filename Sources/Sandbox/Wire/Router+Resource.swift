import CutieAPI
import HTTPTypes
import Hummingbird

typealias Handler = @Sendable (Call) async throws -> Response

extension Router<BasicRequestContext> {
    /// Serves one path; the methods that are not named are answered with 405.
    func resource(
        _ path: RouterPath, limit: Int = 1 << 20, _ handlers: [HTTPRequest.Method: Handler]
    ) {
        for (method, handler) in handlers {
            on(path, method: method) { request, context in
                let body = try await request.bytes(upTo: limit)
                return try await handler(
                    Call(request: request, parameters: context.parameters, body: body))
            }
        }
        let allowed = handlers.keys.map(\.rawValue).sorted().joined(separator: ", ")
        for method in HTTPRequest.Method.served where handlers[method] == nil {
            on(path, method: method) { _, _ in
                var refusal = try Response.json(
                    ErrorBody(error: "method not allowed; this path knows \(allowed)"),
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
    /// The body. Throws 413 where it is longer than `limit`; what was announced as longer is not read.
    fileprivate func bytes(upTo limit: Int) async throws -> [UInt8] {
        let tooLong = Refusal(.contentTooLarge, "the body is longer than \(limit) bytes")
        if let announced = headers[.contentLength].flatMap({ Int($0) }), announced > limit { throw tooLong }
        var bytes: [UInt8] = []
        for try await chunk in body {
            guard bytes.count + chunk.readableBytes <= limit else { throw tooLong }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }
}
