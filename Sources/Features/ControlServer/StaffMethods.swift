import ControlAPI
import CutieAPI
import Services
import VarlinkSocket

/// The handlers for support staff.
struct StaffMethods: ControlMethods {
    let service: StaffService

    var implementation: Implementation {
        Implementation().on(assign).on(updateConversation).on(addNote).on(addTag).on(removeTag).on(listTags)
            .on(listCannedResponses).on(createCannedResponse).on(useCannedResponse).on(getStatistics)
    }

    func assign(_ call: Assign) async throws -> StaffReceipt {
        StaffReceipt(
            try await service.assign(
                call.conversation, to: call.admin, toCurrentUser: call.me == true, account: call.account,
                idempotencyKey: call.idempotencyKey))
    }

    func updateConversation(_ call: UpdateConversation) async throws -> StaffReceipt {
        StaffReceipt(
            try await service.update(
                call.conversation, status: call.status, priority: call.priority, category: call.category,
                account: call.account, idempotencyKey: call.idempotencyKey))
    }

    func addNote(_ call: AddNote) async throws -> AddNote.Reply {
        let receipt = try await service.addNote(
            call.message, to: call.conversation, account: call.account, idempotencyKey: call.idempotencyKey)
        return .init(
            messageId: receipt.message?.rawValue, queued: receipt.isQueued, outboxId: receipt.queuedItem)
    }

    func addTag(_ call: AddTag) async throws -> StaffReceipt {
        StaffReceipt(
            try await service.addTag(
                call.tag, to: call.conversation, account: call.account, idempotencyKey: call.idempotencyKey))
    }

    func removeTag(_ call: RemoveTag) async throws -> StaffReceipt {
        StaffReceipt(
            try await service.removeTag(
                call.tag, from: call.conversation, account: call.account, idempotencyKey: call.idempotencyKey)
        )
    }

    func listTags(_ call: ListTags) async throws -> ListTags.Reply {
        .init(tags: try await service.listTags(account: call.account).map(TagView.init(_:)))
    }

    func getStatistics(_ call: GetStatistics) async throws -> GetStatistics.Reply {
        let days = call.days ?? 30
        let (counts, times) = try await service.fetchStatistics(forLastDays: days, account: call.account)
        return .init(
            days: days, total: counts.total, byStatus: counts.byStatus, byCategory: counts.byCategory,
            byPriority: counts.byPriority, answered: times.answered,
            averageFirstResponse: times.averageFirstResponse)
    }
}

// MARK: - Canned responses

extension StaffMethods {
    func listCannedResponses(_ call: ListCannedResponses) async throws -> ListCannedResponses.Reply {
        .init(
            responses: try await service.listCannedResponses(account: call.account).map {
                CannedResponseView(
                    responseId: $0.id, title: $0.title, content: $0.content, category: $0.category)
            })
    }

    func createCannedResponse(_ call: CreateCannedResponse) async throws -> StaffReceipt {
        StaffReceipt(
            try await service.createCannedResponse(
                titled: call.title, content: call.content, category: call.category, account: call.account,
                idempotencyKey: call.idempotencyKey))
    }

    func useCannedResponse(_ call: UseCannedResponse) async throws -> UseCannedResponse.Reply {
        let variables = call.variables ?? [:]
        if call.preview == true {
            let text = try await service.preview(
                cannedResponse: call.response, with: variables, for: call.conversation, account: call.account)
            return .init(text: text, queued: false)
        }
        let receipt = try await service.send(
            cannedResponse: call.response, with: variables, to: call.conversation, account: call.account,
            idempotencyKey: call.idempotencyKey)
        return .init(
            messageId: receipt.message?.rawValue, queued: receipt.isQueued, outboxId: receipt.queuedItem)
    }
}

extension StaffReceipt {
    fileprivate init(_ receipt: SendReceipt) {
        self.init(queued: receipt.isQueued, outboxId: receipt.queuedItem)
    }
}

nonisolated extension TagView {
    init(_ tag: Tag) {
        self.init(
            tagId: tag.id, conversationId: tag.conversation.rawValue, tagName: tag.name, tagColor: tag.color)
    }
}
