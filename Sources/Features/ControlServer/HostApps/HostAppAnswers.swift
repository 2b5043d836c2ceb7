import AccessAPI
import ControlAPI

/// Conversion of control socket values for apps. Other accounts and the internal data of the app's maker are
/// left out.
extension AppConversation {
    init(_ view: ConversationView) {
        self.init(
            conversationId: view.conversationId, status: view.status, title: view.title,
            category: view.category, priority: view.priority, messageCount: view.messageCount,
            unreadCount: view.unreadCount ?? 0, lastMessage: view.lastMessage, createdAt: view.createdAt,
            updatedAt: view.updatedAt)
        (customerId, userId, userName) = (view.customerId, view.userId, view.userName)
        (deviceId, assignedAdminId) = (view.deviceId, view.assignedAdminId)
        (appId, appName) = (view.appId, view.appName)
        tags = view.tags?.map {
            AppTag(
                tagId: $0.tagId, conversationId: $0.conversationId, tagName: $0.tagName,
                tagColor: $0.tagColor)
        }
    }
}

extension AppMessage {
    init(_ view: MessageView) {
        self.init(
            messageId: view.messageId, conversationId: view.conversationId, senderType: view.senderType,
            senderName: view.senderName, message: view.message, messageType: view.messageType,
            own: view.own ?? false, createdAt: view.createdAt)
        (senderId, senderAvatarUrl) = (view.senderId, view.senderAvatarUrl)
    }
}

enum HostAppFault {
    /// Returns the corresponding error of the access socket; an error that does not belong to the control
    /// socket is returned unchanged.
    static func of(_ error: any Error) -> any Error {
        switch error {
        case let fault as ControlAPI.NotFound:
            // Apps cannot name accounts, so a missing account means that the app has none.
            fault.what == "account"
                ? AccessAPI.NotConfigured() : AccessAPI.NotFound(what: fault.what, id: fault.id)
        case let fault as ControlAPI.InvalidArgument:
            AccessAPI.InvalidArgument(parameter: fault.parameter, reason: fault.reason)
        case let fault as ControlAPI.Closed:
            AccessAPI.Closed(conversation: fault.conversation, status: fault.status)
        case let fault as ControlAPI.NotAuthorized: AccessAPI.NotAuthorized(reason: fault.reason)
        case let fault as ControlAPI.Offline: AccessAPI.Offline(reason: fault.reason)
        case let fault as ControlAPI.NotOffered: AccessAPI.NotOffered(reason: fault.reason)
        case let fault as ControlAPI.Refused:
            AccessAPI.Refused(status: fault.status, code: fault.code, reason: fault.reason)
        case let fault as ControlAPI.ServerError:
            AccessAPI.ServerError(status: fault.status, reason: fault.reason)
        case let fault as ControlAPI.InvalidResponse:
            AccessAPI.ServerError(status: 200, reason: fault.reason)
        case let fault as NotSent: AccessAPI.Refused(status: 0, reason: fault.reason)
        case let fault as PresenceRequired: NotAllowed(reason: fault.reason)
        case let fault as ControlAPI.Failed: AccessAPI.Failed(reason: fault.reason)
        default: error
        }
    }
}
