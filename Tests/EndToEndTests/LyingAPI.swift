import Foundation
import TestSupport

/// An API that answers as it should, but for the calls that a test has it answer.
final class LyingAPI: Sendable {
    /// Gets the connection and how often it was asked this before.
    typealias Lie = @Sendable (RawConnection, Int) -> Void

    private let server: RawServer
    private let calls: CallCounter

    /// By call: `GET /v1/conversations`, without what follows a `?`.
    init(_ lies: [String: Lie] = [:]) throws {
        let calls = CallCounter()
        self.calls = calls
        server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let words = request.line.split(whereSeparator: { " ?".contains($0) })
                let call = words.prefix(2).joined(separator: " ")
                let number = calls.note(call)
                if let lie = lies[call] { lie(connection, number) } else { Self.answer(call, on: connection) }
            }
        }
    }

    var url: String { server.url }

    /// How often it was asked this.
    func asked(_ call: String) -> Int { calls.count(of: call) }

    static let list = "GET /v1/conversations"
    static let stream = "GET /v1/events/stream"

    static func answer(_ call: String, on connection: RawConnection) {
        switch call {
        case "POST /v1/device/register":
            connection.answer(body: #"{"device_token":"token","token_id":"t","is_new":true}"#)
        case list: connection.answer(body: #"{"conversations":[],"total_unread":0}"#)
        case stream:
            connection.beginStream()
            connection.waitForClose()
        default: connection.answer("404 Not Found", body: #"{"error":"no such thing"}"#)
        }
    }
}

extension RawConnection {
    /// False once the client is gone.
    @discardableResult
    func event(_ id: String, _ type: String, _ data: String) -> Bool {
        write(
            "id: \(id)\nevent: \(type)\n"
                + #"data: {"id":"\#(id)","type":"\#(type)","created_at":1780000000000,"data":\#(data)}"#
                + "\n\n")
    }

    /// A reply, with the fields of `message` and those that every one has.
    @discardableResult
    func reply(_ event: String, _ id: String, in conversation: String, _ message: String = "") -> Bool {
        self.event(
            event, "message.created",
            #"{"conversation_id":"\#(conversation)","message":{"message_id":"\#(id)","#
                + #""conversation_id":"\#(conversation)","sender_type":"admin"\#(message)}}"#)
    }
}

extension Household {
    /// A daemon with two accounts: `honest` at the sandbox and `liar` elsewhere.
    static func with(_ liar: LyingAPI, _ body: (Household) async throws -> Void) async throws {
        try await with({ $0.isConnected = false }) { home in
            try home.daemon.configure(
                """
                accounts:
                  honest: {app_id: app_sandbox, api_url: \(home.sandbox.url)}
                  liar: {app_id: app_liar, api_url: \(liar.url)}
                \(home.opener)
                questions: false

                """)
            try await home.daemon.start()
            try await home.daemon.status("honest") { $0["honest"]?.state == "connected" }
            try await body(home)
        }
    }

    /// Whatever the liar says: who is honest is heard, and the person is answered.
    func expectHonestServed() async throws {
        let before = try await daemon.status()["honest"]?.badge.total ?? 0
        let conversation = try await daemon.converse("True", account: "honest")
        try await sandbox.reply("It is so", in: conversation)
        try await daemon.status("the honest reply") { $0["honest"]?.badge.total == before + 1 }
    }
}
