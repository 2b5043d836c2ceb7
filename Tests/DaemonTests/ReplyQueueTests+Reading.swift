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

/// Messages that were read leave the screen.
extension ReplyQueueTests {
    @Test func `A message that is read elsewhere removes its notification`() async throws {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try fixture.pending().isEmpty }
            try fixture.accept(.read("c", leaving: 0, at: 2, event: "e2"))
            try await eventually("it is closed") { server.closed == [1] }
        }
        #expect(try stages("m1").last == .read)
    }

    @Test func `A partly read notification counts the remaining and the next replies`() async throws {
        try await running(queue().run) {
            for number in 1...3 {
                try reply(.init("m\(number)"), at: Int64(number), unread: number)
                try await eventually("it is shown") { try fixture.pending().isEmpty }
            }
            try fixture.accept(.read("c", leaving: 1, at: 4, event: "e4"))
            try reply("m5", at: 5, unread: 2)
            try await eventually("it is shown") { try fixture.pending().isEmpty }
            // The server's count shows that two were read.
            try reply("m6", at: 6, unread: 1)
            try await eventually("it is shown") { try fixture.pending().isEmpty }
        }
        #expect(
            server.shown.map(\.notification.body).suffix(2) == ["2 new replies:\ntext of m5", "text of m6"])
        #expect(server.closed.isEmpty)
    }

    @Test func `If nothing was read, a notification's replies are not queried again`() async throws {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try fixture.pending().isEmpty }
            // This change notifies no signal, so only a query of the row would detect it.
            try fixture.store.write {
                _ = try $0.ledger.append(.closed, at: .base, to: "m1", in: "c", account: fixture.account)
            }
            try reply("m2", at: 2, unread: 2)
            try await eventually("it is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.last?.notification.body == "2 new replies:\ntext of m2")
    }
}
