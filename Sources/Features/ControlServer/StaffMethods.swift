import Accounts
import ControlAPI
import CutieAPI
import EventLog
import Store
import VarlinkSocket

/// The handlers for support staff. Changes go through the outbox, queries directly to the API.
struct StaffMethods: ControlMethods {
    let store: MessageStore
    let accounts: AccountRegistry
    let surroundings: RuntimeEnvironment
    private var calls: OutboxCalls { OutboxCalls(store: store) }

    var implementation: Implementation {
        Implementation().on(assign).on(update).on(addNote).on(addTag).on(removeTag).on(listTags)
            .on(listCannedResponses).on(createCannedResponse).on(useCannedResponse).on(getStatistics)
    }

    func assign(_ call: Assign) async throws -> StaffReceipt {
        let unit = try unit(holding: call.conversation, named: call.account)
        guard call.admin == nil || call.me != true else {
            throw InvalidArgument(parameter: "admin", reason: "give either an admin or me, not both")
        }
        let admin = call.me == true ? try unit.assignee() : call.admin
        guard admin != "" else { throw InvalidArgument(parameter: "admin", reason: "it is empty") }
        return try await receipt(of: .assign(to: admin), in: call.conversation, call.idempotencyKey, unit)
    }

    func update(_ call: UpdateConversation) async throws -> StaffReceipt {
        let unit = try unit(holding: call.conversation, named: call.account)
        let change = ConversationChange(
            status: try word(call.status, "status", among: Status.known),
            priority: try word(call.priority, "priority", among: Priority.known),
            category: try word(call.category, "category", among: Category.known))
        guard change != ConversationChange() else {
            throw InvalidArgument(parameter: "status", reason: "no change is given")
        }
        return try await receipt(of: .change(change), in: call.conversation, call.idempotencyKey, unit)
    }

    func addNote(_ call: AddNote) async throws -> AddNote.Reply {
        let unit = try unit(holding: call.conversation, named: call.account)
        let text = try calls.messageText(call.message, to: unit)
        let (id, _, message, queued) = try await result(
            of: .note(text), in: call.conversation, call.idempotencyKey, unit)
        return .init(messageId: message?.rawValue, queued: queued, outboxId: queued ? id : nil)
    }

    func addTag(_ call: AddTag) async throws -> StaffReceipt {
        let unit = try unit(holding: call.conversation, named: call.account)
        return try await receipt(
            of: .tag(try tag(call.tag)), in: call.conversation, call.idempotencyKey, unit)
    }

    func removeTag(_ call: RemoveTag) async throws -> StaffReceipt {
        let unit = try unit(holding: call.conversation, named: call.account)
        return try await receipt(
            of: .untag(try tag(call.tag)), in: call.conversation, call.idempotencyKey, unit)
    }

    func listTags(_ call: ListTags) async throws -> ListTags.Reply {
        let list = try await asking(call.account).answer(to: .tags(), in: surroundings)
        return .init(tags: list.tags.map(TagView.init(_:)))
    }

    /// The longest period that servers accept, in days.
    private static let maxDays = 3650

    func getStatistics(_ call: GetStatistics) async throws -> GetStatistics.Reply {
        let unit = try asking(call.account)
        let days = call.days ?? 30
        guard (1...Self.maxDays).contains(days) else {
            throw InvalidArgument(parameter: "days", reason: "it must be from 1 to \(Self.maxDays)")
        }
        let counts = try await unit.answer(to: .conversationStatistics(days: days), in: surroundings)
        let times = try await unit.answer(to: .responseTimes(days: days), in: surroundings)
        return .init(
            days: days, total: counts.total, byStatus: counts.byStatus, byCategory: counts.byCategory,
            byPriority: counts.byPriority, answered: times.answered,
            averageFirstResponse: times.averageFirstResponse)
    }
}

/// The handlers for canned responses.
extension StaffMethods {
    func listCannedResponses(_ call: ListCannedResponses) async throws -> ListCannedResponses.Reply {
        let list = try await asking(call.account).answer(to: .cannedResponses(), in: surroundings)
        return .init(
            responses: list.responses.map {
                CannedResponseView(
                    responseId: $0.id, title: $0.title, content: $0.content, category: $0.category)
            })
    }

    func createCannedResponse(_ call: CreateCannedResponse) async throws -> StaffReceipt {
        let unit = try unit(named: call.account)
        let content = try calls.messageText(call.content, to: unit)
        guard !call.title.allSatisfy(\.isWhitespace) else {
            throw InvalidArgument(parameter: "title", reason: "it is empty")
        }
        let draft = CannedResponse.Draft(title: call.title, content: content, category: call.category)
        return try await receipt(of: .add(draft), in: nil, call.idempotencyKey, unit)
    }

    func useCannedResponse(_ call: UseCannedResponse) async throws -> UseCannedResponse.Reply {
        let unit = try unit(holding: call.conversation, named: call.account)
        var variables = call.variables ?? [:]
        let record = try store.read {
            try $0.conversations.find(Conversation.ID(call.conversation), account: unit.account.id)
        }
        if variables["name"] == nil { variables["name"] = record?.conversation.userName }
        guard call.preview != true else {
            return .init(text: try await filled(call.response, with: variables, by: unit), queued: false)
        }
        let (id, _, message, queued) = try await result(
            of: .answer(response: call.response, variables: variables), in: call.conversation,
            call.idempotencyKey, unit)
        return .init(messageId: message?.rawValue, queued: queued, outboxId: queued ? id : nil)
    }

    private func filled(
        _ response: String, with variables: [String: String], by unit: AccountUnit
    ) async throws -> String {
        try calls.checkAccount(unit)
        let list = try await unit.answer(to: .cannedResponses(), in: surroundings)
        guard let found = list.responses.first(where: { $0.id == response || $0.title == response }) else {
            throw NotFound(what: "canned response", id: response)
        }
        do throws(CannedResponse.MissingVariable) { return try found.filled(with: variables) } catch {
            throw InvalidArgument(parameter: "variables", reason: "{{\(error.name)}} has no value")
        }
    }
}

/// The common parts of the handlers.
extension StaffMethods {
    /// Returns the staff account that has a conversation.
    private func unit(holding conversation: String, named name: String?) throws -> AccountUnit {
        let chosen = try accounts.matching(name)
        try requireStaff(among: chosen)
        // The user who wrote may have an account on this desktop, too.
        let ofStaff = chosen.filter(\.account.isStaff)
        // Without a session there are no conversations, so the missing session is reported.
        try calls.requireSession(ofOneOf: ofStaff)
        let only = ofStaff.count == 1 ? ofStaff.first?.account.name : name
        return try staff(accounts.holding(conversation, named: only))
    }

    /// Returns the named account, or the only staff account.
    private func unit(named name: String?) throws -> AccountUnit {
        let chosen = try accounts.matching(name)
        try requireStaff(among: chosen)
        let found = chosen.filter(\.account.isStaff)
        guard let only = found.first, found.count == 1 else {
            throw InvalidArgument(
                parameter: "account",
                reason: "there are several accounts: " + found.map(\.account.name).joined(separator: ", "))
        }
        return only
    }

    /// Returns the account for a query to the API.
    private func asking(_ name: String?) throws -> AccountUnit {
        let unit = try unit(named: name)
        try calls.checkAccount(unit)
        return unit
    }

    private func requireStaff(among units: [AccountUnit]) throws {
        guard !units.contains(where: \.account.isStaff) else { return }
        throw NotStaff(account: units.first?.account.name ?? "")
    }

    private func staff(_ unit: AccountUnit) throws -> AccountUnit {
        guard unit.account.isStaff else { throw NotStaff(account: unit.account.name) }
        return unit
    }

    private func receipt(
        of work: QueuedStaffAction, in conversation: String?, _ key: String?, _ unit: AccountUnit
    ) async throws -> StaffReceipt {
        let (id, _, _, queued) = try await result(of: work, in: conversation, key, unit)
        return StaffReceipt(queued: queued, outboxId: queued ? id : nil)
    }

    private func result(
        of work: QueuedStaffAction, in conversation: String?, _ key: String?, _ unit: AccountUnit
    ) async throws -> (id: String, Conversation.ID?, Message.ID?, queued: Bool) {
        let id = try calls.enqueue(as: key, to: unit) { outbox, id in
            try calls.checkAccount(unit)
            return try outbox.enqueue(.staff(work), in: conversation.map { Conversation.ID($0) }, id: id)
        }
        let (thread, message, queued) = try await calls.result(of: id, from: unit)
        return (id, thread, message, queued)
    }

    private func tag(_ name: String) throws -> String {
        guard DisplayName.isReadable(name) else {
            throw InvalidArgument(parameter: "tag", reason: DisplayName.limits)
        }
        return name
    }

    private func word<Word: OpenEnum>(
        _ text: String?, _ parameter: String, among known: [Word]
    ) throws -> Word? {
        guard let text else { return nil }
        guard let word = known.first(where: { $0.rawValue == text }) else {
            let words = known.map(\.rawValue).joined(separator: ", ")
            throw InvalidArgument(parameter: parameter, reason: "\(text) is not one of \(words)")
        }
        return word
    }
}

extension AccountUnit {
    /// Returns the id of the signed-in user, for an assignment.
    fileprivate func assignee() throws -> String {
        guard let signedInUser = try signedInUser() else {
            throw SignInRequired(reason: SignInService.notSignedIn)
        }
        guard signedInUser.isPerson else {
            throw AccessDenied(
                reason: "the account is signed in as a machine, so nothing can be assigned to it")
        }
        return signedInUser.adminID
    }
}

nonisolated extension TagView {
    init(_ tag: Tag) {
        self.init(
            tagId: tag.id, conversationId: tag.conversation.rawValue, tagName: tag.name, tagColor: tag.color)
    }
}
