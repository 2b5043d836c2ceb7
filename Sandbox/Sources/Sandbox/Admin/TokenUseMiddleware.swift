import CutieAPI
import HTTPTypes
import Hummingbird

/// A middleware that invalidates the previous refresh token when the client first uses the new access token.
/// This first use shows that the client received the token response.
struct TokenUseMiddleware: RouterMiddleware {
    let archive: Archive

    @concurrent func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let words = (request.headers[.authorization] ?? "").split(separator: " ")
        if words.count == 2, words[0].lowercased() == "bearer" {
            let token = String(words[1])
            if try await archive.read({ try $0.isReceiptUnconfirmed(ofAccessToken: token) }) {
                try await archive.change { try $0.confirmReceipt(ofAccessToken: token) }
            }
        }
        return try await next(request, context)
    }
}
