import Config
import CutieAPI
import FeedPolicy
import NotificationPolicy
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of expired notifications, which some notification servers keep in a history.
extension ReplyQueueTests {
    private func expire(_ id: UInt32, of queue: ReplyQueue) throws {
        _ = try queue.screen.handleClosedNotification(id, reason: .expired)
    }

    private func waitForClosedReads(_ queue: ReplyQueue) async throws {
        try await eventually("the reads are processed") {
            queue.screen.state.closedReads == queue.log.readSignal.count
        }
    }

    @Test
    func `Reading a reply on another device removes its expired notification from the server's history`()
        async throws
    {
        let queue = queue()
        try await running(queue.run) {
            for number in 1...3 {
                try reply(.init("m\(number)"), at: Int64(number), unread: number)
                try await eventually("the reply is shown") { try fixture.pending().isEmpty }
                try expire(UInt32(number), of: queue)
            }
            try fixture.accept(.read("c", leaving: 1, at: 4, event: "e4"))
            try reply("other", in: "d", at: 5)
            try await eventually("the other reply is shown") { try fixture.pending().isEmpty }
            #expect(server.closed.isEmpty)
            try fixture.accept(.read("c", leaving: 0, at: 6, event: "e6"))
            try await eventually("all notifications are closed") { server.closed == [1, 2, 3] }
        }
        #expect(queue.screen.state.expiredOwners.isEmpty)
    }

    @Test func `A notification that the user closed is not closed again when its reply is read`() async throws
    {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            _ = try queue.screen.handleClosedNotification(1, reason: .dismissed)
            try fixture.accept(.read("c", leaving: 0, at: 2, event: "e2"))
            try await waitForClosedReads(queue)
        }
        #expect(server.closed.isEmpty)
    }

    @Test func `A notification ID that the server reuses refers only to the new notification`() async throws {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the first reply is shown") { try fixture.pending().isEmpty }
            try expire(1, of: queue)
            server.set { $0.nextID = 1 }
            try reply("other", in: "d", at: 2)
            try await eventually("the second reply is shown") {
                queue.screen.notification(withID: 1)?.owner == .reply(fixture.account, "d")
            }
            try fixture.accept(.read("c", leaving: 0, at: 3, event: "e3"))
            try await waitForClosedReads(queue)
        }
        #expect(server.closed.isEmpty)
    }

    @Test func `An expired summary is removed from the server's history when all its replies are read`()
        async throws
    {
        let queue = queue { $0.maxPopups = 0 }
        try await running(queue.run) {
            try fixture.ingest.apply(
                ["a", "b"].enumerated().map { number, id in
                    .reply(
                        .sample(.init("m\(id)"), in: .init(id), at: Int64(number)), unread: 1,
                        event: .init("e\(id)"))
                }, to: fixture.account, receivedOver: .stream)
            try await eventually("the summary is shown") { try fixture.pending().isEmpty }
            try expire(1, of: queue)
            try fixture.accept(.read("a", leaving: 0, at: 4, event: "e4"))
            try await waitForClosedReads(queue)
            #expect(server.closed.isEmpty)
            try fixture.accept(.read("b", leaving: 0, at: 5, event: "e5"))
            try await eventually("the summary is closed") { server.closed == [1] }
        }
    }
}
