import CutieAPI
import HTTPTypes
import Hummingbird
import Logging

/// An error response: a status, a message and an optional code.
struct Refusal: Error {
    /// The HTTP status of the response.
    enum Kind: Int {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case notAcceptable = 406
        case conflict = 409
        case contentTooLarge = 413
        case unprocessable = 422
        case internalError = 500
        case unavailable = 503
    }

    let kind: Kind
    let sentence: String
    let code: ErrorCode?
    /// The `error_description` of RFC 6749, a message for users; `nil` if the error is not an OAuth error. If
    /// the explanation is set, `sentence` contains the OAuth error code.
    var explanation: String?
    /// The value of the `WWW-Authenticate` header; `nil` to omit the header.
    var challenge: String?

    init(_ kind: Kind, _ sentence: String, code: ErrorCode? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.code = code
    }
}

/// A middleware that converts errors of the routes to error responses.
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
            return try .json(ErrorBody(error: "path not found"), status: .notFound)
        } catch let error as any HTTPResponseError {
            return try .json(ErrorBody(error: error.status.reasonPhrase), status: error.status)
        } catch {
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
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
        // RFC 6749 forbids caching of token responses, including errors.
        if refusal.explanation != nil { headers[.cacheControl] = "no-store" }
    }
}

/// The reason why a sandbox cannot start or an admin command failed. The description is a message for users.
public struct SandboxError: Error, CustomStringConvertible, Sendable {
    public enum Code: Sendable {
        case addressInUse
        case cannotListen
        case badDatabase
        case badCertificate
        case badFile
        case badURL
        case unreachable
        case noCredentials
        case notAuthorized
        case notFound
        case refused
    }

    public let code: Code
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
