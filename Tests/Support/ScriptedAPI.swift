import Synchronization

/// A fake API. It sends no events and responds normally to all requests, except those for which a test
/// defines the response.
public final class ScriptedAPI: Sendable {
    /// A function that responds to a request. Its parameters are the connection, the request, and the number
    /// of previous requests for the same call. Returns `false` to send the default response.
    public typealias Responder = @Sendable (RawConnection, RawConnection.Request, Int) -> Bool

    private let server: RawServer
    private let requests: Requests

    /// Creates an API.
    ///
    /// - Parameters:
    ///   - answers: the responses; each key is a call (see `requestCount(of:)`). The first
    ///     matching response is used.
    ///   - conversations: the IDs of conversations that exist without messages and accept messages.
    public convenience init(
        _ answers: KeyValuePairs<String, Responder> = [:], conversations: [String] = []
    ) throws {
        try self.init(answers.map { ($0.key, $0.value) }, conversations: conversations)
    }

    public init(_ answers: [(call: String, answer: Responder)], conversations: [String] = []) throws {
        let requests = Requests()
        self.requests = requests
        server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let script = answers.first { request.isCall($0.call) }
                let asked = requests.record(request, as: script?.call)
                guard script?.answer(connection, request, asked) != true else { continue }
                Self.answer(request, knowing: conversations, on: connection)
            }
        }
    }

    public var url: String { server.url }

    /// Returns the number of requests for a call: a method and a path without the query. A call that ends
    /// with `/` or a space is a prefix.
    public func requestCount(of call: String) -> Int { requests.count(of: call) }

    /// Returns the requests for a call, oldest first.
    public func requests(of call: String) -> [RawConnection.Request] { requests.all(of: call) }

    public static let register = "POST /v1/device/register"
    public static let list = "GET /v1/conversations"
    public static let conversation = "GET /v1/conversations/c"
    public static let message = "POST /v1/conversations/c/messages"
    public static let otherMessage = "POST /v1/conversations/d/messages"
    public static let events = "GET /v1/events"
    public static let stream = "GET /v1/events/stream"

    private static func answer(
        _ request: RawConnection.Request, knowing conversations: [String], on connection: RawConnection
    ) {
        let id = request.call.split(separator: "/").dropFirst(3).first.map(String.init) ?? ""
        switch request.call {
        case register:
            connection.answer(body: #"{"device_token":"token","token_id":"t","is_new":true}"#)
        case list: connection.answer(body: #"{"conversations":[],"total_unread":0}"#)
        case stream:
            connection.beginStream()
            connection.waitForClose()
        case "GET /v1/conversations/\(id)" where conversations.contains(id):
            connection.answer(body: #"{"conversation_id":"\#(id)","status":"open","messages":[]}"#)
        case "POST /v1/conversations/\(id)/messages" where conversations.contains(id):
            connection.respondWithMessage(in: id)
        case "POST /v1/notifications/register", "DELETE /v1/notifications/unregister":
            connection.answer(body: "{}")
        default: connection.answer("404 Not Found", body: #"{"error":"no such thing"}"#)
        }
    }

    /// Returns a response with a list of conversations, each with one unread reply.
    public static func listing(_ ids: String...) -> Responder {
        let rows = ids.map {
            #"{"conversation_id":"\#($0)","status":"open","created_at":1,"unread_count":1}"#
        }
        let body = #"{"conversations":[\#(rows.joined(separator: ","))],"total_unread":\#(ids.count)}"#
        return { connection, _, _ in connection.answer(body: body) }
    }

    /// Returns a response that refuses the first `first` requests. Later requests get the default response.
    public static func refusing(
        _ status: String, _ fields: String..., body: String = "", first: Int = .max
    ) -> Responder {
        { connection, _, asked in asked < first && connection.answer(status, fields, body: body) }
    }
}

/// The received requests, oldest first.
private final class Requests: Sendable {
    private let all = Mutex<[(request: RawConnection.Request, script: String?)]>([])

    func count(of call: String) -> Int { all.withLock { $0.count { $0.request.isCall(call) } } }

    func all(of call: String) -> [RawConnection.Request] {
        all.withLock { $0.map(\.request).filter { $0.isCall(call) } }
    }

    /// Records a request. Returns the number of previous requests with the same script.
    func record(_ request: RawConnection.Request, as script: String?) -> Int {
        all.withLock { all in
            defer { all.append((request, script)) }
            return all.count { $0.script == script }
        }
    }
}

extension RawConnection.Request {
    /// The method and the path of the request.
    public var call: String {
        line.split(whereSeparator: { " ?".contains($0) }).prefix(2).joined(separator: " ")
    }

    fileprivate func isCall(_ call: String) -> Bool {
        self.call == call || "/ ".contains(call.suffix(1)) && line.hasPrefix(call)
    }
}

extension RawConnection {
    /// Responds with the conversation `c`, which contains the reply `m1`.
    @discardableResult
    public func respondWithThread() -> Bool {
        let message = #"{"message_id":"m1","sender_type":"admin","message":"words","created_at":1}"#
        return answer(
            body: #"{"conversation_id":"c","status":"open","created_at":1,"unread_count":1,"#
                + #""messages":[\#(message)]}"#)
    }

    /// Responds with the stored message `m1` of the user.
    @discardableResult
    public func respondWithMessage(in conversation: String) -> Bool {
        answer(
            body: #"{"message_id":"m1","conversation_id":"\#(conversation)","sender_type":"user","#
                + #""message":"words","created_at":1780000000000}"#)
    }

    /// Writes an event of an event stream. Returns `false` if the client has disconnected.
    @discardableResult
    public func event(_ id: String, _ type: String, _ data: String) -> Bool {
        write(
            "id: \(id)\nevent: \(type)\n"
                + #"data: {"id":"\#(id)","type":"\#(type)","created_at":1780000000000,"data":\#(data)}"#
                + "\n\n")
    }

    /// Writes the event of a reply. `message` contains JSON fields in addition to the mandatory fields.
    @discardableResult
    public func reply(
        _ event: String, _ id: String, in conversation: String, _ message: String = ""
    ) -> Bool {
        self.event(
            event, "message.created",
            #"{"conversation_id":"\#(conversation)","message":{"message_id":"\#(id)","#
                + #""conversation_id":"\#(conversation)","sender_type":"admin"\#(message)}}"#)
    }
}
