import CutieAPI
import HTTPTypes
import Hummingbird

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
struct Success: Encodable {
    var success = true
    var message: String?
}
