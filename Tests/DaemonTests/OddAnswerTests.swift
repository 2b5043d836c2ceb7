import ControlAPI
import CutieAPI
import Domain
import FeedPolicy
import Reasons
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Store

/// Tests with servers whose responses do not conform to the API description.
@MainActor
struct OddAnswerTests {
    @Test(arguments: [
        "304 Not Modified", "204 No Content", "205 Reset Content", "206 Partial Content", "302 Found",
        "301 Moved Permanently",
    ])
    func `A poll whose response has an unexpected HTTP status counts as failed`(_ status: String) async throws
    {
        let isOdd = Mutex(true)
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, _ in
                guard isOdd.withLock({ $0 }) else { return false }
                let hasBody = !status.hasPrefix("304") && !status.hasPrefix("204")
                return connection.answer(
                    status, ["Connection: close"],
                    body: hasBody ? #"{"conversations":[],"total_unread":0}"# : "")
            }
        ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url).feed
        try await running(feed.run) {
            try await eventually("the feed is offline") { feed.status.state == .offline }
            let code = String(status.prefix(3))
            #expect(
                feed.status.reason?.english.contains(code) == true, "\(feed.status.reason?.english ?? "")")
            isOdd.withLock { $0 = false }
            try await fixture.time.advance(until: "the feed is connected") { feed.status.state == .connected }
        }
    }

    @Test func `A poll succeeds if a request with an ETag gets a 304 response`() async throws {
        let conditions = Mutex<[String]>([])
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, request, _ in
                let etags = request.values(of: "If-None-Match")
                conditions.withLock { $0 += etags }
                if !etags.isEmpty { return connection.answer("304 Not Modified") }
                return connection.answer(
                    "200 OK", [#"ETag: "a""#], body: #"{"conversations":[],"total_unread":0}"#)
            }
        ])
        let fixture = try IngestFixture(.atOnce)
        let feed = try fixture.unit(at: api.url).feed
        try await running(feed.run) {
            try await eventually("a second request with a condition") { conditions.withLock { $0.count } > 1 }
            #expect(feed.status.state == .connected)
        }
    }

    @Test func `No reply is lost if the server encodes counts and times as strings`() async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, _ in
                connection.answer(
                    body: #"{"conversations":[{"conversation_id":"c","status":"open","unread_count":"1","#
                        + #""updated_at":"1780000000000"}],"total_unread":"1"}"#)
            },
            ScriptedAPI.conversation: { connection, _, _ in
                connection.answer(
                    body:
                        #"{"conversation_id":"c","status":"open","unread_count":"1","updated_at":"1780000000000","#
                        + #""messages":[{"message_id":7,"sender_type":"admin","message":"words","#
                        + #""is_internal_note":"false","created_at":"1780000000000"}]}"#)
            },
        ])
        let fixture = try IngestFixture()
        let unit = try fixture.unit(at: api.url)
        try await running(unit.feed.run) {
            try await eventually("the reply is received") {
                try fixture.store.read { try !$0.messages.find("7").isEmpty }
            }
        }
        let record = try #require(try fixture.store.read { try $0.messages.find("7") }.first)
        #expect(record.message.createdAt == .base && record.isReply)
        #expect(unit.feed.client.unreadable.count == 0)
    }

    @Test func `The status contains the number of unreadable response fields`() async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, _ in
                connection.answer(body: #"{"conversations":[{"title":"lost"}],"total_unread":"many"}"#)
            }
        ])
        let fixture = try IngestFixture(.atOnce)
        let accounts = try fixture.accounts(at: api.url)
        let unit = try #require(accounts.units.first)
        try await running(unit.feed.run) {
            try await eventually("both unreadable parts are counted") {
                unit.feed.client.unreadable.count >= 2
            }
        }
        let status = try await fixture.status(of: accounts).getStatus(GetStatus())
        let account = try #require(status.accounts.first)
        #expect(account.unreadable ?? 0 >= 2)
        #expect(account.warnings.contains { $0.contains("conversations[].conversation_id is missing") })
    }
}
