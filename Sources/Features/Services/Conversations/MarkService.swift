package import Accounts
package import CutieAPI
import Domain
package import EventLog
package import NotificationPolicy
package import Notifications
import Reasons
package import Store

/// Changes the local marks of conversations, which are not sent to the server: muted, snoozed, unread.
package struct MarkService {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let notificationController: NotificationController
    private let runtime: RuntimeEnvironment
    /// The maximum duration of a snooze, in days.
    private static let maxDays = 3660

    package init(
        ingest: Ingest, accounts: AccountRegistry, notificationController: NotificationController,
        runtime: RuntimeEnvironment
    ) {
        (self.ingest, self.accounts, self.notificationController) = (ingest, accounts, notificationController)
        self.runtime = runtime
    }

    /// Mutes a conversation and closes its notifications.
    package func mute(_ conversation: String, account: String?) throws {
        notificationController.requestClosingNotifications(
            of: try updateMarks(of: conversation, account: account) { $0.isMuted = true })
    }

    /// Snoozes a conversation until `end` and closes its notifications. Throws if `end` is in the past or
    /// more than `maxDays` days ahead, or the conversation is resolved or closed.
    package func snooze(_ conversation: String, account: String?, until end: Timestamp) throws {
        let now = runtime.now()
        guard end > now else {
            throw ServiceError.invalidArgument(parameter: "until", reason: Reason(.timeInPast))
        }
        guard end < now + .seconds(Self.maxDays * 86_400) else {
            throw ServiceError.invalidArgument(
                parameter: "until", reason: Reason(.timeTooFar, ["days": String(Self.maxDays)]))
        }
        let owner = try accounts.findAccount(withConversation: conversation, named: account).account.id
        let record = try ingest.findConversation(Conversation.ID(conversation), of: owner)
        if let status = record?.conversation.ending {
            throw ServiceError.invalidArgument(
                parameter: "conversation",
                reason: Reason(status == .resolved ? .conversationIsResolved : .conversationIsClosed))
        }
        notificationController.requestClosingNotifications(
            of: try updateMarks(of: conversation, account: account) { $0.snoozedUntil = end })
    }

    /// Changes the marks in all accounts of the same inbox, because each account may announce a reply.
    ///
    /// - Returns: the owners of the conversation's notifications.
    @discardableResult
    package func updateMarks(
        of conversation: String, account name: String?, _ change: (inout ConversationMarks) -> Void
    ) throws -> [NotificationOwner] {
        let id = Conversation.ID(conversation)
        let account = try accounts.findAccount(withConversation: conversation, named: name).account.id
        let all = [account] + ingest.inboxes.siblings(of: account)
        for account in all { try ingest.performChange(on: account) { try $0.updateMarks(of: id, change) } }
        try notificationController.loadMutedConversations()
        return all.flatMap { [.reply($0, id), .reminder($0, id)] }
    }
}
