import CutieAPI
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests without a running notification server, and with a server that exits.
extension ReplyQueueTests {
    @Test func `If there is neither a notification server nor a reply, no timer is set`() async throws {
        server.set { $0.isThere = false }
        let queue = queue()
        try await running(queue.run) {
            try await eventually("the queue is idle") { queue.isIdle }
            #expect(queue.screen.wakeAt == nil)
        }
    }

    @Test
    func `A new server shows the open replies again, except replies read while no server was running`()
        async throws
    {
        let queue = queue(retry: .quick)
        try await running(queue.run) {
            for (second, conversation) in ["a", "b", "c"].enumerated() {
                try reply(.init("m-\(conversation)"), in: .init(conversation), at: Int64(second + 1))
            }
            try await eventually("the replies are shown") { try fixture.pending().isEmpty }
            server.set { $0.isThere = false }
            try fixture.accept(.read("a", leaving: 0, at: 4, event: "e4"))
            try await eventually("the unread replies are held") { try stages("m-c").last == .held }
            server.set { $0.isThere = true }
            try await eventually("the unread replies are shown again") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.last?.notification.summary == "2 unread replies")
        #expect(try stages("m-a").contains(.held) == false)
    }

    @Test
    func
        `When another component detects a new notification server, the open notifications are shown on it again`()
        async throws
    {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            server.set { $0.name = "other" }
            await queue.screen.queryServer()
            try await eventually("the reply is shown again") { server.shown.count >= 2 }
        }
        #expect(server.shown.map(\.replaced) == [nil, nil])
        #expect(queue.screen.server?.name == "other")
    }

    @Test func `A private pause hides all text even if the store fails when the pause begins`() async throws {
        let queue = queue()
        try await showReplies(["a", "b"], queue)
        try await fixture.runWithLockedDatabase {
            queue.notificationController.policy.pause = .init(end: nil, isPrivate: true)
            await #expect(throws: StoreError.self) { try await queue.run() }
        }
        try await running(queue.run) {
            try await eventually("the text of both replies is hidden") {
                Set(server.shown.filter(\.notification.body.isEmpty).map(\.notification.stackTag)) == [
                    "a", "b",
                ]
            }
        }
    }

    @Test
    func
        `If a private pause begins while no server is running, no notification of the next server is closed`()
        async throws
    {
        let queue = queue()
        try await showReplies(["a", "b"], queue)
        queue.notificationController.policy.pause = .init(end: nil, isPrivate: true)
        server.set { $0.refusal = .noServer("gone") }
        try await running(queue.run) {
            try await eventually("the replies are shown again") {
                try server.shown.count > 2 && fixture.pending().isEmpty
            }
        }
        #expect(server.shown.dropFirst(2).map(\.notification.stackTag) == ["cutied-summary"])
        #expect(server.closed.isEmpty)
    }

    @Test
    func `If the store fails when the server exits, the next server still shows the open notifications`()
        async throws
    {
        let queue = queue()
        try await showReplies(["a", "b"], queue)
        try await fixture.runWithLockedDatabase {
            server.set { $0.refusal = .noServer("gone") }
            await #expect(throws: StoreError.self) {
                _ = try await queue.screen.show(.makeNotice(summary: "Any", body: ""), for: .outage)
            }
            #expect(queue.screen.state.phase == .lost)
        }
        try await running(queue.run) {
            try await eventually("the replies are shown again") { server.shown.count >= 3 }
        }
        #expect(server.shown.last?.notification.summary == "2 unread replies")
        #expect(server.shown.last?.replaced == nil)
    }

    private func showReplies(_ conversations: [Conversation.ID], _ queue: ReplyQueue) async throws {
        try await running(queue.run) {
            for (second, id) in conversations.enumerated() {
                try reply(.init("m-\(id.rawValue)"), in: id, at: Int64(second + 1))
            }
            try await eventually("the replies are shown") { try fixture.pending().isEmpty }
        }
    }
}
