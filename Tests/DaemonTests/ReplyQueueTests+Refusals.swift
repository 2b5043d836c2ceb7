import Config
import CutieAPI
import FeedPolicy
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of notification servers that refuse notifications for a while, or refuse particular notifications.
extension ReplyQueueTests {
    private func withoutRetries() -> ReplyQueue {
        queue(retry: .quick)
    }

    private func replies(_ name: String, _ count: Int, unread: Int = 1, at seconds: Int64) throws {
        let events = (0..<count).map { number in
            Event.reply(
                .sample(.init("\(name)\(number)"), in: .init("c\(number)"), at: seconds), unread: unread,
                event: .init("\(name)\(number)"))
        }
        try fixture.ingest.apply(events, to: fixture.account, receivedOver: .stream)
    }

    private func last(_ id: Message.ID) throws -> LedgerStage? { try stages(id).last }

    @Test func `No reply of a burst is lost if the server temporarily refuses notifications`() async throws {
        server.set { $0.refusals = 3 }
        try await running(withoutRetries().run) {
            try replies("m", 14, at: 1)
            try await eventually("no reply is pending") { try fixture.pending().isEmpty }
        }
        for number in 0..<14 { #expect(try last(.init("m\(number)")) == .shown) }
    }

    @Test func `Held replies are not lost if the server refuses notifications when a pause ends`()
        async throws
    {
        let queue = withoutRetries()
        try await running(queue.run) {
            try replies("m", 5, at: 1)
            try await eventually("the replies are shown") { try fixture.pending().isEmpty }
            queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
            try replies("n", 5, unread: 2, at: 2)
            try await eventually("the replies are held") { try last("n4") == .held }
            server.set { $0.refusals = 13 }
            queue.notificationController.policy.pause = nil
            try await eventually("no reply is pending") { try fixture.pending().isEmpty }
        }
        #expect(server.attempts.count > 5 + 13)
        for number in 0..<5 { #expect(try last(.init("n\(number)")) == .shown) }
    }

    @Test func `A reply that arrives just as the queue gives up on other replies is still shown`()
        async throws
    {
        // Enough for all attempts to show m1, but not for all attempts to show m2.
        server.set { $0.refusals = 15 }
        try await running(withoutRetries().run) {
            try reply("m1", in: "a", at: 1)
            try await eventually("the reply is refused often") { server.attempts.count > 8 }
            try reply("m2", in: "b", at: 2)
            try await eventually("no reply is pending") { try fixture.pending().isEmpty }
        }
        #expect(try fixture.steps(of: "m1").last?.reason == .notShown)
        #expect(try last("m2") == .shown)
    }

    @Test
    func `Each reply has a separate retry count while the server refuses notifications`()
        async throws
    {
        server.set { $0.refusals = .max }
        let queue = queue(retry: .slow)
        try await running(queue.run) {
            for number in 0..<12 {
                try reply(.init("m\(number)"), at: Int64(number), unread: number + 1)
                try await eventually("the reply is held") { try last(.init("m\(number)")) == .held }
            }
            #expect(try fixture.pending().count == 12)
        }
    }

    @Test func `A reply whose text is refused does not prevent other replies from being shown`() async throws
    {
        let queue = withoutRetries()
        try await running(queue.run) {
            try replies("m", 2, at: 1)
            try await eventually("both replies are shown") { try fixture.pending().isEmpty }
            queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
            try replies("n", 2, unread: 2, at: 2)
            try await eventually("the further replies are held") { try last("n1") == .held }
            server.set { $0.refusedWords = "text of n0" }
            queue.notificationController.policy.pause = nil
            try await eventually("no reply is pending") { try fixture.pending().isEmpty }
        }
        let dropped = try #require(try fixture.steps(of: "n0").last)
        let shown = try #require(try fixture.steps(of: "n1").last)
        #expect(dropped.reason == .notShown && shown.stage == .shown)
        #expect(shown.at < dropped.at)
        #expect(server.shown.last?.notification.body == "2 new replies:\ntext of n1")
        #expect(server.attempts.count == 2 + 10 + 1)
    }
}
