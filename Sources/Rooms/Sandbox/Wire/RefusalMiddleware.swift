import CutieAPI
import HTTPTypes
import Hummingbird
import Logging

/// Turns whatever a handler throws into `{"error": "..."}`.
struct RefusalMiddleware: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as Refusal {
            return try Response(refusal)
        } catch let error as HTTPError where error.status == .notFound {
            return try .json(ErrorBody(error: "no such path"), status: .notFound)
        } catch let error as any HTTPResponseError {
            return try .json(ErrorBody(error: error.status.reasonPhrase), status: error.status)
        } catch {
            context.logger.error("cannot answer", metadata: ["error": "\(error)"])
            return try .json(ErrorBody(error: "internal error"), status: .internalServerError)
        }
    }
}

private struct RefusalBody: Encodable {
    let error: String
    let code: ErrorCode?
    let explanation: String?

    enum CodingKeys: String, CodingKey {
        case error, code
        case explanation = "error_description"
    }
}

extension Response {
    fileprivate init(_ refusal: Refusal) throws {
        self = try .json(
            RefusalBody(error: refusal.sentence, code: refusal.code, explanation: refusal.explanation),
            status: .init(code: refusal.kind.rawValue))
        if let challenge = refusal.challenge { headers[.wwwAuthenticate] = challenge }
        // A token endpoint's answers are never to be kept, its refusals neither.
        if refusal.explanation != nil { headers[.cacheControl] = "no-store" }
    }
}
