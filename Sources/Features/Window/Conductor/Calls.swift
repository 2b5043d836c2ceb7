import ControlAPI
import ControlClient
import InboxModel
import Localization
import Reasons
import Runtime

// MARK: - The calls of the state machine
//
// The calls run off the main actor, because decoding a long list would block the window.

nonisolated extension DaemonClient {
    /// Performs a call. Returns its result or its failure as an input for the state machine.
    func performCall(_ call: InboxModel.Call) async -> Input {
        // Set the executor, because a thread pool of libdispatch would otherwise run the task and then wake
        // the idle program every second.
        await withTaskExecutorPreference(EventLoop.shared) { await performCallConcurrently(call) }
    }

    @concurrent private func performCallConcurrently(_ call: InboxModel.Call) async -> Input {
        do {
            return .answered(call, try await sendRequest(call))
        } catch {
            return .failed(call, CallFailure(error))
        }
    }

    private func sendRequest(_ request: InboxModel.Call) async throws -> InboxModel.CallReply {
        switch request {
        case .status: .status(try await call(GetStatus()).reply)
        case .list: .list(try await call(ListConversations()).reply)
        case .questions: .questions(try await call(ListQuestions()).reply)
        case .outbox: .outbox(try await call(ListOutbox()).reply)
        case .thread(let thread):
            .thread(
                try await call(
                    GetConversation(
                        conversation: thread.conversation, limit: thread.limit, account: thread.account)
                ).reply)
        case .search(let words):
            // Ignore a failure to list services, because an older daemon does not support services but still
            // returns messages.
            .search(
                try await call(Search(words: words)).reply,
                services: (try? await call(ListServices(words: words)).reply.services) ?? [])
        case .user(let account): .user(try await call(GetUser(account: account)).reply)
        case .session(let account): .session(try await call(GetSession(account: account)).reply.session)
        case .canned(let account):
            .canned(try await call(ListCannedResponses(account: account)).reply.responses)
        case .tags(let account): .tags(try await call(ListTags(account: account)).reply.tags)
        case .note, .respond, .change, .addResponse: try await sendStaffRequest(request)
        default: try await sendChangeRequest(request)
        }
    }

    private func sendChangeRequest(_ request: InboxModel.Call) async throws -> InboxModel.CallReply {
        switch request {
        case .setUser(let account, let name, let contact):
            _ = try await call(SetUser(userId: contact, userName: name, account: account))
        case .create(let thread): return .created(try await callIdempotently(thread.call).reply)
        case .send(let message): return .sent(try await callIdempotently(message.call).reply)
        case .markRead(let key, let newest):
            _ = try await call(
                MarkRead(conversation: key.conversation, upTo: newest, shown: true, account: key.account))
        case .markUnread(let key):
            _ = try await call(MarkUnread(conversation: key.conversation, account: key.account))
        case .mute(let key, true):
            _ = try await call(Mute(conversation: key.conversation, account: key.account))
        case .mute(let key, false):
            _ = try await call(Unmute(conversation: key.conversation, account: key.account))
        case .snooze(let key, let until?):
            _ = try await call(
                Snooze(conversation: key.conversation, until: until, account: key.account))
        case .snooze(let key, nil):
            _ = try await call(Unsnooze(conversation: key.conversation, account: key.account))
        case .retry(let id): return .retried(try await call(RetryOutbox(outboxId: id)).reply)
        case .cancel(let id): _ = try await call(CancelOutbox(outboxId: id))
        case .answer(let id, let allow, let services):
            return .answered(
                account: try await call(
                    AnswerQuestion(questionId: id, allow: allow, services: services)
                ).reply.account)
        case .pause(let seconds, let hidesText):
            return .paused(try await call(Pause(seconds: seconds, private: hidesText)).reply)
        case .resume: _ = try await call(Resume())
        case .turnOnNotifications: _ = try await call(Notifications(enabled: true))
        case .reconnect: _ = try await call(Reconnect())
        default: break
        }
        return .done
    }

    /// Performs a call of support staff through the outbox. The idempotency key makes a retry after a
    /// restart of the daemon safe.
    private func sendStaffRequest(_ request: InboxModel.Call) async throws -> InboxModel.CallReply {
        switch request {
        case .note(let note):
            let reply = try await callIdempotently(note.note).reply
            return .sent(.init(messageId: reply.messageId, queued: reply.queued, outboxId: reply.outboxId))
        case .respond(let response):
            let reply = try await callIdempotently(response.call).reply
            return .sent(.init(messageId: reply.messageId, queued: reply.queued, outboxId: reply.outboxId))
        case .addResponse(let new): return .changed(try await callIdempotently(new.call).reply)
        case .change(let change): return .changed(try await sendStaffChange(change))
        default: return .done
        }
    }

    private func sendStaffChange(_ change: StaffChange) async throws -> StaffReceipt {
        let (id, account) = (change.conversation.conversation, change.conversation.account)
        switch change.action {
        case .assign(let to):
            var assign = Assign(conversation: id, me: to == .me ? true : nil, account: account)
            if case .admin(let admin) = to { assign.admin = admin }
            return try await sendChange(assign, idempotencyKey: change.key)
        case .set(let field, let value):
            var update = UpdateConversation(conversation: id, account: account)
            switch field {
            case .status: update.status = value
            case .priority: update.priority = value
            case .category: update.category = value
            }
            return try await sendChange(update, idempotencyKey: change.key)
        case .tag(let name):
            return try await sendChange(
                AddTag(conversation: id, tag: name, account: account), idempotencyKey: change.key)
        case .untag(let name):
            return try await sendChange(
                RemoveTag(conversation: id, tag: name, account: account), idempotencyKey: change.key)
        }
    }

    private func sendChange<Change: RepeatableControlMethod>(
        _ change: Change, idempotencyKey: String
    ) async throws -> StaffReceipt where Change.Reply == StaffReceipt {
        var change = change
        change.idempotencyKey = idempotencyKey
        return try await callIdempotently(change).reply
    }
}

nonisolated extension NewThread {
    fileprivate var call: CreateConversation {
        CreateConversation(
            category: category, message: message, title: title, account: account, idempotencyKey: key)
    }
}

nonisolated extension OutgoingMessage {
    fileprivate var call: SendMessage {
        SendMessage(
            conversation: conversation.conversation, message: message, reopen: reopens ? true : nil,
            account: conversation.account, idempotencyKey: key)
    }
}

nonisolated extension OutgoingMessage {
    fileprivate var note: AddNote {
        var note = AddNote(
            conversation: conversation.conversation, message: message, account: conversation.account)
        note.idempotencyKey = key
        return note
    }
}

nonisolated extension OutgoingResponse {
    fileprivate var call: UseCannedResponse {
        var use = UseCannedResponse(
            conversation: conversation.conversation, response: responseId, variables: variables,
            account: conversation.account)
        use.idempotencyKey = key
        return use
    }
}

nonisolated extension NewResponse {
    fileprivate var call: CreateCannedResponse {
        var create = CreateCannedResponse(title: title, content: content, account: account)
        create.idempotencyKey = key
        return create
    }
}

nonisolated extension CallFailure {
    init(_ error: any Error) {
        self =
            switch error {
            case let fault as any ControlFault: CallFailure(fault)
            case let gone as DaemonUnavailable:
                gone.cause == .disconnectedInCall ? .unknownResult : .unreachable
            case let difference as IncompatibleDaemon: .tooOld(difference.sentence)
            case let socket as UnusableSocket: .refused(socket.reason.localizedSentence)
            default: .refused("\(error)")
            }
    }
}

nonisolated extension DisconnectReason {
    init(_ cause: DaemonUnavailable.Cause) {
        self =
            switch cause {
            case .notRunning: .notRunning
            case .tooSlow: .tooSlow
            case .left, .disconnectedInCall: .left
            }
    }

    init(_ error: any Error) {
        self =
            switch error {
            case let difference as IncompatibleDaemon: .tooOld(difference.sentence)
            case let socket as UnusableSocket: .unusable(socket.reason.localizedSentence)
            case let gone as DaemonUnavailable: DisconnectReason(gone.cause)
            default: .unusable("\(error)")
            }
    }
}

nonisolated extension IncompatibleDaemon {
    fileprivate var sentence: String {
        localized("The background service and this window have different versions. Restart Cuti-E.")
    }
}
