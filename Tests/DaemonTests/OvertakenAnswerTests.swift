import CutieAPI
import FeedPolicy
import Store
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of API responses that are outdated because newer events were received first.
@MainActor
struct OvertakenAnswerTests {
    private let fixture: IngestFixture
    private let own = Message.sample("m1", by: .user, at: 1)
    private let reply = Message.sample("m2", at: 2)

    init() throws { fixture = try IngestFixture() }

    private var thread: Conversation { .sample("c", unread: 0, at: 1, [own]) }

    @Test func `An outdated response does not mark a newer message read`() throws {
        try fixture.accept(.reply(reply, unread: 1, event: "e1"))
        try fixture.ingest.applyFetched(
            thread, listedVersion: thread, account: fixture.account, isFirstSync: false, isOutdated: true)
        #expect(try fixture.pending() == ["m2"])
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.store.read { try $0.messages.find("m1") }.count == 1)
    }

    @Test func `After an outdated response, the next poll fetches the conversation again`() throws {
        try fixture.ingest.applyFetched(
            thread, listedVersion: thread, account: fixture.account, isFirstSync: false, isOutdated: true)
        #expect(try fixture.ingest.findConversation("c", of: fixture.account)?.lastPoll == nil)
    }

    @Test func `A reply that arrives while a new conversation is being fetched stays unread`() throws {
        try fixture.accept(.reply(reply, unread: 1, event: "e1"))
        try fixture.ingest.performChange(on: fixture.account) { try $0.addCreatedConversation(thread) }
        #expect(try fixture.pending() == ["m2"])
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.store.read { try $0.messages.find("m1") }.count == 1)
    }
}
