package import Accounts
package import CutieAPI
package import EventLog
package import Logging
import Notifications
import Reasons
import Store

/// Executes the actions of notifications: marking as read, replying, retrying.
package final class AccountConversationActions: ConversationActions {
    private let accounts: AccountRegistry
    private let openings: OpeningRegister
    private let logger: Logger

    package init(_ accounts: AccountRegistry, openings: OpeningRegister, logger: Logger) {
        (self.accounts, self.openings, self.logger) = (accounts, openings, logger)
    }

    package func name(of account: AccountID) -> String? { accounts.name(of: account) }

    package func markRead(_ conversation: Conversation.ID, of account: AccountID, upTo messageID: Message.ID?)
        throws
    {
        _ = try accounts[account]?.outbox.markRead(conversation, upTo: messageID)
    }

    package func recordOpening(of conversation: Conversation.ID, account: AccountID, message: Message.ID?)
        -> Bool
    {
        do {
            return try openings.recordOpening(
                of: conversation, account: account, message: message, source: .notification)
        } catch {
            // Continue if the opening cannot be logged, for example on a full disk: the conversation is shown
            // anyway.
            logger.error("an opened conversation was not logged", metadata: ["reason": "\(error)"])
            return false
        }
    }

    package func assignToMe(_ conversation: Conversation.ID, of account: AccountID) throws {
        guard let unit = accounts[account], let signedInUser = try unit.readSignedInUser(),
            signedInUser.isPerson
        else { return }
        _ = try unit.outbox.enqueue(.staff(.assign(to: signedInUser.adminID)), in: conversation)
    }

    package func send(_ text: String, in conversation: Conversation.ID, of account: AccountID) throws {
        guard let unit = accounts[account] else { return }
        if let reason = try findHoldReason(for: conversation, of: unit) {
            try unit.outbox.enqueueHeld(.message(text), in: conversation, reason: reason)
        } else {
            _ = try unit.outbox.enqueue(.message(text), in: conversation)
        }
    }

    package func retryItems(withIDs items: [String]) throws {
        for (unit, item) in try accounts.findOutboxItems(withIDs: items) {
            try unit.outbox.retryItem(item.id)
        }
    }

    package func reconnect() throws {
        for unit in accounts.units { try unit.reconnect() }
    }

    package func verificationPage(of account: AccountID) -> String? {
        accounts[account]?.signIn?.offer?.link
    }

    /// Returns the reason why a reply must wait for the user's confirmation; `nil` if it can be sent.
    private func findHoldReason(for conversation: Conversation.ID, of unit: AccountUnit) throws -> Reason? {
        if let status = try unit.outbox.finalStatus(of: conversation) {
            return Reason(status == .resolved ? .replyToResolved : .replyToClosed)
        }
        return try unit.reasonMessagesCannotBeQueued()
    }
}
