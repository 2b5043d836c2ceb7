import Config
import ControlAPI
import CutieAPI
import Inbox
import Store

extension BadgeView {
    init(_ badge: Badge, _ shares: [BadgeRecord]) {
        let counts = shares.map { ($0.conversation.rawValue, $0.badge) }
        self.init(
            total: badge.total, conversations: Dictionary(counts, uniquingKeysWith: +), unread: badge.unread)
    }
}

extension AccountView {
    init(
        _ unit: AccountUnit, badge: BadgeView, inboxOf: String?, lastEventAt: Timestamp?,
        outbox: (waiting: Int, failed: Int), now: Timestamp, uptime: Duration
    ) {
        let status = unit.feed.status
        self.init(
            name: unit.account.name, state: status.state, transport: status.transport, reason: status.reason,
            nextTryAt: status.nextTry.map { (now + ($0 - uptime)).milliseconds },
            apiUrl: unit.account.address.description, appId: unit.account.credential.appID,
            deviceId: unit.account.credential.deviceID.rawValue, badge: badge,
            lastEventAt: lastEventAt?.milliseconds, heldBack: unit.feed.ladder.isHeldBack ? true : nil,
            registration: unit.feed.authorizer.obstacle?.sentence, inboxOf: inboxOf,
            outbox: outbox.waiting, outboxFailed: outbox.failed,
            warnings: [unit.account.configuration.pinWarning(at: now), unit.feed.sync.unfetched.warning]
                .compactMap(\.self))
    }
}

extension DeviceAuthorizer.Obstacle {
    fileprivate var sentence: String {
        isLacking
            ? "the API registers no devices (\(reason)); App ID and device id are enough"
            : "the API does not register this device now (\(reason)); asked again by itself"
    }
}

extension ConversationView {
    init(_ record: ConversationRecord, account: String) {
        let conversation = record.conversation
        self.init(
            account: account, conversationId: conversation.id.rawValue, status: conversation.status.rawValue,
            title: conversation.title, category: conversation.category?.rawValue,
            priority: conversation.priority?.rawValue, appName: conversation.appName,
            messageCount: conversation.messageCount, unreadCount: record.unread, badge: record.badge,
            lastMessage: record.lastMessage, createdAt: conversation.createdAt?.milliseconds,
            updatedAt: conversation.updatedAt?.milliseconds)
        (customerId, userId, userName) = (conversation.customerID, conversation.userID, conversation.userName)
        (deviceId, assignedAdminId) = (conversation.deviceID?.rawValue, conversation.assignedAdminID)
        appId = conversation.appID
        tags = conversation.tags?.map {
            TagView(
                tagId: $0.id, conversationId: $0.conversation.rawValue, tagName: $0.name, tagColor: $0.color)
        }
    }
}

extension MessageView {
    init(_ record: MessageRecord, account: String) {
        let message = record.message
        self.init(
            account: account, messageId: message.id.rawValue, conversationId: message.conversation.rawValue,
            senderType: message.senderType.rawValue, senderId: message.senderID,
            senderName: message.senderName, senderAvatarUrl: message.senderAvatarURL, message: message.text,
            messageType: message.type, createdAt: message.createdAt.milliseconds)
    }
}

extension OutboxItem {
    init(_ record: OutboxRecord, account: String) {
        let payload = try? JSON.decode(OutboxPayload.self, from: record.payload.utf8)
        self.init(
            outboxId: record.id, account: account, kind: record.kind,
            conversationId: record.conversation?.rawValue, text: payload?.text, state: record.state.rawValue,
            attempts: record.attempts, error: record.error, createdAt: record.createdAt.milliseconds,
            nextAttemptAt: record.nextAttemptAt?.milliseconds)
    }
}

extension Watch.Reply {
    init(_ entry: LogEntry, account: String?) {
        let share = entry.conversation.flatMap { id in entry.badgeConversation.map { [id.rawValue: $0] } }
        self.init(
            sequence: entry.sequence, type: entry.type, at: entry.at.milliseconds, account: account,
            conversation: entry.conversation?.rawValue, message: entry.message?.rawValue,
            badge: BadgeView(total: entry.badgeTotal, conversations: share ?? [:], unread: entry.badgeUnread),
            state: entry.state.flatMap(ConnectionState.init(rawValue:)))
    }
}
