import AttestationFormat
import CutieAPI
import Foundation
import HTTPTypes
import Hummingbird

/// A request whose body has been read.
struct Call: Sendable {
    let request: Request
    let parameters: Parameters
    let body: [UInt8]

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    /// Of a legacy account.
    var apiKey: String? { header(HeaderName.apiKey).flatMap { $0.isEmpty ? nil : $0 } }

    /// As it stands in the address.
    var queryText: String { request.uri.query ?? "" }

    func query(_ name: String) -> String? {
        request.uri.queryParameters[name[...]].map(String.init)
    }

    /// A whole number of the query within `range`.
    func number(_ name: String, default absent: Int, in range: ClosedRange<Int>) throws(Refusal) -> Int {
        guard let text = query(name) else { return absent }
        guard let number = Int(text) else { throw Refusal(.badRequest, "\(name) must be a whole number") }
        guard range.contains(number) else {
            let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw Refusal(.unprocessable, "\(name) must be from \(range.lowerBound)\(end)")
        }
        return number
    }

    /// A segment of the path that the route leaves open.
    func parameter(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
    }

    func conversationID() throws -> Conversation.ID { Conversation.ID(try parameter("conversation")) }

    /// No body at all is `{}`. Throws 400 where it cannot be read, 422 where it can and does not fit.
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(Refusal) -> Value {
        do throws(UnreadableJSON) {
            return try JSON.decode(type, from: body.isEmpty ? Array("{}".utf8) : body)
        } catch {
            if error.problem == .notJSON { throw Refusal(.badRequest, "the body is not valid JSON") }
            if error.path.isEmpty { throw Refusal(.unprocessable, "the body must be a JSON object") }
            throw Refusal(.unprocessable, "\(error)")
        }
    }

    /// Of `Authorization`. Throws 401 where there is none.
    func accessToken(realm: String) throws(Refusal) -> String {
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

    /// What `device` has to sign of this request.
    func subject(for device: DeviceID) -> AssertionSubject {
        .request(
            method: request.method.rawValue, target: request.uri.description, body: body, device: device)
    }

    /// What makes a repeat with the same idempotency key the same request.
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

    /// The answer to a call that may be a repeat.
    static func kept(_ answer: KeptAnswer) -> Response {
        var response = json(bytes: answer.body, status: HTTPResponse.Status(code: answer.status))
        if answer.isReplay, let name = HTTPField.Name("Idempotency-Replayed") {
            response.headers[name] = "true"
        }
        return response
    }
}

/// "Done", where the contract asks for any object.
struct Success: Codable {
    var success = true
    var message: String?
}
