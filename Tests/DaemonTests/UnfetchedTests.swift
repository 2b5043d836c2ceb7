import Config
import ControlAPI
import CutieAPI
import Domain
import FeedPolicy
import Reasons
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// A server with 13 conversations, some of which cannot be fetched.
private final class FailingConversations: Sendable {
    static let ids = (1...13).map { "c\($0)" }
    private let ill: Shared<Set<String>>
    private let api: ScriptedAPI
    let line = Shared<RawConnection?>(nil)

    var url: String { api.url }
    func requestCount(of id: String) -> Int { api.requestCount(of: ScriptedAPI.list + "/" + id) }
    func heal() { ill.value = [] }

    /// Creates a server that cannot deliver `count` conversations. `unread`: the unread count of each
    /// conversation; `nil` if the server sends no counts.
    init(ill count: Int, as refusal: String = "500 Internal Server Error", unread: Int? = 1) throws {
        let ill = Shared(Set(Self.ids.prefix(count)))
        self.ill = ill
        let stream: ScriptedAPI.Responder = { [line] connection, _, _ in
            connection.beginStream()
            line.value = connection
            return connection.waitForClose()
        }
        let list: ScriptedAPI.Responder = { connection, _, _ in connection.answer(body: Self.list(unread)) }
        let threads = Self.ids.map { id in
            let thread: ScriptedAPI.Responder = { connection, _, _ in
                ill.value.contains(id)
                    ? connection.answer(refusal) : connection.answer(body: Self.thread(id, unread))
            }
            return (ScriptedAPI.list + "/" + id, thread)
        }
        api = try ScriptedAPI([(ScriptedAPI.stream, stream), (ScriptedAPI.list, list)] + threads)
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
    @Test func `Conversations that cannot be fetched do not delay replies in other conversations`()
        async throws
    {
        let api = try FailingConversations(ill: 8)
        let fixture = try IngestFixture(synced: false, .never)
        let feed = try fixture.unit(at: api.url, by: .stream).feed
        try await running(feed.run) {
            try await eventually("the feed is connected") { feed.status.state == .connected }
            let account = feed.account.id
            #expect(try fixture.store.read { try $0.accounts.find(account)?.syncedAt } != nil)
            #expect(fixture.ingest.badges[account]?.total == 13, "what the list tells is known")
            #expect(try fixture.store.read { try $0.messages.find("m-c13") }.count == 1)
            let ill = try fixture.store.read { try $0.conversations.find("c1", account: account) }
            #expect(ill?.conversation.title == "of c1")
            #expect(
                feed.synchronizer.fetcher.pendingFetches.warning?.english.hasPrefix(
                    "8 conversations could not be loaded")
                    == true)

            let reply = #"{"message_id":"n1","conversation_id":"c1","sender_type":"admin","message":"w"}"#
            api.line.value?.write(
                #"data: {"id":"e1","type":"message.created","created_at":9,"data":{"conversation_id":"c1","#
                    + #""unread_count":2,"message":\#(reply)}}"# + "\n\n")
            try await eventually("the reply in a failed conversation is pending") {
                try fixture.pending().contains("n1")
            }
            #expect(feed.status.state == .connected)
        }
    }

    @Test func `A failed fetch of a conversation is retried with a delay`() async throws {
        let api = try FailingConversations(ill: 8)
        let fixture = try IngestFixture(synced: false, .never)
        let feed = try fixture.unit(at: api.url, by: .stream, random: 0).feed
        try await running(feed.run) {
            try await fixture.time.advance(until: "the conversation is requested again") {
                api.requestCount(of: "c1") > 2
            }
            #expect(api.requestCount(of: "c13") == 1)
            api.heal()
            try await fixture.time.advance(until: "all messages are stored") {
                try FailingConversations.ids.allSatisfy { id in
                    try fixture.store.read { try $0.messages.find(Message.ID("m-" + id)) }.count == 1
                }
            }
            #expect(fixture.ingest.badges[feed.account.id]?.total == 13)
            #expect(feed.synchronizer.fetcher.pendingFetches.warning == nil)
            let left = try fixture.store.read { try $0.unfetched.fetchAll(of: feed.account.id) }
            #expect(left.isEmpty)
        }
    }

    @Test
    func `Old replies are not announced even if their conversation could not be fetched in the first sync`()
        async throws
    {
        let api = try FailingConversations(ill: 3, unread: nil)
        let fixture = try IngestFixture(synced: false, .never)
        let feed = try fixture.unit(at: api.url, by: .stream, random: 0).feed
        try await running(feed.run) {
            try await eventually("the feed is connected") { feed.status.state == .connected }
            api.heal()
            try await fixture.time.advance(until: "the other message is stored") {
                try fixture.store.read { try $0.messages.find("m-c1") }.count == 1
            }
        }
        #expect(try fixture.pending() == [])
        #expect(try fixture.logged(.messageCreated).isEmpty)
    }

    @Test func `After a restart, the daemon fetches conversations that the previous run could not fetch`()
        async throws
    {
        let api = try FailingConversations(ill: 13)
        let fixture = try IngestFixture(synced: false, .never)
        let before = try fixture.unit(at: api.url).feed
        try await running(before.run) {
            try await eventually("the feed is connected") { before.status.state == .connected }
        }
        api.heal()
        // The conversation list is unchanged, so the poll itself triggers no fetch.
        let after = try fixture.unit(at: api.url).feed
        try after.synchronizer.fetcher.loadPendingFetches()
        #expect(after.synchronizer.fetcher.pendingFetches.dueConversations(at: .zero).count == 13)
        try await running(after.run) {
            try await fixture.time.advance(until: "all conversations are fetched") {
                try fixture.store.read { try $0.unfetched.fetchAll(of: after.account.id) }.isEmpty
            }
        }
    }

    @Test func `The connection is treated as lost if no request gets a response`() async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, request, asked in
                asked == 0 ? ScriptedAPI.listing("c")(connection, request, asked) : connection.close()
            },
            ScriptedAPI.list + "/": { connection, _, _ in connection.close() },
        ])
        let fixture = try IngestFixture(.never)
        defer { withExtendedLifetime(fixture) {} }
        let feed = try fixture.unit(at: api.url).feed
        try await running(feed.run) {
            try await eventually("the feed is offline") { feed.status.state == .offline }
            #expect(feed.synchronizer.fetcher.pendingFetches.isEmpty)
        }
    }

    @Test func `If the server refuses to return a conversation, the fetch is retried after a longer delay`()
        async throws
    {
        let api = try FailingConversations(ill: 1, as: "403 Forbidden")
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, random: 0).feed
        try await running(feed.run) {
            try await fixture.time.advance(until: "the conversation is requested again") {
                api.requestCount(of: "c1") > 1
            }
        }
        #expect(fixture.time.waits.contains { $0 > .seconds(50) }, "\(fixture.time.waits)")
    }
}
