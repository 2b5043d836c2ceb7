import Synchronization
import TestSupport

/// An API with a stream that lives. Of each call it gives the answers that a test has for it, then those of an
/// API that is well; the last one for ever where it is to `persist`.
final class FickleAPI: Sendable {
    typealias Answer = (status: String, fields: [String])

    static let message = "POST /v1/conversations/c/messages"
    static let otherMessage = "POST /v1/conversations/d/messages"

    private let server: RawServer
    private let calls: Calls

    var url: String { server.url }
    var streams: Int { count("GET /v1/events/stream") }

    init(_ answers: [String: Answer], persist: Bool = false) throws {
        let calls = Calls()
        self.calls = calls
        server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let call = request.line.split(whereSeparator: { " ?".contains($0) }).prefix(2)
                    .joined(separator: " ")
                let number = calls.note(call)
                if let answer = answers[call], persist || number < (answer.status.hasPrefix("401") ? 2 : 1) {
                    connection.answer(answer.status, answer.fields, body: #"{"error":"not now"}"#)
                } else {
                    Self.answer(call, number, on: connection)
                }
            }
        }
    }

    func count(_ call: String) -> Int { calls.counts.withLock { $0[call] ?? 0 } }

    private static func answer(_ call: String, _ number: Int, on connection: RawConnection) {
        switch call {
        case "POST /v1/device/register": connection.answer(body: #"{"device_token":"token"}"#)
        case "GET /v1/conversations": connection.answer(body: #"{"conversations":[],"total_unread":0}"#)
        case "GET /v1/events/stream":
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.writeChunk(": hello\n\n")
            connection.waitForClose()
        case message, otherMessage:
            let conversation = call.split(separator: "/")[2]
            connection.answer(
                body: #"""
                    {"message_id":"m-\#(conversation)-\#(number)","conversation_id":"\#(conversation)",
                    "sender_type":"user","message":"words","created_at":1780000000000}
                    """#)
        case "GET /v1/conversations/c", "GET /v1/conversations/d":
            let conversation = call.suffix(1)
            connection.answer(
                body: #"{"conversation_id":"\#(conversation)","status":"open","messages":[]}"#)
        default: connection.answer(body: "{}")
        }
    }

    private final class Calls: Sendable {
        let counts = Mutex<[String: Int]>([:])

        func note(_ call: String) -> Int {
            counts.withLock {
                $0[call, default: 0] += 1
                return $0[call, default: 1] - 1
            }
        }
    }
}
