import ControlAPI
import CutieAPI
import Store

extension ControlService {
    func listConversations(_ call: ListConversations) throws -> ListConversations.Reply {
        let limit = try rows(call.limit)
        let chosen = try accounts.counting(call.account)
        let records = try store.read { transaction in
            try chosen.flatMap {
                try transaction.conversations(
                    account: $0.account.id, unreadOnly: call.unread ?? false,
                    limit: min(limit ?? .max, ReplyRoom.mostConversations + 1))
            }
        }
        let newest = records.sorted { $0.sortedAt > $1.sortedAt }.prefix(limit ?? .max)
        let badge = try badge(of: chosen)
        var room = ReplyRoom(beside: badge.conversations.keys.reduce(0) { $0 + $1.jsonSize + 24 })
        var conversations: [ConversationView] = []
        for record in newest {
            let view = ConversationView(record, account: accounts.name(of: record.account) ?? "")
            guard let view = room.take(view) else { break }
            conversations.append(view)
        }
        return ListConversations.Reply(
            conversations: conversations, badge: badge, cut: room.isCut ? true : nil)
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
            var room = ReplyRoom()
            var newestFirst: [MessageView] = []
            try transaction.readMessages(in: id, account: unit.account.id, limit: limit) { record in
                let message = room.take(MessageView(record, account: unit.account.name))
                newestFirst += message.map { [$0] } ?? []
                return message != nil
            }
            return GetConversation.Reply(
                conversation: ConversationView(record, account: unit.account.name),
                messages: newestFirst.reversed(), cut: room.isCut ? true : nil)
        }
    }

    /// Of a search: what is found is sorted, and all that is kept for it costs memory.
    private static let mostFound = 1000

    func search(_ call: Search) throws -> Search.Reply {
        let account = try call.account.map { try accounts.only($0).account.id }
        guard call.words.split(whereSeparator: \.isWhitespace).count <= Store.mostSearchWords else {
            let reason = "there are more than \(Store.mostSearchWords); leave some out"
            throw InvalidArgument(parameter: "words", reason: reason)
        }
        let limit = try rows(call.limit) ?? 50
        guard limit <= Self.mostFound else {
            throw InvalidArgument(parameter: "limit", reason: "it must be at most \(Self.mostFound)")
        }
        var room = ReplyRoom()
        var found: [MessageView] = []
        // The copies that other accounts of one inbox have take part in the limit of the store.
        let seconds = account == nil ? Set(ingest.inboxes.seconds) : []
        try store.search(call.words, account: account, limit: limit * (1 + seconds.count)) { record in
            guard let name = accounts.name(of: record.account), !seconds.contains(record.account) else {
                return true
            }
            let message = room.take(MessageView(record, account: name))
            found += message.map { [$0] } ?? []
            return message != nil && found.count < limit
        }
        return Search.Reply(messages: found, cut: room.isCut ? true : nil)
    }

    func listOutbox(_ call: ListOutbox) throws -> ListOutbox.Reply {
        let chosen = try accounts.chosen(call.account)
        var room = ReplyRoom()
        var items = call.account == nil ? try leftBehind(in: &room) : []
        for unit in chosen {
            try store.read { transaction in
                try transaction.readOutbox(of: unit.account.id) { record in
                    let item = room.take(OutboxItem(record, account: unit.account.name))
                    items += item.map { [$0] } ?? []
                    return item != nil
                }
            }
        }
        return ListOutbox.Reply(items: items, cut: room.isCut ? true : nil)
    }
}
