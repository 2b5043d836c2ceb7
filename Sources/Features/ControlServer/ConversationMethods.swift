import Accounts
import ControlAPI
import CutieAPI
import Domain
import EventLog
import FeedPolicy
import Reasons
import Services
import Store
import VarlinkSocket

/// The handlers for stored conversations and messages.
struct ConversationMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let reader: ConversationReader

    var implementation: Implementation {
        Implementation().on(listConversations).on(requiringPresence(getConversation)).on(
            requiringPresence(search)
        ).on(requiringPresence(explain))
    }

    /// Returns a handler that first requires the user's presence at this desktop, because its replies contain
    /// message text.
    private func requiringPresence<Call: ControlMethod>(
        _ handler: @escaping @MainActor @Sendable (Call) async throws -> Call.Reply
    ) -> @MainActor @Sendable (Call) async throws -> Call.Reply {
        { call in
            try await reader.requirePresence()
            return try await handler(call)
        }
    }

    func listConversations(_ call: ListConversations) async throws -> ListConversations.Reply {
        let selection = ConversationReader.Filter(
            account: call.account, isUnread: call.unread == true, isMuted: call.muted == true,
            isSnoozed: call.snoozed == true,
            view: try call.view.map(parseInboxView(_:)))
        let found = try await reader.listConversations(matching: selection, limit: call.limit)
        let shares = try BadgeShares(of: ingest.store, includesConversations: call.badges == true)
        return ListConversations.Reply(
            conversations: found.items.map(ConversationView.init(_:)),
            badge: BadgeView(
                of: try accounts.findAccountsInBadge(named: call.account), in: ingest, shares: shares),
            cut: found.isTruncated ? true : nil)
    }

    private func parseInboxView(_ name: String) throws -> InboxView {
        guard let view = InboxView(rawValue: name) else {
            let known = InboxView.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceError.invalidArgument(
                parameter: "view", reason: Reason(.valueNotListed, ["value": name, "choices": known]))
        }
        return view
    }

    func getConversation(_ call: GetConversation) async throws -> GetConversation.Reply {
        let thread = try await reader.readThread(call.conversation, account: call.account, limit: call.limit)
        return GetConversation.Reply(
            conversation: ConversationView(thread.conversation),
            messages: thread.messages.items.map(MessageView.init(_:)),
            cut: thread.messages.isTruncated ? true : nil)
    }

    func search(_ call: Search) async throws -> Search.Reply {
        let (found, isIndexing) = try await reader.search(
            for: call.words, account: call.account, limit: call.limit)
        var reply = Search.Reply(messages: found.items.map { MessageView($0.message) })
        let matches = found.items.enumerated().flatMap { index, match in
            match.ranges.map { Search.Match(message: index, start: $0.lowerBound, length: $0.count) }
        }
        if !matches.isEmpty { reply.matches = matches }
        reply.cut = found.isTruncated ? true : nil
        reply.indexing = isIndexing ? true : nil
        return reply
    }

    func explain(_ call: Explain) throws -> Explain.Reply {
        let (message, steps) = try reader.fetchLedgerSteps(
            of: call.message, in: call.conversation, account: call.account)
        return Explain.Reply(
            message: message.map(MessageView.init(_:)), steps: steps.items.map(LedgerStep.init(_:)),
            cut: steps.isTruncated ? true : nil)
    }
}

nonisolated extension ConversationView {
    init(_ item: ConversationItem) {
        let (record, conversation) = (item.record, item.record.conversation)
        self.init(
            account: item.account, conversationId: conversation.id.rawValue,
            status: conversation.status.rawValue, title: conversation.title,
            category: conversation.category?.rawValue, priority: conversation.priority?.rawValue,
            appName: conversation.appName, messageCount: conversation.messageCount,
            unreadCount: record.unread, badge: record.badge, lastMessage: record.lastMessage,
            lastMessageAt: record.lastMessageAt?.milliseconds, lastSender: record.lastSender?.rawValue,
            createdAt: conversation.createdAt?.milliseconds,
            updatedAt: conversation.updatedAt?.milliseconds)
        (customerId, userId, userName) = (conversation.customerID, conversation.userID, conversation.userName)
        (deviceId, assignedAdminId) = (conversation.deviceID?.rawValue, conversation.assignedAdminID)
        appId = conversation.appID
        muted = record.marks.isMuted ? true : nil
        snoozedUntil = record.marks.snoozedUntil?.milliseconds
        markedUnread = record.marks.isUnread ? true : nil
        tags = conversation.tags?.map(TagView.init(_:))
    }
}

extension LedgerStep {
    init(_ entry: LedgerEntry) {
        let detail = entry.detail ?? ""
        let words: String? =
            switch entry.reason {
            case .answered: Self.answered
            case .notShown: Self.notShown + detail
            case .summary: Self.summary + ", " + detail
            case nil: entry.detail
            }
        self.init(at: entry.at.milliseconds, stage: entry.stage.rawValue, detail: words)
    }
}

nonisolated extension MessageView {
    init(_ item: MessageItem) {
        let message = item.message
        self.init(
            account: item.account, messageId: message.id.rawValue,
            conversationId: message.conversation.rawValue, senderType: message.senderType.rawValue,
            senderId: message.senderID, senderName: message.senderName,
            senderAvatarUrl: message.senderAvatarURL, message: message.text, messageType: message.type,
            own: item.isOwn, isInternalNote: item.isNote ? true : nil,
            createdAt: message.createdAt.milliseconds)
    }
}
