import ControlAPI
import Testing

@testable import Control

struct ActionTextTests {
    static let replies: [(any HumanReadable, String)] = [
        (CreateConversation.Reply(conversationId: "conv_1", queued: false), "conv_1\n"),
        (CreateConversation.Reply(queued: true, outboxId: "7"), "queued\n"),
        (SendMessage.Reply(messageId: "msg_1", queued: false), "msg_1\n"),
        (SendMessage.Reply(queued: true, outboxId: "7"), "queued\n"),
        (RetryOutbox.Reply(conversationId: "conv_1", messageId: "msg_1", queued: false), "msg_1\n"),
        (RetryOutbox.Reply(conversationId: "conv_1", queued: false), "conv_1\n"),
        (RetryOutbox.Reply(queued: true, outboxId: "7"), "queued\n"),
        (RetryOutbox.Reply(queued: false), "sent\n"),
        (MarkRead.Reply(conversations: 1, queued: false), "1 conversation marked as read\n"),
        (
            MarkRead.Reply(conversations: 2, queued: true),
            "2 conversations marked as read, queued for the server\n"
        ),
        (
            ClearBadge.Reply(badge: BadgeView(total: 0, conversations: [:], unread: 0), queued: false),
            "badge 0\n"
        ),
        (
            ClearBadge.Reply(badge: BadgeView(total: 0, conversations: [:], unread: 4), queued: false),
            "badge 0 (4 unread on the server)\n"
        ),
        (Pause.Reply(), "paused until `cutied ctl resume`\n"),
        (Pause.Reply(pausedUntil: noon + 90 * minute), "paused until 15:30\n"),
        (
            Pause.Reply(pausedUntil: noon + 300 * 24 * 60 * minute), "paused until 2026-09-17 14:00\n"
        ),
        (Pause.Reply(private: true), "notifications without names and text until `cutied ctl resume`\n"),
        (Notifications.Reply(enabled: false), "notifications off\n"),
        (Resume.Reply(), "notifications are no longer paused\n"),
    ]

    @Test func `The result of each action is printed on one line`() {
        for (reply, expected) in Self.replies { #expect(reply.text(in: .plain) == expected) }
    }

    static let entries: [(Watch.Reply, String)] = [
        (
            Watch.Reply(sequence: 1, type: .snapshot, at: noon, badge: .three, state: .connected),
            "2025-11-21 14:00:00  snapshot  connected, badge 3\n"
        ),
        (
            Watch.Reply(
                sequence: 2, type: .messageCreated, at: noon, account: "default", conversation: "conv_1",
                message: "msg_1", badge: .three, data: LogDetails(message: .sample(text: "a\nb"))),
            "2025-11-21 14:00:00  message.created  conv_1  Anna: a b\n"
        ),
        (
            Watch.Reply(
                sequence: 3, type: .state, at: noon, account: "work", state: .offline,
                data: LogDetails(transport: "none", reason: "no route to host")),
            "2025-11-21 14:00:00  state  work  offline: no route to host\n"
        ),
        (
            Watch.Reply(sequence: 4, type: .reset, at: noon),
            "2025-11-21 14:00:00  reset  earlier events are no longer in the log\n"
        ),
        (
            Watch.Reply(sequence: 5, type: .badge, at: noon, account: "default", badge: .three),
            "2025-11-21 14:00:00  badge  3\n"
        ),
        (
            Watch.Reply(sequence: 5, type: .deviceLinked, at: noon, account: "default"),
            "2025-11-21 14:00:00  device.linked\n"
        ),
        (
            Watch.Reply(sequence: 6, type: .accountAuthenticated, at: noon, account: "default"),
            "2025-11-21 14:00:00  account.authenticated  default  signed in\n"
        ),
        (
            Watch.Reply(
                sequence: 7, type: .accountUnauthenticated, at: noon, account: "work",
                data: LogDetails(reason: "signed out")),
            "2025-11-21 14:00:00  account.unauthenticated  work  not signed in: signed out\n"
        ),
        (
            Watch.Reply(
                sequence: 8, type: .accessGranted, at: noon,
                data: LogDetails(
                    app: "flatpak:org.example.Notes", appName: "Notes", services: ["Help Desk", "Files"])),
            "2025-11-21 14:00:00  access.granted  Notes at Help Desk, Files (org.example.Notes)\n"
        ),
        (
            Watch.Reply(
                sequence: 8, type: .accessRevoked, at: noon,
                data: LogDetails(app: "executable:/opt/a:b/notes:65024:20504", appName: "Notes")),
            "2025-11-21 14:00:00  access.revoked  Notes (/opt/a:b/notes)\n"
        ),
        (
            Watch.Reply(
                sequence: 8, type: .accessRefused, at: noon,
                data: LogDetails(app: "executable:/opt/notes:65024:20504")),
            "2025-11-21 14:00:00  access.refused  /opt/notes\n"
        ),
        (
            Watch.Reply(
                sequence: 9, type: .accessRequested, at: noon,
                data: LogDetails(app: "Notes", appName: "Notes", services: [])),
            "2025-11-21 14:00:00  access.requested  Notes\n"
        ),
        (
            Watch.Reply(
                sequence: 10, type: .unknown("survey.created"), at: noon, account: "default",
                conversation: "conv_1"),
            "2025-11-21 14:00:00  survey.created  conv_1\n"
        ),
        (
            Watch.Reply(
                sequence: 10, type: .state, at: noon, badge: BadgeView(total: 0, conversations: [:])),
            "2025-11-21 14:00:00  state  the outbox or the notifications changed; see `cutied ctl status`\n"
        ),
    ]

    @Test func `Each event log entry is printed on one line`() {
        for (entry, expected) in Self.entries { #expect(entry.text(in: .plain) == expected) }
    }
}
