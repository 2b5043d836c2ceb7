import CutieAPI
import EventLog
import Reasons
import Store

// MARK: - Support operations other than replies

extension Delivery {
    /// Performs a support operation. All operations are idempotent except those that create a message.
    func send(_ work: QueuedStaffAction, mayHaveArrived: Bool) async throws -> (Conversation.ID?, Message.ID?)
    {
        if case .add(let draft) = work {
            _ = try await client.send(
                .createCannedResponse(draft, idempotencyKey: item.idempotencyKey))
            try finish { _ in }
            return (nil, nil)
        }
        guard let conversation = item.conversation else {
            throw APIFailure.fatal(Reason(.itemWithoutConversation))
        }
        switch work {
        case .assign(let admin):
            try await adopt(client.send(.assign(conversation, to: admin)))
        case .change(let change):
            try await adopt(client.send(.update(conversation, change)))
        case .tag(let name): try await adopt(client.send(.addTag(name, to: conversation)), of: conversation)
        case .untag(let tag):
            try await adopt(client.send(.removeTag(tag, from: conversation)), of: conversation)
        case .note(let text): return try await post(text, isNote: true, mayHaveArrived: mayHaveArrived)
        case .answer(let response, let variables):
            let sent = try await client.send(
                .useCannedResponse(
                    response, in: conversation, variables: variables, idempotencyKey: item.idempotencyKey))
            try finish(conversation, sent.id) { try $0.addOwn(sent, in: conversation) }
            return (conversation, sent.id)
        case .add: break
        }
        return (conversation, nil)
    }

    private func adopt(_ changed: Conversation) throws {
        try finish(changed.id) { try $0.applyChanged(changed) }
    }

    private func adopt(_ list: TagList, of conversation: Conversation.ID) throws {
        try finish(conversation) { try $0.setTags(list.tags, of: conversation) }
    }
}
