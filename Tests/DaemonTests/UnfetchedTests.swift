import Config
import ControlAPI
import CutieAPI
import Inbox
import Store
import Synchronization
import TestSupport
import Testing

@testable import Daemon

/// A server of 13 conversations, of which some are ill.
private final class IllThreads: Sendable {
    static let ids = (1...13).map { "c\($0)" }
    private let state: Shared<Set<String>>
    private let server: RawServer
    private let calls = CallCounter()
    let line = Shared<RawConnection?>(nil)

    var url: String { server.url }
    func asked(_ id: String) -> Int { calls.count(of: id) }
    func heal() { state.value = [] }

    /// `unread`: of each, by what the list and the threads say; nil: the server does not count.
    init(ill: Int, as refusal: String = "500 Internal Server Error", unread: Int? = 1) throws {
        let state = Shared(Set(Self.ids.prefix(ill)))
        self.state = state
        let (calls, line) = (calls, line)
        server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let words = request.line.split(whereSeparator: { " ?".contains($0) })
                let path = String(words[1])
                if path == "/v1/events/stream" {
                    connection.beginStream()
                    line.value = connection
                    connection.waitForClose()
                } else if path == "/v1/conversations" {
                    connection.answer(body: Self.list(unread))
                } else if let id = path.split(separator: "/").last.map(String.init), Self.ids.contains(id) {
                    _ = calls.note(id)
                    if state.value.contains(id) {
                        connection.answer(refusal)
                    } else {
                        connection.answer(body: Self.thread(id, unread))
                    }
                } else {
                    connection.answer(body: #"{"device_token":"token"}"#)
                }
            }
        }
    }

    private static func row(_ id: String, _ unread: Int?) -> String {
        let count = unread.map { #","unread_count":\#($0)"# } ?? ""
        return #""conversation_id":"\#(id)","status":"open","title":"of \#(id)","updated_at":5\#(count)"#
    }

    private static func list(_ unread: Int?) -> String {
        let total = unread.map { #","total_unread":\#($0 * ids.count)"# } ?? ""
        let rows = ids.map { "{" + row($0, unread) + "}" }.joined(separator: ",")
        return #"{"conversations":[\#(rows)]\#(total)}"#
    }

    private static func thread(_ id: String, _ unread: Int?) -> String {
        let message = #"{"message_id":"m-\#(id)","sender_type":"admin","message":"words","created_at":5}"#
        return "{" + row(id, unread) + #","messages":[\#(message)]}"#
    }
}

@MainActor
struct UnfetchedTests {
    @Test func `What some conversations answer keeps nobody from the others' replies`() async throws {
        let api = try IllThreads(ill: 8)
        let desk = try Desk(synced: false)
        let feed = try desk.unit(ContinuousClock(), at: api.url, by: .stream).feed
        try await running(feed.run) {
            try await eventually("connected") { feed.status.state == .connected }
            let account = feed.account.id
            #expect(try desk.store.read { try $0.account(account)?.syncedAt } != nil)
            #expect(desk.ingest.badges[account]?.total == 13, "what the list tells is known")
            #expect(try desk.store.read { try $0.message("m-c13") }.count == 1)
            let ill = try desk.store.read { try $0.conversation("c1", account: account) }
            #expect(ill?.conversation.title == "of c1")
            #expect(feed.sync.unfetched.warning?.hasPrefix("8 conversations cannot be fetched") == true)

            let reply = #"{"message_id":"n1","conversation_id":"c1","sender_type":"admin","message":"w"}"#
            api.line.value?.write(
                #"data: {"id":"e1","type":"message.created","created_at":9,"data":{"conversation_id":"c1","#
                    + #""unread_count":2,"message":\#(reply)}}"# + "\n\n")
            try await eventually("a reply in one of them is news at once") {
                try desk.pending().contains("n1")
            }
            #expect(feed.status.state == .connected)
        }
    }

    @Test func `What could not be fetched is asked for again by itself, and not too often`() async throws {
        let api = try IllThreads(ill: 8)
        let desk = try Desk(synced: false)
        let feed = try desk.unit(ContinuousClock(), at: api.url, by: .stream, random: 0).feed
        try await running(feed.run) {
            try await eventually("asked again") { api.asked("c1") > 2 }
            #expect(api.asked("c13") == 1)
            api.heal()
            try await eventually("all are here") {
                try IllThreads.ids.allSatisfy { id in
                    try desk.store.read { try $0.message(Message.ID("m-" + id)) }.count == 1
                }
            }
            #expect(desk.ingest.badges[feed.account.id]?.total == 13)
            #expect(feed.sync.unfetched.warning == nil)
            let left = try desk.store.read { try $0.unfetched(of: feed.account.id) }
            #expect(left.isEmpty)
        }
    }

    @Test func `A first sync that leaves some over brings no old replies as news`() async throws {
        let api = try IllThreads(ill: 3, unread: nil)
        let desk = try Desk(synced: false)
        let feed = try desk.unit(ContinuousClock(), at: api.url, by: .stream, random: 0).feed
        try await running(feed.run) {
            try await eventually("connected") { feed.status.state == .connected }
            api.heal()
            try await eventually("the rest is here") {
                try desk.store.read { try $0.message("m-c1") }.count == 1
            }
        }
        #expect(try desk.pending() == [])
        #expect(try desk.logged("message.created").isEmpty)
    }

    @Test func `What one run could not fetch the next one asks for`() async throws {
        let api = try IllThreads(ill: 13)
        let desk = try Desk(synced: false)
        let before = try desk.unit(ContinuousClock(), at: api.url).feed
        try await running(before.run) {
            try await eventually("connected") { before.status.state == .connected }
        }
        api.heal()
        // No list shows it: its marks are those of the last poll.
        let after = try desk.unit(ContinuousClock(), at: api.url).feed
        try after.recallUnfetched()
        #expect(after.sync.unfetched.due(at: .zero).count == 13)
        try await running(after.run) {
            try await eventually("all are here") {
                try desk.store.read { try $0.unfetched(of: after.account.id) }.isEmpty
            }
        }
    }

    @Test func `Where nothing is answered any more the line is at fault`() async throws {
        let lists = Shared(0)
        let api = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.line.contains("/v1/conversations") {
                    lists.value += 1
                    guard lists.value == 1 else { return connection.close() }
                    let row = #"{"conversation_id":"c","status":"open","updated_at":1,"unread_count":1}"#
                    connection.answer(body: #"{"conversations":[\#(row)]}"#)
                } else {
                    connection.answer(body: #"{"device_token":"token"}"#)
                }
            }
        }
        let feed = try Desk().unit(ContinuousClock(), at: api.url).feed
        try await running(feed.run) {
            try await eventually("offline") { feed.status.state == .offline }
            #expect(feed.sync.unfetched.isEmpty)
        }
    }

    @Test func `A server that refuses one conversation is asked for it again much later`() async throws {
        let api = try IllThreads(ill: 1, as: "403 Forbidden")
        let desk = try Desk()
        let waits = Waits()
        let feed = try desk.unit(waits, at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("asked again") { api.asked("c1") > 1 }
        }
        #expect(waits.all.contains { $0 > .seconds(50) }, "\(waits.all)")
    }
}
