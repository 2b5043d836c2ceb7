import Foundation
import TestSupport
import Testing

/// A row of a test table: the value that a configuration key or a method must produce in a request.
/// `expected` is `nil` if any non-empty value is valid.
struct Row: Sendable {
    let name: String
    let call: String
    let place: Place
    let expected: String?

    enum Place: Sendable {
        case header(String)
        /// A field of a JSON body.
        case field(String)
        /// A field of a form body.
        case form(String)
    }

    init(_ name: String, _ call: String, _ place: Place, _ expected: String?) {
        (self.name, self.call, self.place, self.expected) = (name, call, place, expected)
    }
}

/// A working API and issuer that records each request.
final class ServiceRecorder: Sendable {
    static let create = "POST /v1/conversations"
    static let read = "POST /v1/conversations/c/messages/mark-all-read"
    static let push = "POST /v1/notifications/register"
    static let handOver = "POST /v1/feedback-app/generate-token"
    static let metadata = "GET /.well-known/oauth-authorization-server/issuer"
    static let token = "POST /token"

    private let api: ScriptedAPI

    init() throws {
        api = try ScriptedAPI([
            Self.create: { connection, _, _ in
                connection.answer(
                    body: #"{"conversation_id":"new","status":"open","message_id":"m9","created_at":1}"#)
            },
            ScriptedAPI.message: { connection, _, _ in
                connection.answer(
                    body: #"{"message_id":"m2","conversation_id":"c","sender_type":"user","#
                        + #""message":"words","created_at":1780000000000}"#)
            },
            ScriptedAPI.list: ScriptedAPI.listing("c"),
            ScriptedAPI.conversation: { connection, _, _ in connection.respondWithThread() },
            Self.read: { connection, _, _ in connection.answer(body: "{}") },
            Self.handOver: { connection, _, _ in connection.answer(body: #"{"token":"cutie_ft_1"}"#) },
            Self.metadata: { connection, request, _ in
                connection.answer(body: Self.metadata(at: request.values(of: "Host").first ?? ""))
            },
            Self.token: { connection, _, _ in
                connection.answer(
                    body: #"{"access_token":"access-1","token_type":"Bearer","expires_in":3600}"#)
            },
        ])
    }

    var url: String { api.url }

    func requests(of call: String) -> [RawConnection.Request] { api.requests(of: call) }

    private static func metadata(at host: String) -> String {
        let grants = #"["client_credentials","refresh_token"]"#
        return #"{"issuer":"http://\#(host)/issuer","token_endpoint":"http://\#(host)/token","#
            + #""grant_types_supported":\#(grants),"response_types_supported":["code"]}"#
    }

    /// Checks the expected value of each row in the newest request to the row's endpoint.
    func expect(_ rows: [Row]) throws {
        for row in rows {
            let request = try #require(requests(of: row.call).last, "\(row.name): no \(row.call)")
            let found = request.value(at: row.place)
            #expect(row.expected == nil ? found?.isEmpty == false : found == row.expected, "\(row)")
        }
    }
}

extension RawConnection.Request {
    /// Returns a string member of the JSON object in the body.
    func field(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return object?[name] as? String
    }

    func value(at place: Row.Place) -> String? {
        switch place {
        case .header(let name): return values(of: name).first
        case .field(let name): return field(name)
        case .form(let name):
            var form = URLComponents()
            form.percentEncodedQuery = String(decoding: body, as: UTF8.self).replacing("+", with: "%20")
            return form.queryItems?.first { $0.name == name }?.value
        }
    }
}

/// A reply whose parameters the test ignores.
struct Ignored: Decodable, Sendable {
    init(from decoder: any Decoder) {}
}

let pushToken = String(repeating: "0123456789abcdef", count: 4)

func repositoryFile(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: name), encoding: .utf8)
}

extension EndToEndFixture {
    /// Calls a method of `io.cutied.Access` as an app.
    func app(_ method: String, _ parameters: [String: String]) async throws {
        _ = try await daemon.access.call(method, parameters, as: Ignored.self)
    }

    /// Creates a conversation, replies and registers a push token, so that the API receives each kind of
    /// request.
    func use(account: String) async throws {
        _ = try await daemon.startConversation("A title", "It fails", account: account)
        try await eventually("a conversation") {
            try await daemon.fetchInbox().contains { $0.conversationId == "c" }
        }
        #expect(try await daemon.ctl("reply", "c", "Still", "--account", account).code == 0)
        #expect(try await daemon.ctl("push", "register", pushToken, "--account", account).code == 0)
    }
}
