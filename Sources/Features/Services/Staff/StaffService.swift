package import Accounts
package import CutieAPI
import Domain
package import EventLog
import Reasons
package import Store

/// Executes the operations of support members: sends changes through the outbox, and sends queries directly
/// to the API. A `key` makes a call idempotent.
package struct StaffService {
    private let store: MessageStore
    private let accounts: AccountRegistry
    private let runtime: RuntimeEnvironment
    private var calls: OutboxCalls { OutboxCalls(store: store) }

    package init(store: MessageStore, accounts: AccountRegistry, runtime: RuntimeEnvironment) {
        (self.store, self.accounts, self.runtime) = (store, accounts, runtime)
    }

    /// Assigns a conversation to `admin`, or to the signed-in user if `toCurrentUser`. Removes the assignment
    /// if `admin` is `nil` and `toCurrentUser` is `false`.
    package func assign(
        _ conversation: String, to admin: String?, toCurrentUser: Bool, account: String?,
        idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try findStaffAccount(withConversation: conversation, named: account)
        guard admin == nil || !toCurrentUser else {
            throw ServiceError.invalidArgument(
                parameter: "admin", reason: Reason(.alternativesGiven))
        }
        let admin = toCurrentUser ? try unit.requireSignedInUserID() : admin
        guard admin != "" else {
            throw ServiceError.invalidArgument(parameter: "admin", reason: Reason(.valueEmpty))
        }
        return try await enqueueAndWait(
            .assign(to: admin), in: conversation, idempotencyKey: idempotencyKey, on: unit)
    }

    /// Changes the given properties of a conversation. A property that is `nil` stays unchanged.
    package func update(
        _ conversation: String, status: String?, priority: String?, category: String?, account: String?,
        idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try findStaffAccount(withConversation: conversation, named: account)
        let change = ConversationChange(
            status: try parseValue(status, parameter: "status", among: Status.known),
            priority: try parseValue(priority, parameter: "priority", among: Priority.known),
            category: try parseValue(category, parameter: "category", among: Category.known))
        guard change != ConversationChange() else {
            throw ServiceError.invalidArgument(parameter: "status", reason: Reason(.noChangeGiven))
        }
        return try await enqueueAndWait(
            .change(change), in: conversation, idempotencyKey: idempotencyKey, on: unit)
    }

    package func addNote(
        _ message: String, to conversation: String, account: String?, idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try findStaffAccount(withConversation: conversation, named: account)
        let text = try calls.checkedMessageText(message, for: unit)
        return try await enqueueAndWait(
            .note(text), in: conversation, idempotencyKey: idempotencyKey, on: unit)
    }

    package func addTag(
        _ name: String, to conversation: String, account: String?, idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try findStaffAccount(withConversation: conversation, named: account)
        return try await enqueueAndWait(
            .tag(try checkedTag(name)), in: conversation, idempotencyKey: idempotencyKey, on: unit)
    }

    package func removeTag(
        _ name: String, from conversation: String, account: String?, idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try findStaffAccount(withConversation: conversation, named: account)
        return try await enqueueAndWait(
            .untag(try checkedTag(name)), in: conversation, idempotencyKey: idempotencyKey, on: unit)
    }

    package func listTags(account: String?) async throws -> [Tag] {
        try await findStaffAccountForRequest(named: account).fetchDecodedResponse(from: .tags(), in: runtime)
            .tags
    }

    /// The maximum period that servers accept, in days.
    private static let maxDays = 3650

    package func fetchStatistics(
        forLastDays days: Int, account: String?
    ) async throws -> (counts: ConversationStatistics, times: ResponseTimes) {
        let unit = try findStaffAccountForRequest(named: account)
        guard (1...Self.maxDays).contains(days) else {
            throw ServiceError.invalidArgument(
                parameter: "days",
                reason: Reason(.valueOutOfRange, ["least": "1", "most": String(Self.maxDays)]))
        }
        let counts = try await unit.fetchDecodedResponse(
            from: .conversationStatistics(forLastDays: days), in: runtime)
        let times = try await unit.fetchDecodedResponse(from: .responseTimes(forLastDays: days), in: runtime)
        return (counts, times)
    }
}

// MARK: - Canned responses

extension StaffService {
    package func listCannedResponses(account: String?) async throws -> [CannedResponse] {
        try await findStaffAccountForRequest(named: account).fetchDecodedResponse(
            from: .cannedResponses(), in: runtime
        )
        .responses
    }

    package func createCannedResponse(
        titled title: String, content: String, category: String?, account: String?, idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try findStaffAccount(named: account)
        let content = try calls.checkedMessageText(content, for: unit)
        guard !title.allSatisfy(\.isWhitespace) else {
            throw ServiceError.invalidArgument(parameter: "title", reason: Reason(.valueEmpty))
        }
        let draft = CannedResponse.Draft(title: title, content: content, category: category)
        return try await enqueueAndWait(.add(draft), in: nil, idempotencyKey: idempotencyKey, on: unit)
    }

    /// Sends a canned response as a message.
    package func send(
        cannedResponse response: String, with variables: [String: String], to conversation: String,
        account: String?, idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try findStaffAccount(withConversation: conversation, named: account)
        let variables = try addingUserName(to: variables, for: conversation, of: unit)
        return try await enqueueAndWait(
            .answer(response: response, variables: variables), in: conversation,
            idempotencyKey: idempotencyKey, on: unit)
    }

    /// Returns the text of a canned response without sending it.
    package func preview(
        cannedResponse response: String, with variables: [String: String], for conversation: String,
        account: String?
    ) async throws -> String {
        let unit = try findStaffAccount(withConversation: conversation, named: account)
        let variables = try addingUserName(to: variables, for: conversation, of: unit)
        return try await fetchText(ofCannedResponse: response, with: variables, on: unit)
    }

    /// Adds the variable `name` with the name of the conversation's user, unless `variables` contains it.
    private func addingUserName(
        to variables: [String: String], for conversation: String, of unit: AccountUnit
    ) throws -> [String: String] {
        var variables = variables
        guard variables["name"] == nil else { return variables }
        let record = try store.read {
            try $0.conversations.find(Conversation.ID(conversation), account: unit.account.id)
        }
        variables["name"] = record?.conversation.userName
        return variables
    }

    private func fetchText(
        ofCannedResponse response: String, with variables: [String: String], on unit: AccountUnit
    ) async throws -> String {
        try calls.checkMessagesCanBeQueued(on: unit)
        let list = try await unit.fetchDecodedResponse(from: .cannedResponses(), in: runtime)
        guard let found = list.responses.first(where: { $0.id == response || $0.title == response }) else {
            throw ServiceError.notFound(what: "canned response", id: response)
        }
        do throws(CannedResponse.MissingVariable) { return try found.filledContent(with: variables) } catch {
            throw ServiceError.invalidArgument(
                parameter: "variables", reason: Reason(.variableWithoutValue, ["name": "{{\(error.name)}}"]))
        }
    }
}

// MARK: - Accounts and arguments

extension StaffService {
    /// Returns the support account that has a conversation.
    private func findStaffAccount(withConversation conversation: String, named name: String?) throws
        -> AccountUnit
    {
        let chosen = try accounts.findAccounts(named: name)
        try requireStaffAccount(among: chosen)
        // Ignore accounts that are not support accounts: the user who wrote the messages may also have an
        // account on this computer, and that account contains the same conversation.
        let ofStaff = chosen.filter(\.account.isStaff)
        // Report a missing session instead of a missing conversation: without a session, the account has no
        // conversations.
        try calls.checkMessagesCanBeQueued(onAnyOf: ofStaff)
        let only = ofStaff.count == 1 ? ofStaff.first?.account.name : name
        return try checkedStaffAccount(accounts.findAccount(withConversation: conversation, named: only))
    }

    /// Returns the support account with this name, or the only support account. Throws if there is no such
    /// account, or more than one.
    private func findStaffAccount(named name: String?) throws -> AccountUnit {
        let chosen = try accounts.findAccounts(named: name)
        try requireStaffAccount(among: chosen)
        let found = chosen.filter(\.account.isStaff)
        guard let only = found.first, found.count == 1 else {
            throw ServiceError.invalidArgument(
                parameter: "account",
                reason: Reason(
                    .severalAccounts, ["names": found.map(\.account.name).joined(separator: ", ")]))
        }
        return only
    }

    /// Returns the account for a query to the API. Throws if the account cannot send requests.
    private func findStaffAccountForRequest(named name: String?) throws -> AccountUnit {
        let unit = try findStaffAccount(named: name)
        try calls.checkMessagesCanBeQueued(on: unit)
        return unit
    }

    private func requireStaffAccount(among units: [AccountUnit]) throws {
        guard !units.contains(where: \.account.isStaff) else { return }
        throw ServiceError.notStaff(account: units.first?.account.name ?? "")
    }

    private func checkedStaffAccount(_ unit: AccountUnit) throws -> AccountUnit {
        guard unit.account.isStaff else { throw ServiceError.notStaff(account: unit.account.name) }
        return unit
    }

    private func enqueueAndWait(
        _ action: QueuedStaffAction, in conversation: String?, idempotencyKey: String?, on unit: AccountUnit
    ) async throws -> SendReceipt {
        try await calls.enqueueAndWait(idempotencyKey: idempotencyKey, on: unit) { outbox, id in
            try calls.checkMessagesCanBeQueued(on: unit)
            return try outbox.enqueue(.staff(action), in: conversation.map { Conversation.ID($0) }, id: id)
        }
    }

    private func checkedTag(_ name: String) throws -> String {
        guard DisplayName.isReadable(name) else {
            throw ServiceError.invalidArgument(parameter: "tag", reason: DisplayName.limits)
        }
        return name
    }

    private func parseValue<Word: OpenEnum>(
        _ text: String?, parameter: String, among knownWords: [Word]
    ) throws -> Word? {
        guard let text else { return nil }
        guard let word = knownWords.first(where: { $0.rawValue == text }) else {
            let words = knownWords.map(\.rawValue).joined(separator: ", ")
            throw ServiceError.invalidArgument(
                parameter: parameter, reason: Reason(.valueNotListed, ["value": text, "choices": words]))
        }
        return word
    }
}

extension AccountUnit {
    /// Returns the ID of the signed-in user, for an assignment. Throws if no person is signed in.
    fileprivate func requireSignedInUserID() throws -> String {
        guard let signedInUser = try readSignedInUser() else {
            throw ServiceError.signInRequired(reason: SignInService.notSignedIn)
        }
        guard signedInUser.isPerson else {
            throw ServiceError.accessDenied(
                reason: Reason(.signedInAsMachine))
        }
        return signedInUser.adminID
    }
}
