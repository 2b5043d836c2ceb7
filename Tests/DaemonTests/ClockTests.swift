import Config
import CutieAPI
import FeedPolicy
import NotificationPolicy
import Store
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

private let year = Duration.seconds(366 * 86_400)
private let yearOfSeconds: Int64 = 366 * 86_400

@MainActor
struct ClockTests {
    private func poll(_ desk: Desk, _ conversation: Conversation) throws {
        try desk.ingest.applyFetched(
            conversation, listed: conversation, account: desk.account, isFirstSync: false)
    }

    @Test func `A read elsewhere counts although the server's clock was ahead at the last poll`() throws {
        let desk = try Desk(.never)
        try poll(desk, .sample("c", unread: 1, at: yearOfSeconds, [.sample("m1", at: yearOfSeconds)]))
        #expect(desk.badge.total == 1)
        desk.time.pass(.seconds(120))
        try desk.accept(.read("c", leaving: 0, at: 120, event: "e1"))
        #expect(desk.badge == Badge(total: 0, unread: 0))
        #expect(try desk.pending().isEmpty)
    }

    @Test func `A read right after a poll is decided by the server, whatever its date is`() throws {
        let desk = try Desk(.never)
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 3)]
        try poll(desk, .sample("c", unread: 1, at: 3, messages))
        let read = Event.read("c", leaving: 0, at: yearOfSeconds, event: "e1")
        let taken = try desk.ingest.apply([read], to: desk.account, by: .stream)
        #expect(taken.needsRefetch == ["c"])
        #expect(try desk.pending() == ["m2"])
    }

    @Test func `A reply written after the server's clock was corrected is shown by a poll`() throws {
        let desk = try Desk(.never)
        let ahead = Message.sample("m1", at: yearOfSeconds)
        try poll(desk, .sample("c", unread: 0, at: yearOfSeconds, [ahead]))
        try poll(desk, .sample("c", unread: 1, at: 60, [.sample("m2", at: 60), ahead]))
        #expect(try desk.pending() == ["m2"])
        #expect(desk.badge.total == 1)
    }

    @Test func `The messages that arrived last stay unread, not those with the latest date`() throws {
        let desk = try Desk(.never)
        try desk.accept(
            .reply(.sample("m1", at: yearOfSeconds), unread: 1, event: "e1"),
            .reply(.sample("m2", at: 60), unread: 2, event: "e2"),
            .read("c", leaving: 1, at: 61, event: "e3"))
        #expect(try desk.pending() == ["m2"])
        #expect(try desk.store.read { try $0.replies.newest(in: "c", account: desk.account) } == "m2")
    }

    @Test func `Replies listed newest first are processed in the order they were written`() throws {
        let desk = try Desk(.never)
        let messages = [Message.sample("m3", at: 3), .sample("m2", at: 2), .sample("m1", at: 1)]
        try poll(desk, .sample("c", unread: 2, at: 3, messages))
        #expect(try desk.pending() == ["m2", "m3"])
    }

    @Test func `A wrong total is noticed although a poll saw a date in the future`() throws {
        let desk = try Desk(.never)
        try poll(desk, .sample("c", unread: 0, at: yearOfSeconds))
        desk.time.pass(.seconds(120))
        let reply = Event.reply(.sample("m2", at: 120), unread: 1, of: 2, event: "e2")
        #expect(try !desk.ingest.apply([reply], to: desk.account, by: .stream).matchesServerTotal)
    }

    @Test func `A reply is shown although this computer's clock is years ahead`() throws {
        let desk = try Desk(.never, days: 30)
        desk.ingest.clocks.record(.base, of: desk.account)
        desk.time.jump(year * 10)
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        #expect(try desk.pending() == ["m1"])
    }

    @Test func `A reply older than the history limit by the server's clock is not announced`() throws {
        let desk = try Desk(.never, days: 30)
        desk.ingest.clocks.record(.base, of: desk.account)
        try desk.accept(
            .reply(.sample("m1", at: -31 * 86_400), unread: 1, event: "e1"),
            .reply(.sample("m2", at: -29 * 86_400), unread: 2, event: "e2"))
        #expect(try desk.pending() == ["m2"])
    }

    @Test func `Nothing is pruned by a clock that is ahead of the server's`() async throws {
        let desk = try Desk(.never, days: 30)
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try desk.ingest.change(desk.account) { _ = try $0.markRead("c") }
        let entries = try desk.logged(.messageCreated).count
        desk.time.jump(year * 10)
        #expect(try await !desk.housekeeping.pruneBatch(), "no server has told the time")
        desk.ingest.clocks.record(.base, of: desk.account)
        while try await desk.housekeeping.pruneBatch() {}
        #expect(try desk.store.read { try $0.messages.find("m1").count } == 1)
        #expect(try desk.logged(.messageCreated).count == entries)
        desk.time.pass(.seconds(31 * 86_400))
        while try await desk.housekeeping.pruneBatch() {}
        #expect(try desk.store.read { try $0.conversations.find("c", account: desk.account) } == nil)
    }

    @Test func `A server whose clock is ahead has nothing pruned either`() async throws {
        let desk = try Desk(.never, days: 30)
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try desk.ingest.change(desk.account) { _ = try $0.markRead("c") }
        desk.ingest.clocks.record(.base + year * 10, of: desk.account)
        while try await desk.housekeeping.pruneBatch() {}
        #expect(try desk.store.read { try $0.messages.find("m1").count } == 1)
    }

    @Test func `The server's time advances while this computer's clock is set`() throws {
        let time = ManualTime()
        let known = ServerClocks(RuntimeEnvironment(time))
        let account = AccountID(rawValue: 1)
        known.record(.base, of: account)
        time.jump(year * -3)
        time.pass(.seconds(60))
        #expect(known.now(of: account) == .base(plus: 60))
    }

    @Test func `A pause survives a restart of the daemon although the clock was set`() throws {
        let desk = try Desk(.never)
        try desk.attention().set(pause: .init(end: .seconds(1060), isPrivate: false))
        desk.time.jump(year)
        desk.time.pass(.seconds(59))
        let now = desk.surroundings.reading
        let pause = try #require(try desk.attention().pause(at: now))
        #expect(pause.until(at: now) == now.time + .seconds(1))
        desk.time.pass(.seconds(1))
        #expect(try desk.attention().pause(at: desk.surroundings.reading) == nil)
    }

    @Test func `After a reboot a pause ends by the wall clock, but lasts no longer than planned`()
        throws
    {
        let desk = try Desk(.never)
        try desk.attention(boot: "one").set(pause: .init(end: .seconds(1600), isPrivate: true))
        desk.time.pass(.seconds(60))
        desk.time.reboot()
        let left = try desk.attention(boot: "two").pause(at: desk.surroundings.reading)
        #expect(left == .init(end: .seconds(5 + 540), isPrivate: true))
        desk.time.jump(year * -1)
        let longest = try desk.attention(boot: "two").pause(at: desk.surroundings.reading)
        #expect(longest == .init(end: .seconds(5 + 600), isPrivate: true))
    }
}

extension Desk {
    /// Returns the preferences as a daemon that starts now loads them.
    fileprivate func attention(boot: String) throws -> NotificationController {
        try NotificationController(Policy(), ingest: ingest, surroundings: surroundings, bootID: boot)
    }
}
