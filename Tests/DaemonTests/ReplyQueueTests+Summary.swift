import Config
import CutieAPI
import NotificationPolicy
@_spi(EventLog) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

extension ReplyQueueTests {
    @Test func `A summary does not count or name replies that have been read`() async throws {
        let ids: [Conversation.ID] = ["a", "b", "c", "d"]
        try fixture.store.write { transaction in
            for id in ids {
                var conversation = Conversation(id: id)
                conversation.title = id.rawValue.uppercased()
                try transaction.conversations.save(
                    ConversationRecord(account: fixture.account, conversation: conversation))
            }
        }
        let queue = queue { $0.maxPopups = 1 }
        try await running(queue.run) {
            for (number, id) in ids.enumerated() {
                if id == "d" { try fixture.accept(.read("b", leaving: 0, at: 9, event: "read")) }
                try reply(.init("m\(number)"), in: id, at: Int64(number))
                try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            }
        }
        #expect(server.shown.last?.notification.summary == "2 unread replies")
        #expect(server.shown.last?.notification.body == "in 2 conversations:\nD, C")
        #expect(queue.screen.state[.summary]?.members == 2)
    }
}
