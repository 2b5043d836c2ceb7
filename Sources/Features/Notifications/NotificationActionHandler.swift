package import CutieAPI
import Domain
import Localization
package import Logging
package import NotificationPolicy
import Reasons
import Store

/// The actions on conversations that notifications offer.
package protocol ConversationActions: AnyObject {
    /// Returns an account's name; `nil` if the account is no longer configured.
    func name(of account: AccountID) -> String?
    /// Marks messages as read. Messages after `messageID` stay unread; `nil` marks all.
    func markRead(_ conversation: Conversation.ID, of account: AccountID, upTo messageID: Message.ID?) throws
    /// Records that the user opens a conversation. Returns whether an app shows the conversation; if so,
    /// the caller need not start a program.
    func recordOpening(of conversation: Conversation.ID, account: AccountID, message: Message.ID?) throws
        -> Bool
    /// Assigns a conversation to the user.
    func assignToMe(_ conversation: Conversation.ID, of account: AccountID) throws
    /// Sends a message. If the message cannot be sent now, the message stays in the outbox, and the user is
    /// notified of the reason.
    func send(_ text: String, in conversation: Conversation.ID, of account: AccountID) throws
    /// Retries failed outbox items. Items that no longer exist are ignored.
    func retryItems(withIDs items: [String]) throws
    /// Reconnects all accounts now.
    func reconnect() throws
    /// Returns the page on which the user compares the sign-in code; `nil` if no sign-in is in progress.
    func verificationPage(of account: AccountID) -> String?
}

/// Handles the user's actions on notifications: open, reply, mark read, answer, dismiss.
/// `NotificationScreen` maps IDs to owners.
package final class NotificationActionHandler {
    /// The slow part of an action: starting a program.
    private typealias ProgramStart = @MainActor @Sendable () async -> Void

    private let screen: NotificationScreen
    private let store: MessageStore
    private let actions: any ConversationActions
    private let opener: Opener
    private let questions: Questions
    private let logger: Logger

    package init(
        screen: NotificationScreen, actions: any ConversationActions, opener: Opener, questions: Questions,
        logger: Logger
    ) {
        (self.screen, self.actions, self.opener) = (screen, actions, opener)
        (self.questions, store, self.logger) = (questions, questions.store, logger)
    }

    /// Handles events until the task is cancelled. A program that starts slowly does not delay other clicks.
    package func handleEvents(_ events: AsyncStream<NotificationEvent>) async throws {
        await withDiscardingTaskGroup { group in
            for await event in events {
                do {
                    switch event {
                    case .action(let id, let name, let token):
                        guard
                            let start = try performAction(
                                named: name, onNotification: id, activationToken: token)
                        else { continue }
                        group.addTask { await start() }
                    case .reply(let id, let text): await sendReply(text, typedIntoNotification: id)
                    case .closed(let id, let reason):
                        guard let owner = try screen.handleClosedNotification(id, reason: reason) else {
                            continue
                        }
                        if case .question(let question) = owner {
                            try questions.handleClosedNotification(ofQuestion: question, reason: reason)
                        }
                    }
                } catch {
                    logger.error("a click on a notification failed", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    /// The error if the notification does not offer the action. A server that reports a wrong ID must not
    /// open anything.
    private struct NotOffered: Error, CustomStringConvertible {
        let name: String
        var description: String { "the notification does not offer “\(name)”" }
    }

    private func performAction(named name: String, onNotification id: UInt32, activationToken: String?) throws
        -> ProgramStart?
    {
        guard let (owner, notification) = screen.notification(withID: id) else { return nil }
        guard let action = NotificationAction(rawValue: name), notification.actions.contains(action) else {
            throw NotOffered(name: name)
        }
        switch owner {
        case .reply, .summary, .reminder:
            return try performAction(
                action, on: owner, notification: notification, activationToken: activationToken)
        case .failure(let items):
            return try performAction(action, forFailedItems: items, activationToken: activationToken)
        case .question(let question) where [.open, .choose].contains(action):
            questions.stopShowingNotification(ofQuestion: question)
            return { [opener] in await opener.openQuestions(activationToken: activationToken) }
        case .question(let question):
            return { [questions] in
                await questions.handleClick(onQuestion: question, isAllowed: action == .allow)
            }
        case .outage:
            try actions.reconnect()
            return nil
        case .signIn(let account):
            let page = actions.verificationPage(of: account)
            return { [opener] in await opener.openSignIn(at: page, activationToken: activationToken) }
        }
    }

    private func performAction(
        _ action: NotificationAction, on owner: NotificationOwner, notification: ShownNotification,
        activationToken: String?
    ) throws -> ProgramStart? {
        guard let (account, conversation) = try findConversation(of: owner, notification: notification),
            let name = actions.name(of: account)
        else { return nil }
        switch action {
        case .markRead:
            try actions.markRead(conversation, of: account, upTo: nil)
            return nil
        case .assignToMe:
            try actions.assignToMe(conversation, of: account)
            return nil
        case .reply:
            let link = DeepLink.conversation(
                conversation, account: name,
                message: try findNewestMessage(in: conversation, of: account, notification: notification))
            return { [opener] in await opener.openComposer(for: link, activationToken: activationToken) }
        default:
            let message = try findNewestMessage(in: conversation, of: account, notification: notification)
            if try actions.recordOpening(of: conversation, account: account, message: message) { return nil }
            let link = DeepLink.conversation(conversation, account: name, message: message)
            return { [opener] in await opener.open(link, activationToken: activationToken) }
        }
    }

    /// Handles an action on a notification about messages that were not sent.
    private func performAction(
        _ action: NotificationAction, forFailedItems items: [String], activationToken: String?
    ) throws
        -> ProgramStart?
    {
        guard action != .retry else {
            try actions.retryItems(withIDs: items)
            return nil
        }
        let item = try store.read { transaction in
            try items.lazy.compactMap { try transaction.outbox.findItem($0) }.first
        }
        guard let item, let conversation = item.conversation,
            let name = actions.name(of: item.account)
        else { return nil }
        return { [opener] in
            await opener.open(.conversation(conversation, account: name), activationToken: activationToken)
        }
    }

    /// Returns the conversation of a notification; for the summary, its newest conversation.
    private func findConversation(
        of owner: NotificationOwner, notification: ShownNotification
    ) throws -> (AccountID, Conversation.ID)? {
        switch owner {
        case .reply(let account, let conversation), .reminder(let account, let conversation):
            (account, conversation)
        case .summary where notification.members > 0: try store.read { try $0.summary.fetchNewest() }
        default: nil
        }
    }

    /// Returns the newest message of the notification. The notification shows the text of this message, and
    /// the user answers this message. The user has not seen messages that arrived later.
    private func findNewestMessage(
        in conversation: Conversation.ID, of account: AccountID, notification: ShownNotification
    ) throws -> Message.ID? {
        try store.read {
            try $0.replies.findNewest(
                in: conversation, account: account, upToSequence: notification.lastSequence)
        }
    }
}

/// Replies typed into a notification. The text is never lost: it is stored in the outbox or shown in an error
/// notification.
extension NotificationActionHandler {
    private func sendReply(_ text: String, typedIntoNotification id: UInt32) async {
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return }
        let text = String(text[...end])
        do {
            try send(text, typedIntoNotification: id)
        } catch {
            logger.error("a reply from a notification was not accepted", metadata: ["reason": "\(error)"])
            let reason = Reason(describing: error).localizedForNotification
            var notification = DesktopNotification.makeNotice(
                summary: localized("Not sent"), body: "\(reason)\n\(text)", category: "im.error")
            (notification.urgency, notification.expireMilliseconds) = (.critical, 0)
            await screen.showNotice(notification)
        }
    }

    private func send(_ text: String, typedIntoNotification id: UInt32) throws {
        guard let (owner, notification) = screen.notification(withID: id),
            let (account, conversation) = try findConversation(of: owner, notification: notification),
            actions.name(of: account) != nil
        else {
            throw ReplyRejected(reason: Reason(.conversationForgotten))
        }
        guard text.utf8.count <= TextLimit.message else {
            throw ReplyRejected(reason: Reason(.textTooLong))
        }
        let seen = try findNewestMessage(in: conversation, of: account, notification: notification)
        try actions.send(text, in: conversation, of: account)
        if let seen { try actions.markRead(conversation, of: account, upTo: seen) }
    }

    /// The error when the text cannot be stored. The error notification repeats the text for the user to
    /// copy.
    private nonisolated struct ReplyRejected: ReasonedError {
        let reason: Reason
    }
}
