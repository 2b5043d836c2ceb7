import ControlAPI

@testable import Control

/// 2025-11-21 14:00:00 UTC.
let noon: Int64 = 1_763_733_600_000

let minute: Int64 = 60_000

extension TextFormat {
    static let plain = TextFormat(now: noon, clock: WallClock { _ in 0 }, usesColor: false, width: 100)
}

extension BadgeView {
    static let three = BadgeView(total: 3, conversations: ["conv_1": 2, "conv_2": 1], unread: 5)
}

extension AccountView {
    static func sample(_ name: String = "default", state: ConnectionState = .connected) -> AccountView {
        AccountView(
            name: name, state: state, transport: state == .connected ? "stream" : "none",
            apiUrl: "http://127.0.0.1:8787", appId: "app_sandbox", deviceId: "device_1", badge: .three,
            lastEventAt: noon - 3 * minute)
    }
}

extension GetStatus.Reply {
    static func sample(
        accounts: [AccountView] = [.sample()], badge: BadgeView = .three
    ) -> GetStatus.Reply {
        GetStatus.Reply(
            version: "0.1.0", state: accounts.first?.state ?? .starting, badge: badge, sequence: 42,
            outbox: 0,
            notifications: true, paused: false,
            notifier: NotifierView(available: true, server: "dunst 1.9.0"),
            accounts: accounts)
    }
}

extension ConversationView {
    static func sample(
        _ id: String = "conv_1", account: String = "default", title: String? = "Crash on start",
        unread: Int? = 2
    ) -> ConversationView {
        ConversationView(
            account: account, conversationId: id, status: "open", title: title, category: "bug",
            unreadCount: unread, badge: unread ?? 0, lastMessage: "Thanks!\nWe look at it.",
            lastMessageAt: noon - 3 * minute, createdAt: noon - 60 * minute, updatedAt: noon)
    }
}

extension TagView {
    static func sample(_ name: String) -> TagView {
        TagView(tagId: "tag_" + name, conversationId: "conv_1", tagName: name)
    }
}

extension MessageView {
    static func sample(
        _ id: String = "msg_1", text: String = "It is fixed.", sender: String = "admin",
        name: String? = "Anna"
    ) -> MessageView {
        MessageView(
            account: "default", messageId: id, conversationId: "conv_1", senderType: sender,
            senderName: name, message: text, messageType: "text", createdAt: noon - 3 * minute)
    }
}
