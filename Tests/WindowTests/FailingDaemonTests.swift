import ControlAPI
import Glibc
import TestSupport
import Testing
import VarlinkSocket

/// Tests of the window program with a daemon that returns an error.
struct FailingDaemonTests {
    private static let conversation = ConversationView(
        account: "default", conversationId: "conv_1", status: "open", title: "Question", unreadCount: 1,
        badge: 1, lastMessage: "An answer", lastMessageAt: 1_763_719_200_000)
    private static let message = MessageView(
        account: "default", messageId: "msg_1", conversationId: "conv_1", senderType: "admin",
        senderName: "Ada", message: "An answer", messageType: "text", createdAt: 1_763_719_200_000)
    private static let badge = BadgeView(conversations: [:])
    private static let status = GetStatus.Reply(
        version: "1", state: .connected, badge: badge, sequence: 1, outbox: 0, outboxFailed: 0,
        notifications: true, paused: false, private: false, notifier: NotifierView(available: true),
        accounts: [
            AccountView(
                name: "default", state: .connected, transport: "stream", apiUrl: "http://localhost",
                badge: badge)
        ])

    @Test(.timeLimit(.minutes(10)))
    func `If the daemon fails to mark a conversation read, the attempt is repeated`() async throws {
        let bus = try await PrivateBus()
        let person = try await DesktopUser(before: "cutied-inbox", on: bus)
        let home = try TemporaryDirectory()
        let daemon = try StandInDaemon()
        let (failures, successes, isWorking) = (Shared(0), Shared(0), Shared(false))
        let (entries, events) = AsyncStream.makeStream(of: Watch.Reply.self)
        try await daemon.running {
            $0.onStream(Watch.self) { _, stream in
                try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: 0))
                for await entry in entries { try await stream.send(entry) }
            }
            .on(GetStatus.self) { _ in Self.status }
            .on(ListQuestions.self) { _ in .init(questions: []) }
            .on(ListOutbox.self) { _ in .init(items: []) }
            .on(ListConversations.self) { _ in .init(conversations: [Self.conversation], badge: Self.badge) }
            .on(GetConversation.self) { _ in
                .init(conversation: Self.conversation, messages: [Self.message])
            }
            .on(MarkRead.self) { _ in
                guard isWorking.value else {
                    failures.value += 1
                    throw Failed(reason: "disk full")
                }
                successes.value += 1
                return .init(conversations: 1, queued: false)
            }
        } while: {
            let environment = bus.environment.merging(person.environment) { $1 }.merging([
                "HOME": home.path, "XDG_RUNTIME_DIR": home.path, "CUTIED_SOCKET": daemon.socket,
                "LANG": "C.UTF-8",
            ]) { $1 }
            let window = try SpawnedProgram(
                BuiltProduct.path(of: "cutied-inbox"), ["cutie://conversation/conv_1"],
                environment: environment)
            try await person.waitFor(DesktopUser.Target(role: "list item", name: "An answer"))
            try await person.waitFor(window: "Cuti-E")
            try await eventually("the daemon fails") { failures.value > 0 }
            isWorking.value = true
            // Repeats the entry, because the window may not have received the failure yet.
            var sequence: Int64 = 1
            try await eventually("the conversation is marked read") {
                sequence += 1
                events.yield(Watch.Reply(sequence: sequence, type: .badge, at: 0))
                return successes.value > 0
            }
            window.signal(SIGTERM)
            try await window.waitForExit()
            events.finish()
        }
    }
}
