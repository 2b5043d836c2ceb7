import Config
import CutieAPI
import FoundationEssentials
import Inbox
import Log
@_spi(Accounts) import Store

/// Sends one item of the outbox and takes what the API answers.
struct Delivery {
    let item: OutboxRecord
    let account: Account
    let client: APIClient
    let ingest: Ingest
    private let surroundings: Surroundings

    init(
        of item: OutboxRecord, account: Account, client: APIClient, ingest: Ingest,
        surroundings: Surroundings
    ) {
        (self.item, self.account, self.client) = (item, account, client)
        (self.ingest, self.surroundings) = (ingest, surroundings)
    }

    /// Returns what was sent. `afterDoubt`: an earlier attempt may have arrived.
    func run(afterDoubt: Bool) async throws -> (Conversation.ID?, Message.ID?) {
        guard let payload = try? JSON.decode(OutboxPayload.self, from: item.payload.utf8) else {
            throw APIFailure.fatal("this version of cutied does not know what it is")
        }
        switch payload {
        case .conversation(let category, let title, let text):
            return try await create(category: category, title: title, text: text, afterDoubt: afterDoubt)
        case .message(let text):
            return try await post(text, afterDoubt: afterDoubt)
        case .read(let newest):
            try await markRead(upTo: newest)
            return (item.conversation, nil)
        case .revocation: throw APIFailure.fatal("the issuer gets it, and not the API")
        case .staff(let work): return try await carryOut(work, afterDoubt: afterDoubt)
        }
    }

    private func create(
        category: CutieAPI.Category, title: String?, text: String, afterDoubt: Bool
    ) async throws -> (Conversation.ID?, Message.ID?) {
        if afterDoubt, let arrived = try await findConversation(like: text, title: title) {
            try finish(arrived.id, arrived.firstMessage?.id) { try $0.addBegun(arrived) }
            return (arrived.id, arrived.firstMessage?.id)
        }
        guard let device = account.device else {
            throw APIFailure.fatal("only a person's device begins conversations")
        }
        let new = NewConversation(
            category: category, initialMessage: text, appID: device.appID, title: title,
            userID: client.profile.userID, userName: client.profile.userName, device: device.facts)
        let created = try await client.send(.createConversation(new, idempotencyKey: item.idempotencyKey))
        // Only its id is certain: which message it made, the conversation tells.
        let fetched = created.message == nil ? try? await client.send(.conversation(created.id)) : nil
        let message = created.message ?? fetched?.firstMessage?.id
        try finish(created.id, message) { change in
            try change.begin(created, category: category, title: title, text: text)
            if let fetched { try change.addBegun(fetched) }
        }
        return (created.id, message)
    }

    func post(
        _ text: String, isNote: Bool = false, afterDoubt: Bool
    ) async throws -> (Conversation.ID?, Message.ID?) {
        guard let conversation = item.conversation else { throw APIFailure.fatal("it has no conversation") }
        let sent: Message
        if afterDoubt, let arrived = try await findMessage(like: text, isNote: isNote, in: conversation) {
            sent = arrived
        } else {
            sent = try await client.send(
                .sendMessage(
                    newMessage(text, isNote: isNote), to: conversation,
                    idempotencyKey: item.idempotencyKey))
        }
        try finish(conversation, sent.id) { try $0.addOwn(sent, in: conversation) }
        return (conversation, sent.id)
    }

    private func newMessage(_ text: String, isNote: Bool) -> NewMessage {
        switch account.kind {
        case .device: NewMessage(text: text, userName: client.profile.userName)
        case .staff, .identity: NewMessage(text: text, isInternalNote: isNote)
        }
    }

    /// A mark-read that waited covers only what was here then. Where the server may not know bounds and
    /// something newer is unread, the call is left out: it would mark the newer one read unseen.
    private func markRead(upTo newest: Message.ID) async throws {
        guard let conversation = item.conversation else { return }
        let age = surroundings.now() - item.createdAt
        // Less than nothing: the clock was put back, and it may have waited for long.
        let fresh = item.attempts == 0 && (.zero ..< .seconds(2)).contains(age)
        var mayCall = try fresh || knowsBounds()
        if !mayCall { mayCall = try await !hasNewer(than: newest, in: conversation) }
        if mayCall {
            let answer = try await client.send(.markAllRead(conversation, upTo: newest))
            if answer.upTo == newest {
                try ingest.store.write { try $0.settings.set(boundsSetting, to: true) }
            }
        }
        try finish { _ in }
    }

    private func hasNewer(than newest: Message.ID, in conversation: Conversation.ID) async throws -> Bool {
        let thread = try await client.send(.conversation(conversation)).messages ?? []
        let replies = thread.filter(ingest.perspective(of: account.id).isReply)
        return try ingest.store.read { transaction in
            try transaction.replies.count(in: conversation, account: account.id, after: newest) > 0
                || replies.contains {
                    try !transaction.messages.hasSeen($0.id, in: conversation, account: account.id)
                }
        }
    }

    private var boundsSetting: Setting<Bool> { Setting("knows-up-to", of: account.id) }

    private func knowsBounds() throws -> Bool {
        try ingest.store.read { try $0.settings.value(of: boundsSetting) } ?? false
    }

    /// The item leaves the outbox in the transaction that takes its answer: it is never sent again, and who
    /// repeats the call is told what became of it.
    func finish(
        _ conversation: Conversation.ID? = nil, _ message: Message.ID? = nil,
        _ body: (Change) throws -> Void
    ) throws {
        let leave = { (transaction: Transaction) throws in
            try transaction.outbox.remove(item.id)
            guard item.readBound == nil else { return }
            try transaction.sent.insert(item.id, conversation: conversation, message: message)
        }
        // Taken out of the configuration while this was on its way.
        guard ingest.isOpen(account.id) else { return try ingest.store.write(leave) }
        try ingest.change(account.id) { change in
            try body(change)
            try leave(change.transaction)
        }
    }
}

/// Looks before sending again: where the answer was lost and the server may not know keys, our text
/// being there tells that it arrived.
extension Delivery {
    /// What is reckoned of the server's clock may be off by this much.
    private static let skew: Duration = .seconds(300)

    /// When the item was written, by the server's clock: ours may be hours ahead, and our own words would look
    /// like older ones.
    private var writtenAt: Timestamp {
        let ahead = ingest.clocks.now(of: account.id).map { surroundings.now() - $0 } ?? .zero
        return item.createdAt - ahead
    }

    private func findMessage(
        like text: String, isNote: Bool, in conversation: Conversation.ID
    ) async throws -> Message? {
        let thread = try await client.send(.conversation(conversation))
        return try thread.messages?.first {
            try $0.isInternalNote == isNote && isOurs($0, of: conversation, text)
        }
    }

    private func findConversation(like text: String, title: String?) async throws -> Conversation? {
        let page = try await client.send(.listConversations(limit: 20, offset: 0))
        for listed in page.conversations where listed.title == title {
            let thread = try await client.send(.conversation(listed.id))
            if let first = thread.firstMessage, try isOurs(first, of: listed.id, text) {
                return thread
            }
        }
        return nil
    }

    /// It may be here already: a poll brings our own words, too.
    private func isOurs(
        _ message: Message, of conversation: Conversation.ID, _ text: String
    ) throws -> Bool {
        guard ingest.perspective(of: account.id).isOwn(message), message.text == text,
            message.createdAt >= writtenAt - Self.skew
        else { return false }
        return try ingest.store.read {
            try !Change.isAnswer(message.id, in: conversation, account: account.id, $0)
        }
    }
}
