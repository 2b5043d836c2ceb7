import CutieAPI
import NotificationPolicy
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of notifications that contain the sender's avatar.
extension ReplyQueueTests {
    private func reply(_ id: Message.ID, in conversation: Conversation.ID, from address: String?) -> Event {
        var message = Message.sample(id, in: conversation, at: 1)
        message.senderAvatarURL = address
        return .reply(message, unread: 1, event: .init(id.rawValue))
    }

    /// Runs the queue and the avatar cache while `body` runs.
    private func runQueueAndAvatars(_ queue: ReplyQueue, _ body: @MainActor () async throws -> Void)
        async throws
    {
        try await running(queue.avatars.run) { try await running(queue.run) { try await body() } }
    }

    @Test func `The first notification from a sender already contains the avatar`() async throws {
        let pictures = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.answer(body: "GIF89a...") }
        }
        let queue = queue(picturesOf: pictures)
        try await runQueueAndAvatars(queue) {
            try fixture.accept(reply("m1", in: "a", from: pictures.url + "/ann.gif"))
            try await eventually("the single reply is shown") { try fixture.pending().isEmpty }
            try fixture.accept(
                reply("m2", in: "b", from: pictures.url + "/bob.gif"),
                reply("m3", in: "c", from: pictures.url + "/cyd.gif"))
            try await eventually("the simultaneous replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map { $0.notification.imagePath != nil } == [true, true, true])
    }

    @Test func `A slow avatar delays only its own notification, and only briefly`() async throws {
        let isOver = Shared(false)
        let pictures = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.waitForClose()
            isOver.value = true
        }
        let patience = ManualTime()
        let queue = queue(patience: patience, picturesOf: pictures)
        let start = patience.uptime
        try await runQueueAndAvatars(queue) {
            try fixture.accept(
                reply("m1", in: "a", from: pictures.url + "/ann.gif"), reply("m2", in: "b", from: nil),
                reply("m3", in: "c", from: pictures.url + "/bob.gif"))
            try await patience.advance(until: "the replies are shown") { try fixture.pending().isEmpty }
            #expect(!isOver.value)
            #expect(patience.uptime - start < .seconds(2))
            // Another notification with the same avatar does not wait for another download.
            #expect(queue.avatars.beginDownloads(from: [pictures.url + "/ann.gif"]).addresses.isEmpty)
        }
        #expect(server.shown.map(\.notification.body) == ["text of m2", "text of m1", "text of m3"])
        #expect(server.shown.allSatisfy { $0.notification.imagePath == nil })
    }

    @Test func `An avatar that cannot be downloaded does not delay a notification`() async throws {
        let pictures = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.answer("404 Not Found") }
        }
        let queue = queue(picturesOf: pictures)
        try await runQueueAndAvatars(queue) {
            let wait = queue.avatars.beginDownloads(from: [
                pictures.url + "/ann.gif", "http://elsewhere.example/a.gif",
            ])
            #expect(wait.addresses == [pictures.url + "/ann.gif"])
            try await queue.avatars.waitForDownloads(wait)
            // The wait ended because the download finished, and not because of the timeout.
            #expect(queue.avatars.isFinished(wait))
        }
    }
}
