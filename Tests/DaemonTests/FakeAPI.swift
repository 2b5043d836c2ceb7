import TestSupport

/// An API of which a test decides the calls it is about; to the others it answers as one that has nothing.
final class FakeAPI: Sendable {
    /// Gets the connection and how often this was asked before. False: as if it had not been asked.
    typealias Answer = @Sendable (RawConnection, RawConnection.Request, Int) -> Bool

    private let server: RawServer
    private let calls: CallCounter

    /// `answers`: the first whose name the request line begins with.
    convenience init(_ answers: KeyValuePairs<String, Answer>) throws {
        try self.init(answers.map { ($0.key, $0.value) })
    }

    init(_ answers: [(key: String, value: Answer)]) throws {
        let calls = CallCounter()
        self.calls = calls
        server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let call = answers.first { request.line.hasPrefix($0.key) }
                let number = call.map { calls.note($0.key) } ?? 0
                guard call?.value(connection, request, number) != true else { continue }
                connection.answer(body: #"{"device_token":"token","conversations":[]}"#)
            }
        }
    }

    var url: String { server.url }

    func asked(_ call: String) -> Int { calls.count(of: call) }

    static let stream = "GET /v1/events/stream"
    static let events = "GET /v1/events?"
    static let list = "GET /v1/conversations?"

    /// A list with these conversations, each with one unread reply.
    static func listing(_ ids: String...) -> Answer {
        let rows = ids.map {
            #"{"conversation_id":"\#($0)","status":"open","created_at":1,"unread_count":1}"#
        }
        let body = #"{"conversations":[\#(rows.joined(separator: ","))],"total_unread":\#(ids.count)}"#
        return { connection, _, _ in connection.answer(body: body) }
    }

    static func refusing(_ status: String, _ fields: String...) -> Answer {
        { connection, _, _ in connection.answer(status, fields) }
    }
}

extension RawConnection {
    /// A conversation `c` with the reply `m1`.
    @discardableResult
    func answerThread() -> Bool {
        let message = #"{"message_id":"m1","sender_type":"admin","message":"words","created_at":1}"#
        return answer(
            body: #"{"conversation_id":"c","status":"open","created_at":1,"unread_count":1,"#
                + #""messages":[\#(message)]}"#)
    }
}
