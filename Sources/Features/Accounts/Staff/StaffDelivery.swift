import CutieAPI
import EventLog
import Reasons
import Store

// MARK: - Support operations other than replies

extension Delivery {
    /// Performs a support operation. All operations are idempotent except those that create a message.
    func performStaffAction(_ action: QueuedStaffAction, mayHaveArrived: Bool) async throws -> (
        Conversation.ID?, Message.ID?
    ) {
        if case .add(let draft) = action {
            _ = try await client.send(
                .createCannedResponse(draft, idempotencyKey: item.idempotencyKey))
            try removeItem { _ in }
            return (nil, nil)
        }
        guard let conversation = item.conversation else {
            throw APIFailure.fatal(Reason(.itemWithoutConversation))
        }
        switch action {
        case .assign(let admin):
            try await applyChangedConversation(client.send(.assignConversation(conversation, to: admin)))
        case .change(let change):
            try await applyChangedConversation(client.send(.updateConversation(conversation, with: change)))
        case .tag(let name):
            try await applyTags(client.send(.addTag(name, to: conversation)), to: conversation)
        case .untag(let tag):
            try await applyTags(client.send(.removeTag(tag, from: conversation)), to: conversation)
        case .note(let text): return try await postMessage(text, isNote: true, mayHaveArrived: mayHaveArrived)
        case .answer(let response, let variables):
            let sent = try await client.send(
                .useCannedResponse(
                    response, in: conversation, variables: variables, idempotencyKey: item.idempotencyKey))
            try removeItem(recordingConversation: conversation, message: sent.id) {
                try $0.addOwnMessage(sent, in: conversation)
            }
            return (conversation, sent.id)
        case .add: break
        }
        return (conversation, nil)
    }

    private func applyChangedConversation(_ conversation: Conversation) throws {
        try removeItem(recordingConversation: conversation.id) { try $0.applyResponse(conversation) }
    }

    private func applyTags(_ list: TagList, to conversation: Conversation.ID) throws {
        try removeItem(recordingConversation: conversation) { try $0.setTags(list.tags, of: conversation) }
    }
}
