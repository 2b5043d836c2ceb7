import Config
import CutieAPI
import FoundationEssentials
import Inbox
import Store

extension Outbox {
    /// Sends one item and takes what the API answers. `afterDoubt`: an earlier attempt may have arrived.
    func deliver(
        _ item: OutboxRecord, afterDoubt: Bool
    ) async throws -> (Conversation.ID?, Message.ID?) {
        guard let payload = try? JSON.decode(OutboxPayload.self, from: item.payload.utf8) else {
            throw APIFailure.fatal("this version of cutied does not know what it is")
        }
        switch payload {
        case .conversation(let category, let title, let text):
            return try await create(
                item, category: category, title: title, text: text, afterDoubt: afterDoubt)
        case .message(let text):
            return try await post(text, item, afterDoubt: afterDoubt)
        case .read(let newest):
            try await markRead(item, upTo: newest)
            return (item.conversation, nil)
        }
    }

    private func create(
        _ item: OutboxRecord, category: CutieAPI.Category, title: String?, text: String, afterDoubt: Bool
    ) async throws -> (Conversation.ID?, Message.ID?) {
        if afterDoubt, let arrived = try await findConversation(like: text, title: title, since: item) {
            try finish(item, arrived.id, arrived.firstMessage?.id) { try $0.takeBegun(arrived) }
            return (arrived.id, arrived.firstMessage?.id)
        }
        let new = NewConversation(
            category: category, initialMessage: text, appID: account.credential.appID, title: title,
            userID: client.profile.userID, userName: client.profile.userName, device: account.facts)
        let created = try await client.send(.createConversation(new, idempotencyKey: item.idempotencyKey))
        // Only its id is certain: which message it made, the conversation tells.
        let fetched = created.message == nil ? try? await client.send(.conversation(created.id)) : nil
        let message = created.message ?? fetched?.firstMessage?.id
        try finish(item, created.id, message) { change in
            try change.begin(created, category: category, title: title, text: text)
            if let fetched { try change.takeBegun(fetched) }
        }
        return (created.id, message)
    }

    private func post(
        _ text: String, _ item: OutboxRecord, afterDoubt: Bool
    ) async throws -> (Conversation.ID?, Message.ID?) {
        guard let conversation = item.conversation else { throw APIFailure.fatal("it has no conversation") }
        let sent: Message
        if afterDoubt, let arrived = try await findMessage(like: text, in: conversation, since: item) {
            sent = arrived
        } else {
            sent = try await client.send(
                .sendMessage(
                    NewMessage(text: text, userName: client.profile.userName), to: conversation,
                    idempotencyKey: item.idempotencyKey))
        }
        try finish(item, conversation, sent.id) { try $0.takeOwn(sent, in: conversation) }
        return (conversation, sent.id)
    }

    /// A mark-read that waited covers only what was here then. Where the server may not know bounds and
    /// something newer is unread, the call is left out: it would mark the newer one read unseen.
    private func markRead(_ item: OutboxRecord, upTo newest: Message.ID) async throws {
        guard let conversation = item.conversation else { return }
        let age = surroundings.now() - item.createdAt
        // Less than nothing: the clock was put back, and it may have waited for long.
        let fresh = item.attempts == 0 && (.zero ..< .seconds(2)).contains(age)
        var mayCall = try fresh || knowsBounds()
        if !mayCall { mayCall = try await !hasNewer(than: newest, in: conversation) }
        if mayCall {
            let answer = try await client.send(.markAllRead(conversation, upTo: newest))
            if answer.upTo == newest {
                try ingest.store.write { try $0.setSetting(boundsSetting, to: "yes") }
            }
        }
        try finish(item) { _ in }
    }

    private func hasNewer(than newest: Message.ID, in conversation: Conversation.ID) async throws -> Bool {
        let thread = try await client.send(.conversation(conversation)).messages ?? []
        let replies = thread.filter(Perspective.person.isNews)
        return try ingest.store.read { transaction in
            try transaction.replyCount(in: conversation, account: account.id, after: newest) > 0
                || replies.contains {
                    try !transaction.hasSeen($0.id, in: conversation, account: account.id)
                }
        }
    }

    private var boundsSetting: String { "knows-up-to/\(account.id.rawValue)" }

    private func knowsBounds() throws -> Bool {
        try ingest.store.read { try $0.setting(boundsSetting) } != nil
    }

    /// The item leaves the outbox in the transaction that takes its answer: it is never sent again, and who
    /// repeats the call is told what became of it.
    private func finish(
        _ item: OutboxRecord, _ conversation: Conversation.ID? = nil, _ message: Message.ID? = nil,
        _ body: (inout Change) throws -> Void
    ) throws {
        let leave = { (transaction: Transaction) throws in
            try transaction.deleteOutbox(item.id)
            guard item.readBound == nil else { return }
            try transaction.noteSent(item.id, conversation: conversation, message: message)
        }
        // Taken out of the configuration while this was on its way.
        guard ingest.isOpen(account.id) else { return try ingest.store.write(leave) }
        try ingest.change(account.id) { change in
            try body(&change)
            try leave(change.transaction)
        }
    }
}
