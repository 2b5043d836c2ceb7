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

/// Tests that notifications of read messages are removed.
extension ReplyQueueTests {
    @Test func `Reading a message on another device closes its notification`() async throws {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            try fixture.accept(.read("c", leaving: 0, at: 2, event: "e2"))
            try await eventually("the notification is closed") { server.closed == [1] }
        }
        #expect(try stages("m1").last == .read)
    }

    @Test func `After some replies are read, the notification counts only the remaining and later replies`()
        async throws
    {
        try await running(queue().run) {
            for number in 1...3 {
                try reply(.init("m\(number)"), at: Int64(number), unread: number)
                try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            }
            try fixture.accept(.read("c", leaving: 1, at: 4, event: "e4"))
            try reply("m5", at: 5, unread: 2)
            try await eventually("the notification is updated") { try fixture.pending().isEmpty }
            // The unread count 1 means that the two previous replies were read.
            try reply("m6", at: 6, unread: 1)
            try await eventually("the later reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(
            server.shown.map(\.notification.body).suffix(2) == ["2 new replies:\ntext of m5", "text of m6"])
        #expect(server.closed.isEmpty)
    }

    @Test func `The ledger is queried again for an open notification only after messages have been read`()
        async throws
    {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            // This change sends no signal, so the queue would notice it only by querying the ledger again.
            try fixture.store.write {
                _ = try $0.ledger.append(.closed, at: .base, to: "m1", in: "c", account: fixture.account)
            }
            try reply("m2", at: 2, unread: 2)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.last?.notification.body == "2 new replies:\ntext of m2")
    }
}
