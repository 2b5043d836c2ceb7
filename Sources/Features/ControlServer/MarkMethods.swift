import Accounts
import ControlAPI
import CutieAPI
import EventLog
import NotificationPolicy
import Notifications
import Store
import VarlinkSocket

/// The handlers for the marks on conversations that exist only on this device.
struct MarkMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let attention: NotificationController

    var implementation: Implementation { Implementation().on(mute).on(unmute).on(markUnread) }

    func mute(_ call: Mute) throws -> Mute.Reply {
        try mark(call.conversation, named: call.account) { $0.isMuted = true }
        return .init()
    }

    func unmute(_ call: Unmute) throws -> Unmute.Reply {
        try mark(call.conversation, named: call.account) { $0.isMuted = false }
        return .init()
    }

    func markUnread(_ call: MarkUnread) throws -> MarkUnread.Reply {
        try mark(call.conversation, named: call.account) { $0.isUnread = true }
        return .init()
    }

    /// Changes the marks in all accounts of the same inbox, because each of them may announce a reply.
    private func mark(
        _ conversation: String, named name: String?, _ change: (inout ConversationMarks) -> Void
    ) throws {
        let id = Conversation.ID(conversation)
        let account = try accounts.holding(conversation, named: name).account.id
        for account in [account] + ingest.inboxes.siblings(of: account) {
            try ingest.change(account) { try $0.mark(id, change) }
        }
        try attention.loadMuted()
    }
}
