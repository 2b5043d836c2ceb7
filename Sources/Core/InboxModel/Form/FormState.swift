import ControlAPI
import Domain
import Localization

/// The form that starts a conversation: its fields and its progress.
struct FormState: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case closed
        case editing
        case sending
        /// Sending failed; the value is the error message. The fields keep their content.
        case failed(String)
        /// The message is in the outbox and will be sent later.
        case queued
    }

    private(set) var phase = Phase.closed
    private(set) var asksToDiscard = false
    private(set) var account: String?
    private(set) var category = "feedback"
    private(set) var title = ""
    private(set) var text = ""
    private(set) var name = ""
    private(set) var contact = ""
    private(set) var facts: [DeviceFact] = []
    /// Incremented when `FormState` changes a field without input from the user, so that the view reloads the
    /// fields.
    private(set) var revision = 0

    /// The name and contact as stored by the daemon.
    private var known = UserDetails(name: "", contact: "")
    /// The field that the daemon rejected, and its value. The rejection remains a problem until the user
    /// changes the value.
    private var refusal: Refusal?
    /// Whether the user tried to send the form.
    private(set) var wasSubmitted = false
    /// The calls to send, one after the other. The first call is in flight.
    private var steps: [Call] = []
    /// The ID of the outbox item of a previous attempt that the service rejected; `nil` if the service
    /// rejected no attempt. The next attempt first cancels this item.
    private var rejectedItemID: String?
    /// A create call whose result is unknown after the connection was lost. A retry with the same text uses
    /// the same idempotency key, so that only one conversation is created.
    private var unconfirmedThread: NewThread?

    static let categories = ["bug", "feature", "question", "feedback", "other"]

    /// The name and contact to send, without surrounding white space.
    private struct UserDetails: Hashable {
        var name: String
        var contact: String
    }

    private struct Refusal: Hashable {
        var field: FormView.Field
        var value: String
        var reason: String
    }

    private var userDetails: UserDetails {
        UserDetails(name: UserText.normalizedValue(of: name), contact: UserText.normalizedValue(of: contact))
    }

    var problems: [FormView.Problem] {
        var problems: [FormView.Problem] = []
        if UserText.normalizedValue(of: text).isEmpty { problems.append(.noText) }
        if text.utf8.count > CreateConversation.messageLimit { problems.append(.tooLong(.text)) }
        if title.utf8.count > ControlInterface.shortLimit { problems.append(.tooLong(.title)) }
        for (field, value) in [(FormView.Field.name, userDetails.name), (.contact, userDetails.contact)] {
            switch UserText.findProblem(in: value) {
            case .tooLong: problems.append(.tooLong(field))
            case .notOneLine: problems.append(.notOneLine(field))
            case nil: break
            }
        }
        if let refusal, value(of: refusal.field) == refusal.value {
            problems.append(.refused(refusal.field, refusal.reason))
        }
        return problems
    }

    private func value(of field: FormView.Field) -> String {
        switch field {
        case .title: title
        case .text: text
        case .name: name
        case .contact: contact
        }
    }

    /// Whether the form contains text that would be lost if the form is closed.
    private var hasContent: Bool { !(text + title).allSatisfy(\.isWhitespace) }

    /// Applies one input and returns the resulting actions.
    ///
    /// - Parameter accounts: the accounts that the user can choose.
    mutating func handle(_ input: FormInput, accounts: [String], now: Int64) -> [Action] {
        switch input {
        case .open: return openForm(accounts: accounts)
        case .account(let name):
            account = name
            return requestUserAndDeviceFacts()
        case .category(let word): category = word
        case .title(let words): title = words
        case .text(let words): text = words
        case .name(let words): name = words
        case .contact(let words): contact = words
        case .deviceFacts(let facts): self.facts = facts
        case .send(let key): return startSending(idempotencyKey: key)
        case .close: return closeForm()
        case .discard: return discardInput()
        case .continueEditing: asksToDiscard = false
        }
        if case .failed = phase, problems.isEmpty { phase = .editing }
        return []
    }

    private mutating func openForm(accounts: [String]) -> [Action] {
        guard phase == .closed || phase == .queued else { return [] }
        if phase == .queued { clearInput() }
        phase = .editing
        if account.map({ !accounts.contains($0) }) ?? true { account = accounts.first }
        return requestUserAndDeviceFacts()
    }

    private func requestUserAndDeviceFacts() -> [Action] {
        [.call(.user(account: account)), .deviceFacts(account: account)]
    }

    private mutating func closeForm() -> [Action] {
        switch phase {
        case .closed, .sending: return []
        case .queued: return discardInput()
        case .editing, .failed: break
        }
        guard hasContent else { return discardInput() }
        asksToDiscard = true
        return []
    }

    private mutating func discardInput() -> [Action] {
        clearInput()
        phase = .closed
        return []
    }

    /// Fills the closed form with the text of a cancelled outbox item. Has no effect if the form is open or
    /// contains other text.
    mutating func restoreMessage(_ message: String) {
        guard phase == .closed || phase == .queued, !hasContent || phase == .queued else { return }
        clearInput()
        (phase, text) = (.closed, message)
    }

    private mutating func clearInput() {
        (title, text, steps, rejectedItemID, unconfirmedThread, asksToDiscard) = ("", "", [], nil, nil, false)
        (refusal, wasSubmitted) = (nil, false)
        revision += 1
    }
}

// MARK: - Sending

extension FormState {
    private mutating func startSending(idempotencyKey key: String) -> [Action] {
        guard phase != .sending, phase != .queued, phase != .closed else { return [] }
        wasSubmitted = true
        guard problems.isEmpty else { return [] }
        var thread = NewThread(
            key: key, account: account, category: category,
            title: title.allSatisfy(\.isWhitespace) ? nil : title, message: text)
        if let unconfirmedThread, unconfirmedThread.hasSameContent(as: thread) {
            thread.key = unconfirmedThread.key
        }
        steps = rejectedItemID.map { [.cancel(outboxId: $0)] } ?? []
        if userDetails != known {
            // Send only changed values, because an unchanged value may be a default from the configuration.
            steps.append(
                .setUser(
                    account: account, name: userDetails.name == known.name ? nil : userDetails.name,
                    contact: userDetails.contact == known.contact ? nil : userDetails.contact))
        }
        steps.append(.create(thread))
        phase = .sending
        return sendNextCall()
    }

    private func sendNextCall() -> [Action] { steps.first.map { [.call($0)] } ?? [] }

    /// Applies the result of a call.
    ///
    /// - Returns: the actions and the ID of the created conversation; `nil` if the form did not send `call`.
    mutating func handleReply(to call: Call, reply answer: CallReply) -> (
        actions: [Action], createdConversation: String?
    )? {
        if case .user(let account) = call, case .user(let user) = answer {
            if account == self.account { updateUserDetails(from: user) }
            return ([], nil)
        }
        guard phase == .sending, steps.first == call else { return nil }
        steps.removeFirst()
        switch (call, answer) {
        case (.cancel, _): rejectedItemID = nil
        case (.setUser, _): known = userDetails
        case (.create, .created(let reply)):
            clearInput()
            phase = reply.queued ? .queued : .closed
            return ([], reply.conversationId)
        default: break
        }
        return (sendNextCall(), nil)
    }

    /// Applies the failure of a call. Returns `nil` if the form did not send `call`.
    mutating func handleFailure(of call: Call, failure: CallFailure) -> [Action]? {
        if case .user = call { return [] }
        guard phase == .sending, steps.first == call else { return nil }
        if case .cancel = call {
            // Continue with the next call: the outbox item to cancel no longer exists or is already being
            // sent.
            steps.removeFirst()
            rejectedItemID = nil
            return sendNextCall()
        }
        steps = []
        phase = .failed(failure.sentence)
        switch (call, failure) {
        case (_, .invalid(let fault)):
            guard let field = FormView.Field(parameter: fault.parameter) else { break }
            refusal = Refusal(field: field, value: value(of: field), reason: failure.sentence)
            phase = .editing
        case (.create, .notSent(let fault)) where fault.waiting == true:
            clearInput()
            phase = .queued
        case (.create, .notSent(let fault)):
            rejectedItemID = fault.outboxId
        case (.create(let thread), .unknownResult): unconfirmedThread = thread
        default: break
        }
        return []
    }

    /// Stores the name and contact that the daemon returned. Fields that the user edited are not changed.
    private mutating func updateUserDetails(from user: UserView) {
        let before = known
        known = UserDetails(name: user.userName ?? "", contact: user.userId ?? "")
        if name == before.name { name = known.name }
        if contact == before.contact { contact = known.contact }
        revision += 1
    }
}

extension NewThread {
    fileprivate func hasSameContent(as other: NewThread) -> Bool {
        var other = other
        other.key = key
        return self == other
    }
}
