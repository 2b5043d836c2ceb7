import Config
import CutieAPI
import EventLog
import FeedPolicy
import FoundationEssentials
import Reasons
@_spi(Accounts) import Store

/// Sends one outbox item and applies the API's response.
struct Delivery {
    let item: OutboxRecord
    let account: Account
    let client: APIClient
    let ingest: Ingest
    private let runtime: RuntimeEnvironment

    init(
        of item: OutboxRecord, account: Account, client: APIClient, ingest: Ingest,
        runtime: RuntimeEnvironment
    ) {
        (self.item, self.account, self.client) = (item, account, client)
        (self.ingest, self.runtime) = (ingest, runtime)
    }

    /// Sends the item and returns the IDs of the conversation and the message. `mayHaveArrived`: whether the
    /// server may have processed a previous attempt.
    func send(mayHaveArrived: Bool) async throws -> (Conversation.ID?, Message.ID?) {
        guard let payload = try? JSON.decode(OutboxPayload.self, from: item.payload.utf8) else {
            throw APIFailure.fatal(Reason(.itemUnsupported))
        }
        switch payload {
        case .conversation(let category, let title, let text):
            return try await createConversation(
                category: category, title: title, text: text, mayHaveArrived: mayHaveArrived)
        case .message(let text):
            return try await postMessage(text, mayHaveArrived: mayHaveArrived)
        case .read(let newest):
            try await markRead(upTo: newest)
            return (item.conversation, nil)
        case .revocation: throw APIFailure.fatal(Reason(.itemOfIssuer))
        case .staff(let work): return try await performStaffAction(work, mayHaveArrived: mayHaveArrived)
        }
    }

    private func createConversation(
        category: CutieAPI.Category, title: String?, text: String, mayHaveArrived: Bool
    ) async throws -> (Conversation.ID?, Message.ID?) {
        if mayHaveArrived, let arrived = try await findCreatedConversation(withText: text, title: title) {
            try removeItem(recordingConversation: arrived.id, message: arrived.firstMessage?.id) {
                try $0.addCreatedConversation(arrived)
            }
            return (arrived.id, arrived.firstMessage?.id)
        }
        guard let device = account.device else {
            throw APIFailure.fatal(Reason(.onlyDevicesStart))
        }
        let new = NewConversation(
            category: category, initialMessage: text, appID: device.appID, title: title,
            userID: client.profile.userID, userName: client.profile.userName, device: device.facts)
        let created = try await client.send(.createConversation(new, idempotencyKey: item.idempotencyKey))
        // If the response contains only the conversation's ID, fetch the conversation to obtain the message.
        let fetched = created.message == nil ? try? await client.send(.conversation(created.id)) : nil
        let message = created.message ?? fetched?.firstMessage?.id
        try removeItem(recordingConversation: created.id, message: message) { change in
            try change.addCreatedConversation(from: created, category: category, title: title, text: text)
            if let fetched { try change.addCreatedConversation(fetched) }
        }
        return (created.id, message)
    }

    func postMessage(
        _ text: String, isNote: Bool = false, mayHaveArrived: Bool
    ) async throws -> (Conversation.ID?, Message.ID?) {
        guard let conversation = item.conversation else {
            throw APIFailure.fatal(Reason(.itemWithoutConversation))
        }
        let sent: Message
        if mayHaveArrived,
            let arrived = try await findSentMessage(withText: text, isNote: isNote, in: conversation)
        {
            sent = arrived
        } else {
            sent = try await client.send(
                .sendMessage(
                    makeMessage(text, isNote: isNote), to: conversation,
                    idempotencyKey: item.idempotencyKey))
        }
        try removeItem(recordingConversation: conversation, message: sent.id) {
            try $0.addOwnMessage(sent, in: conversation)
        }
        return (conversation, sent.id)
    }

    private func makeMessage(_ text: String, isNote: Bool) -> NewMessage {
        switch account.kind {
        case .device: NewMessage(text: text, userName: client.profile.userName)
        case .staff, .identity: NewMessage(text: text, isInternalNote: isNote)
        }
    }

    /// Marks messages up to `messageID` as read. A delayed call must not mark messages that arrived later. If
    /// the server may not support the limit `messageID` and a newer message is unread, skips the call,
    /// because the server would also mark that message.
    private func markRead(upTo messageID: Message.ID) async throws {
        guard let conversation = item.conversation else { return }
        let age = runtime.now() - item.createdAt
        // The age is negative if the clock was set back: the real age is unknown, so the item is not fresh.
        let fresh = item.attempts == 0 && (.zero ..< .seconds(2)).contains(age)
        var mayCall = try fresh || supportsReadBounds()
        if !mayCall { mayCall = try await !hasNewerMessage(than: messageID, in: conversation) }
        if mayCall {
            let answer = try await client.send(.markMessagesRead(in: conversation, upTo: messageID))
            if answer.upTo == messageID {
                try ingest.store.write { try $0.settings.setValue(of: readBoundsSetting, to: true) }
            }
        }
        try removeItem { _ in }
    }

    private func hasNewerMessage(than messageID: Message.ID, in conversation: Conversation.ID)
        async throws
        -> Bool
    {
        let thread = try await client.send(.conversation(conversation)).messages ?? []
        let replies = thread.filter(ingest.perspective(of: account.id).isReply)
        return try ingest.store.read { transaction in
            try transaction.replies.countReplies(in: conversation, account: account.id, after: messageID) > 0
                || replies.contains {
                    try !transaction.messages.wasEverStored($0.id, in: conversation, account: account.id)
                }
        }
    }

    private var readBoundsSetting: StoredSetting<Bool> { StoredSetting("knows-up-to", of: account.id) }

    private func supportsReadBounds() throws -> Bool {
        try ingest.store.read { try $0.settings.fetchValue(of: readBoundsSetting) } ?? false
    }

    /// Removes the item from the outbox in the transaction that applies the response, so that the item is
    /// never sent again and a repeated call returns the stored result.
    func removeItem(
        recordingConversation conversation: Conversation.ID? = nil, message: Message.ID? = nil,
        _ body: (AccountTransaction) throws -> Void
    ) throws {
        let leave = { (transaction: Transaction) throws in
            try transaction.outbox.remove(item.id)
            guard item.readBound == nil else { return }
            try transaction.sent.insertResult(ofItem: item.id, conversation: conversation, message: message)
        }
        // If the account was removed from the configuration while the request was in flight, remove the item
        // without applying the response to the account.
        guard ingest.isOpen(account.id) else { return try ingest.store.write(leave) }
        try ingest.performChange(on: account.id) { change in
            try body(change)
            try leave(change.transaction)
        }
    }
}

// MARK: - Duplicate detection
//
// If a response was lost, the server may already have the message. If the server is not known to support
// idempotency keys, a stored message with the same text shows that the item arrived.

extension Delivery {
    /// The maximum error of the estimated server clock.
    private static let clockTolerance: Duration = .seconds(300)

    /// The creation time of the item according to the server's clock. With the local clock, which may be
    /// hours ahead, the user's own message could look older than the item.
    private var writtenAt: Timestamp {
        let ahead = ingest.clocks.currentTime(of: account.id).map { runtime.now() - $0 } ?? .zero
        return item.createdAt - ahead
    }

    private func findSentMessage(
        withText text: String, isNote: Bool, in conversation: Conversation.ID
    ) async throws -> Message? {
        let thread = try await client.send(.conversation(conversation))
        return try thread.messages?.first {
            try $0.isInternalNote == isNote && isSentMessage($0, in: conversation, text: text)
        }
    }

    private func findCreatedConversation(withText text: String, title: String?) async throws -> Conversation?
    {
        let page = try await client.send(.listConversations(limit: 20, offset: 0))
        for listed in page.conversations where listed.title == title {
            let thread = try await client.send(.conversation(listed.id))
            if let first = thread.firstMessage, try isSentMessage(first, in: listed.id, text: text) {
                return thread
            }
        }
        return nil
    }

    /// Returns whether `message` was created from this item. A poll may already have stored the message.
    /// Excludes a message that an earlier request from this daemon created, which may have the same
    /// text.
    private func isSentMessage(
        _ message: Message, in conversation: Conversation.ID, text: String
    ) throws -> Bool {
        guard ingest.perspective(of: account.id).isOwnMessage(message), message.text == text,
            message.createdAt >= writtenAt - Self.clockTolerance
        else { return false }
        return try ingest.store.read {
            try !AccountTransaction.wasCreatedByRequest(
                message.id, in: conversation, account: account.id, transaction: $0)
        }
    }
}
