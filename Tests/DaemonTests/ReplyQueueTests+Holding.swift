import Config
import CutieAPI
import FeedPolicy
import Foundation
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of replies that are held or suppressed.
extension ReplyQueueTests {
    @Test func `A notification shows the newest text even if an older held reply is released later`()
        async throws
    {
        var urgent = Rule()
        urgent.match.sender = ["Boss"]
        urgent.then.urgency = .critical
        var fromAbove = Message.sample("m2", at: 2)
        fromAbove.senderName = "Boss"
        let queue = queue(rules: [urgent])
        queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the first reply is held") { try stages("m1").last == .held }
            try fixture.accept(.reply(fromAbove, unread: 2, event: "m2"))
            try await eventually("the urgent reply is shown") { try stages("m2").last == .shown }
            queue.notificationController.policy.pause = nil
            try await eventually("all replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.body) == ["text of m2", "2 new replies:\ntext of m2"])
    }

    @Test
    func `A reply is held while its conversation is displayed, and is shown later if it is still unread`()
        async throws
    {
        let queue = queue()
        let owner = NotificationOwner.reply(fixture.account, "c")
        try await running(queue.run) {
            queue.notificationController.beginDisplayingConversations(of: [owner])
            queue.notificationController.beginDisplayingConversations(of: [owner])
            try reply("m1", at: 1)
            try await eventually("the reply is held") { try stages("m1").last == .held }
            try reply("m2", in: "other", at: 2)
            try await eventually("the reply in another conversation is shown") {
                try stages("m2").last == .shown
            }
            queue.notificationController.endDisplayingConversations(of: [owner])
            try reply("m3", in: "third", at: 3)
            try await eventually("the reply in a third conversation is shown") {
                try stages("m3").last == .shown
            }
            #expect(try stages("m1").last == .held)
            queue.notificationController.endDisplayingConversations(of: [owner])
            try await eventually("the held reply is shown") { try stages("m1").last == .shown }
        }
        #expect(server.shown.map(\.notification.body) == ["text of m2", "text of m3", "text of m1"])
    }

    @Test
    func `Replies that arrive together are held in one transaction, even if their conversations differ`()
        async throws
    {
        let queue = queue()
        queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
        let events = (1...300).map { number in
            Event.reply(
                .sample(.init("m\(number)"), in: .init("c\(number)"), at: Int64(number)), unread: 1,
                event: .init("e\(number)"))
        }
        try await running(queue.run) {
            try fixture.ingest.apply(events, to: fixture.account, receivedOver: .stream)
            let stored = try logSize()
            try await eventually("all replies are held") { try stages("m300").last == .held }
            // One transaction per reply would write the same pages 300 times, about 4 MB in total.
            #expect(try logSize() - stored < 1_000_000)
        }
    }

    private func logSize() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.store.path + "-wal")
        return try #require(attributes[.size] as? Int)
    }

    @Test func `Held replies that exceed one batch are released in several transactions`() async throws {
        let queue = queue()
        queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
        let events = (1...1200).map { number in
            Event.reply(
                .sample(.init("m\(number)"), in: .init("c\(number % 3)"), at: Int64(number)),
                unread: (number + 2) / 3, event: .init("e\(number)"))
        }
        try fixture.ingest.apply(events, to: fixture.account, receivedOver: .stream)
        try await running(queue.run) {
            try await eventually("all replies are held") { try stages("m1200").last == .held }
            queue.notificationController.policy.pause = nil
            try await eventually("all replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.summary) == ["1000 unread replies", "1200 unread replies"])
    }

    @Test func `Replies are held during a pause and shown together when the pause ends`() async throws {
        let queue = queue()
        queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
        try await running(queue.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("the replies are held") { try stages("m2").last == .held }
            #expect(server.shown.isEmpty)
            queue.notificationController.policy.pause = nil
            try await eventually("the replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.summary) == ["2 unread replies"])
    }

    @Test func `When a pause ends, held replies are added to the open notifications of their conversations`()
        async throws
    {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("both replies are shown") { try fixture.pending().isEmpty }
            queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
            try reply("m3", in: "a", at: 3, unread: 2)
            try reply("m4", in: "b", at: 4, unread: 2)
            try await eventually("the further replies are held") { try stages("m4").last == .held }
            queue.notificationController.policy.pause = nil
            try await eventually("the further replies are shown") { try fixture.pending().isEmpty }
        }
        let bodies = ["text of m1", "text of m2", "2 new replies:\ntext of m3", "2 new replies:\ntext of m4"]
        #expect(server.shown.map(\.notification.body) == bodies)
    }

    @Test func `Replies that arrive while notifications are off are never announced`() async throws {
        let queue = queue { $0.enabled = false }
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is dropped") { try fixture.pending().isEmpty }
            queue.notificationController.policy.enabled = true
            try reply("m2", at: 2, unread: 2)
            try await eventually("the next reply is shown") { try stages("m2").last == .shown }
        }
        #expect(server.shown.map(\.notification.body) == ["text of m2"])
    }
}
