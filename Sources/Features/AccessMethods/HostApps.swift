package import AccessAPI
import AccessServer
package import Accounts
import CutieAPI
package import Domain
package import EventLog
import FeedPolicy
package import Services
import Store

/// The methods of the socket for apps that show the replies of their developers. An app has access only to
/// its own account.
package final class HostApps: HostAppDelegate {
    let service: HostAppService
    let ingest: Ingest
    let accounts: AccountRegistry
    let presence: PresenceCheck
    let runtime: RuntimeEnvironment
    private var conversations: ConversationReader {
        ConversationReader(ingest: ingest, accounts: accounts, presence: presence)
    }
    private var sending: SendingService { SendingService(store: ingest.store, accounts: accounts) }
    private var reading: ReadingService {
        ReadingService(ingest: ingest, accounts: accounts, runtime: runtime)
    }

    var linking: LinkingService {
        LinkingService(ingest: ingest, accounts: accounts, runtime: runtime)
    }
    var push: PushService { PushService(ingest: ingest, accounts: accounts, runtime: runtime) }

    package init(
        service: HostAppService, ingest: Ingest, accounts: AccountRegistry, presence: PresenceCheck,
        runtime: RuntimeEnvironment
    ) {
        (self.service, self.ingest, self.accounts) = (service, ingest, accounts)
        (self.presence, self.runtime) = (presence, runtime)
    }

    // MARK: The app

    package func configure(_ call: Configure, for app: AppIdentity) async throws -> Configure.Reply {
        let description = HostAppService.Description(
            appID: call.appId, name: call.appName, bundleID: call.bundleId,
            usesAttestation: call.useAppAttest == true, facts: call.deviceContext ?? [])
        let configured = try await service.findOrCreateAccount(
            for: app, description: description, apiURL: call.apiUrl)
        return .init(
            account: configured.account, apiUrl: configured.address.description,
            deviceId: configured.device?.rawValue, consent: configured.allowsCounting)
    }

    package func setAppMetadata(_ call: SetAppMetadata, for app: AppIdentity) async throws -> Done {
        try service.setVersion(call.version, build: call.build, bundleID: call.bundleId, of: app)
        return Done()
    }

    package func setUser(_ call: SetUser, for app: AppIdentity) async throws -> Done {
        let account = try service.findAccountName(of: app)
        try ProfileService(accounts: accounts).replace(
            id: call.userId, name: call.userName, account: account)
        return Done()
    }

    // MARK: Conversations

    package func createConversation(
        _ call: CreateConversation, for app: AppIdentity
    ) async throws -> CreateConversation.Reply {
        let receipt = try await sending.createConversation(
            category: call.category, title: call.title, message: call.message,
            account: service.findAccountName(of: app), idempotencyKey: call.idempotencyKey)
        return .init(
            conversationId: receipt.conversation?.rawValue, queued: receipt.isQueued,
            outboxId: receipt.queuedItem)
    }

    package func sendMessage(_ call: SendMessage, for app: AppIdentity) async throws -> SendMessage.Reply {
        let receipt = try await sending.send(
            call.message, in: call.conversation, account: service.findAccountName(of: app),
            idempotencyKey: call.idempotencyKey)
        return .init(
            messageId: receipt.message?.rawValue, queued: receipt.isQueued, outboxId: receipt.queuedItem)
    }

    package func listConversations(
        _ call: ListConversations, for app: AppIdentity
    ) async throws -> ListConversations.Reply {
        let account = try service.findAccount(of: app).account
        let found = try await conversations.listConversations(
            matching: .init(account: account.name), limit: call.limit)
        return .init(
            conversations: found.items.map(AppConversation.init(_:)), badge: ingest.badges[account.id]?.total,
            cut: found.isTruncated ? true : nil)
    }

    package func getConversation(
        _ call: GetConversation, for app: AppIdentity
    ) async throws -> GetConversation.Reply {
        let account = try service.findAccountName(of: app)
        try await conversations.requirePresence()
        let thread = try await conversations.readThread(
            call.conversation, account: account, limit: call.limit)
        return .init(
            conversation: AppConversation(thread.conversation),
            messages: thread.messages.items.map(AppMessage.init(_:)),
            cut: thread.messages.isTruncated ? true : nil)
    }

    package func markRead(_ call: MarkRead, for app: AppIdentity) async throws -> Done {
        _ = try await reading.markRead(call.conversation, account: service.findAccountName(of: app))
        return Done()
    }

    package func clearBadge(_ call: ClearBadge, for app: AppIdentity) async throws -> Done {
        _ = try await reading.clearBadge(
            of: call.conversation, account: service.findAccountName(of: app), marksRead: false)
        return Done()
    }

    // MARK: The desktop

    package func openInbox(_ call: OpenInbox, for app: AppIdentity) async throws -> Done {
        try await service.openInbox(call.conversation, for: app)
        return Done()
    }

    package func openForm(_ call: OpenForm, for app: AppIdentity) async throws -> Done {
        try await service.openForm(for: app)
        return Done()
    }

    package func checkFeedbackAppIsInstalled(_ call: AppInstalled, for app: AppIdentity) async throws
        -> AppInstalled.Reply
    {
        AppInstalled.Reply(installed: service.hasFeedbackApp)
    }

    package func openFeedbackApp(_ call: AppOpen, for app: AppIdentity) async throws -> AppOpen.Reply {
        AppOpen.Reply(link: try await service.openFeedbackApp(for: app))
    }

    package func createFeedbackAppCode(_ call: AppCode, for app: AppIdentity) async throws -> AppCode.Reply {
        let offer = try await service.createOffer(for: app)
        return AppCode.Reply(code: offer.token.rawValue, link: offer.link.text)
    }
}

extension AppConversation {
    fileprivate init(_ item: ConversationItem) {
        let conversation = item.record.conversation
        self.init(
            conversationId: conversation.id.rawValue, status: conversation.status.rawValue,
            title: conversation.title, category: conversation.category?.rawValue,
            priority: conversation.priority?.rawValue, messageCount: conversation.messageCount,
            unreadCount: item.record.unread, lastMessage: item.record.lastMessage,
            createdAt: conversation.createdAt?.milliseconds, updatedAt: conversation.updatedAt?.milliseconds)
        (customerId, userId, userName) = (conversation.customerID, conversation.userID, conversation.userName)
        (deviceId, assignedAdminId) = (conversation.deviceID?.rawValue, conversation.assignedAdminID)
        (appId, appName) = (conversation.appID, conversation.appName)
        tags = conversation.tags?.map {
            AppTag(
                tagId: $0.id, conversationId: $0.conversation.rawValue, tagName: $0.name,
                tagColor: $0.color)
        }
    }
}

extension AppMessage {
    init(_ item: MessageItem) {
        let message = item.message
        self.init(
            messageId: message.id.rawValue, conversationId: message.conversation.rawValue,
            senderType: message.senderType.rawValue, senderName: message.senderName, message: message.text,
            messageType: message.type, own: item.isOwn, createdAt: message.createdAt.milliseconds,
            senderId: message.senderID, senderAvatarUrl: message.senderAvatarURL)
    }
}
