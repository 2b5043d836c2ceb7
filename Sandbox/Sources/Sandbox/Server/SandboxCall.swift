import AttestationFormat
import CutieAPI
import Foundation
import HTTPTypes
import Hummingbird

/// A request whose body has been read completely.
struct SandboxCall: Sendable {
    let request: Request
    let parameters: Parameters
    let body: [UInt8]

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    /// The API key of a legacy account.
    var apiKey: String? { header(HeaderName.apiKey).flatMap { $0.isEmpty ? nil : $0 } }

    /// The percent-encoded query of the request URL; empty if the request has no query.
    var queryText: String { request.uri.query ?? "" }

    func queryParameter(_ name: String) -> String? {
        request.uri.queryParameters[name[...]].map(String.init)
    }

    /// Returns an integer from the query.
    ///
    /// - Throws: `Refusal` if the value is not an integer (400) or not in `range` (422).
    func queryNumber(_ name: String, default defaultValue: Int, in range: ClosedRange<Int>) throws(Refusal)
        -> Int
    {
        guard let text = queryParameter(name) else { return defaultValue }
        guard let number = Int(text) else { throw Refusal(.badRequest, "\(name) must be a whole number") }
        guard range.contains(number) else {
            let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw Refusal(.unprocessable, "\(name) must be from \(range.lowerBound)\(end)")
        }
        return number
    }

    /// Returns the percent-decoded value of a path parameter.
    func pathParameter(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
    }

    func conversationID() throws -> Conversation.ID { Conversation.ID(try pathParameter("conversation")) }

    /// Decodes the JSON body. Treats an empty body as `{}`.
    ///
    /// - Throws: `Refusal` if the body is not JSON (400) or does not match the type (422).
    func decodeBody<Value: Decodable>(as type: Value.Type = Value.self) throws(Refusal) -> Value {
        do throws(UnreadableJSON) {
            return try JSON.decode(type, from: body.isEmpty ? Array("{}".utf8) : body)
        } catch {
            if error.problem == .notJSON { throw Refusal(.badRequest, "the body is not valid JSON") }
            if error.path.isEmpty { throw Refusal(.unprocessable, "the body must be a JSON object") }
            throw Refusal(.unprocessable, "\(error)")
        }
    }

    /// Returns the bearer token from the `Authorization` header.
    ///
    /// - Throws: `Refusal` (401) if the header contains no bearer token.
    func parseAccessToken(realm: String) throws(Refusal) -> String {
        guard let line = header(HeaderName.authorization) else {
            var refusal = Refusal(.unauthorized, "missing access token")
            refusal.challenge = "Bearer realm=\"\(realm)\""
            throw refusal
        }
        let words = line.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            var refusal = Refusal(.unauthorized, "Authorization must be Bearer and an access token")
            refusal.challenge = "Bearer realm=\"\(realm)\", error=\"invalid_request\""
            throw refusal
        }
        return String(words[1])
    }

    /// Returns the part of this request that the assertion of `device` must sign.
    func assertionSubject(for device: DeviceID) -> AssertionSubject {
        .request(
            method: request.method.rawValue, target: request.uri.description, body: body, device: device)
    }

    /// The method, path and body of the request. If two requests have the same idempotency key but different
    /// fingerprints, the second request fails.
    var fingerprint: [UInt8] {
        Array("\(request.method) \(request.uri.path)\n".utf8) + body
    }
}

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        .json(bytes: try JSON.encode(value), status: status)
    }

    static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Converts a stored response to an HTTP response. Adds the header `Idempotency-Replayed` to a replay.
    static func makeResponse(from answer: StoredResponse) -> Response {
        var response = json(bytes: answer.body, status: HTTPResponse.Status(code: answer.status))
        if answer.isReplay, let name = HTTPField.Name("Idempotency-Replayed") {
            response.headers[name] = "true"
        }
        return response
    }
}

/// A JSON body that only reports success. The API leaves the content of such a body unspecified.
struct Success: Codable {
    var success = true
    var message: String?
}
