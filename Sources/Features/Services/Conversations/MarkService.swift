package import Accounts
import CutieAPI
package import EventLog
package import Notifications
package import Store

/// Changes the marks on conversations that exist only on this device.
package struct MarkService {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let attention: NotificationController

    package init(ingest: Ingest, accounts: AccountRegistry, attention: NotificationController) {
        (self.ingest, self.accounts, self.attention) = (ingest, accounts, attention)
    }

    /// Changes the marks in all accounts of the same inbox, because each of them may announce a reply.
    package func mark(
        _ conversation: String, account name: String?, _ change: (inout ConversationMarks) -> Void
    ) throws {
        let id = Conversation.ID(conversation)
        let account = try accounts.holding(conversation, named: name).account.id
        for account in [account] + ingest.inboxes.siblings(of: account) {
            try ingest.change(account) { try $0.mark(id, change) }
        }
        try attention.loadMuted()
    }
}
