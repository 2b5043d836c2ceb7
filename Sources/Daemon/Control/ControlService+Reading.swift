import ControlAPI
import CutieAPI
import Store

extension ControlService {
    func listConversations(_ call: ListConversations) throws -> ListConversations.Reply {
        let limit = try rows(call.limit)
        let chosen = try accounts.chosen(call.account)
        let records = try store.read { transaction in
            try chosen.flatMap {
                try transaction.conversations(
                    account: $0.account.id, unreadOnly: call.unread ?? false, limit: limit)
            }
        }
        let newest = records.sorted { $0.newest > $1.newest }.prefix(limit ?? .max)
        return ListConversations.Reply(
            conversations: newest.map { ConversationView($0, account: accounts.name(of: $0.account) ?? "") },
            badge: try badge(of: chosen))
    }

    private func rows(_ limit: Int?) throws -> Int? {
        if let limit, limit < 1 {
            throw InvalidArgument(parameter: "limit", reason: "it must be at least 1")
        }
        return limit
    }

    func getConversation(_ call: GetConversation) throws -> GetConversation.Reply {
        let limit = try rows(call.limit)
        let unit = try accounts.holding(call.conversation, named: call.account)
        let id = Conversation.ID(call.conversation)
        return try store.read { transaction in
            guard let record = try transaction.conversation(id, account: unit.account.id) else {
                throw NotFound(what: "conversation", id: call.conversation)
            }
            let messages = try transaction.messages(in: id, account: unit.account.id, limit: limit)
            return GetConversation.Reply(
                conversation: ConversationView(record, account: unit.account.name),
                messages: messages.map { MessageView($0, account: unit.account.name) })
        }
    }

    func search(_ call: Search) throws -> Search.Reply {
        let account = try call.account.map { try accounts.only($0).account.id }
        let found = try store.search(call.words, account: account, limit: rows(call.limit) ?? 50)
        return Search.Reply(
            messages: found.compactMap { record in
                accounts.name(of: record.account).map { MessageView(record, account: $0) }
            })
    }

    func listOutbox(_ call: ListOutbox) throws -> ListOutbox.Reply {
        let items = try accounts.chosen(call.account).flatMap { unit in
            try store.read { try $0.outbox(account: unit.account.id) }
                .map { OutboxItem($0, account: unit.account.name) }
        }
        return ListOutbox.Reply(items: call.account == nil ? try leftBehind() + items : items)
    }
}
