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
            return try .json(
                ErrorBody(error: refusal.sentence, code: refusal.code),
                status: .init(code: refusal.kind.rawValue))
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
