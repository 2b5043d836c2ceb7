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
    private func poll(_ fixture: IngestFixture, _ conversation: Conversation) throws {
        try fixture.ingest.applyFetched(
            conversation, listedVersion: conversation, account: fixture.account, isFirstSync: false)
    }

    @Test
    func `Messages read on another device are marked read even if the last poll contained future dates`()
        throws
    {
        let fixture = try IngestFixture(.never)
        try poll(fixture, .sample("c", unread: 1, at: yearOfSeconds, [.sample("m1", at: yearOfSeconds)]))
        #expect(fixture.badge.total == 1)
        fixture.time.pass(.seconds(120))
        try fixture.accept(.read("c", leaving: 0, at: 120, event: "e1"))
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        #expect(try fixture.pending().isEmpty)
    }

    @Test
    func
        `A read event with a date in the future causes a refetch if its unread count differs from the local count`()
        throws
    {
        let fixture = try IngestFixture(.never)
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 3)]
        try poll(fixture, .sample("c", unread: 1, at: 3, messages))
        let read = Event.read("c", leaving: 0, at: yearOfSeconds, event: "e1")
        let taken = try fixture.ingest.apply([read], to: fixture.account, receivedOver: .stream)
        #expect(taken.needsRefetch == ["c"])
        #expect(try fixture.pending() == ["m2"])
    }

    @Test func `A poll detects a new reply even after the server's clock has been set back`() throws {
        let fixture = try IngestFixture(.never)
        let ahead = Message.sample("m1", at: yearOfSeconds)
        try poll(fixture, .sample("c", unread: 0, at: yearOfSeconds, [ahead]))
        try poll(fixture, .sample("c", unread: 1, at: 60, [.sample("m2", at: 60), ahead]))
        #expect(try fixture.pending() == ["m2"])
        #expect(fixture.badge.total == 1)
    }

    @Test
    func
        `If only some messages are marked read, those that arrived last stay unread, regardless of their dates`()
        throws
    {
        let fixture = try IngestFixture(.never)
        try fixture.accept(
            .reply(.sample("m1", at: yearOfSeconds), unread: 1, event: "e1"),
            .reply(.sample("m2", at: 60), unread: 2, event: "e2"),
            .read("c", leaving: 1, at: 61, event: "e3"))
        #expect(try fixture.pending() == ["m2"])
        #expect(
            try fixture.store.read { try $0.replies.findNewest(in: "c", account: fixture.account) } == "m2")
    }

    @Test func `Replies that are listed newest first are announced in the order in which they were written`()
        throws
    {
        let fixture = try IngestFixture(.never)
        let messages = [Message.sample("m3", at: 3), .sample("m2", at: 2), .sample("m1", at: 1)]
        try poll(fixture, .sample("c", unread: 2, at: 3, messages))
        #expect(try fixture.pending() == ["m2", "m3"])
    }

    @Test func `A wrong unread total is detected even if a poll contained a date in the future`() throws {
        let fixture = try IngestFixture(.never)
        try poll(fixture, .sample("c", unread: 0, at: yearOfSeconds))
        fixture.time.pass(.seconds(120))
        let reply = Event.reply(.sample("m2", at: 120), unread: 1, of: 2, event: "e2")
        #expect(
            try !fixture.ingest.apply([reply], to: fixture.account, receivedOver: .stream).matchesServerTotal)
    }

    @Test func `A reply is announced even if this computer's clock is years ahead`() throws {
        let fixture = try IngestFixture(.never, days: 30)
        fixture.ingest.clocks.recordTime(.base, of: fixture.account)
        fixture.time.jump(year * 10)
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        #expect(try fixture.pending() == ["m1"])
    }

    @Test
    func `A reply that is older than the history limit according to the server's clock is not announced`()
        throws
    {
        let fixture = try IngestFixture(.never, days: 30)
        fixture.ingest.clocks.recordTime(.base, of: fixture.account)
        try fixture.accept(
            .reply(.sample("m1", at: -31 * 86_400), unread: 1, event: "e1"),
            .reply(.sample("m2", at: -29 * 86_400), unread: 2, event: "e2"))
        #expect(try fixture.pending() == ["m2"])
    }

    @Test func `Messages are not pruned early if this computer's clock is ahead of the server's clock`()
        async throws
    {
        let fixture = try IngestFixture(.never, days: 30)
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try fixture.ingest.performChange(on: fixture.account) { _ = try $0.markRead("c") }
        let entries = try fixture.logged(.messageCreated).count
        fixture.time.jump(year * 10)
        #expect(try await !fixture.housekeeping.pruneBatch(), "no server has reported the time")
        fixture.ingest.clocks.recordTime(.base, of: fixture.account)
        while try await fixture.housekeeping.pruneBatch() {}
        #expect(try fixture.store.read { try $0.messages.find("m1").count } == 1)
        #expect(try fixture.logged(.messageCreated).count == entries)
        fixture.time.pass(.seconds(31 * 86_400))
        while try await fixture.housekeeping.pruneBatch() {}
        #expect(try fixture.store.read { try $0.conversations.find("c", account: fixture.account) } == nil)
    }

    @Test func `Messages are not pruned early if the server's clock is ahead`() async throws {
        let fixture = try IngestFixture(.never, days: 30)
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try fixture.ingest.performChange(on: fixture.account) { _ = try $0.markRead("c") }
        fixture.ingest.clocks.recordTime(.base + year * 10, of: fixture.account)
        while try await fixture.housekeeping.pruneBatch() {}
        #expect(try fixture.store.read { try $0.messages.find("m1").count } == 1)
    }

    @Test func `The estimate of the server's time is unaffected by a change of this computer's clock`() throws
    {
        let time = ManualTime()
        let known = ServerClocks(RuntimeEnvironment(time))
        let account = AccountID(rawValue: 1)
        known.recordTime(.base, of: account)
        time.jump(year * -3)
        time.pass(.seconds(60))
        #expect(known.currentTime(of: account) == .base(plus: 60))
    }

    @Test func `A pause survives a restart of the daemon even if the clock has been changed`() throws {
        let fixture = try IngestFixture(.never)
        try fixture.notificationController().setPause(.init(end: .seconds(1060), isPrivate: false))
        fixture.time.jump(year)
        fixture.time.pass(.seconds(59))
        let now = fixture.runtime.clockReading
        let pause = try #require(try fixture.notificationController().currentPause(at: now))
        #expect(pause.wallClockEndTime(using: now) == now.time + .seconds(1))
        fixture.time.pass(.seconds(1))
        #expect(try fixture.notificationController().currentPause(at: fixture.runtime.clockReading) == nil)
    }

    @Test
    func `After a reboot, a pause ends according to the wall clock, but does not last longer than planned`()
        throws
    {
        let fixture = try IngestFixture(.never)
        try fixture.notificationController(boot: "one").setPause(
            .init(end: .seconds(1600), isPrivate: true))
        fixture.time.pass(.seconds(60))
        fixture.time.reboot()
        let left = try fixture.notificationController(boot: "two").currentPause(
            at: fixture.runtime.clockReading)
        #expect(left == .init(end: .seconds(5 + 540), isPrivate: true))
        fixture.time.jump(year * -1)
        let longest = try fixture.notificationController(boot: "two").currentPause(
            at: fixture.runtime.clockReading)
        #expect(longest == .init(end: .seconds(5 + 600), isPrivate: true))
    }
}

extension IngestFixture {
    /// Returns the notification controller that a restarted daemon creates. Another `boot` ID simulates a
    /// reboot.
    fileprivate func notificationController(boot: String) throws -> NotificationController {
        try NotificationController(Policy(), log: log, runtime: runtime, bootID: boot)
    }
}
