import ControlAPI
import ControlClient
import InboxView
import Localization
import Threads

/// Calls, off the main actor: a long list is decoded while the window stays fluent.
nonisolated extension DaemonClient {
    /// What the machine is told of it.
    func outcome(of call: InboxView.Call) async -> Input {
        // Else a pool of libdispatch would run it, which wakes an idle program every second for ever.
        await withTaskExecutorPreference(EventLoop.shared) { await result(of: call) }
    }

    @concurrent private func result(of call: InboxView.Call) async -> Input {
        do {
            return .answered(call, try await answer(to: call))
        } catch {
            return .failed(call, CallFailure(error))
        }
    }

    private func answer(to request: InboxView.Call) async throws -> InboxView.Answer {
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
        case .search(let words): .search(try await call(Search(words: words)).reply)
        case .user(let account): .user(try await call(GetUser(account: account)).reply)
        default: try await answer(toChange: request)
        }
    }

    private func answer(toChange request: InboxView.Call) async throws -> InboxView.Answer {
        switch request {
        case .setUser(let account, let name, let contact):
            _ = try await call(SetUser(userId: contact, userName: name, account: account))
        case .create(let thread): return .created(try await callOnce(thread.call).reply)
        case .send(let message): return .sent(try await callOnce(message.call).reply)
        case .markRead(let key, let newest):
            _ = try await call(
                MarkRead(conversation: key.conversation, upTo: newest, shown: true, account: key.account))
        case .retry(let id): return .retried(try await call(RetryOutbox(outboxId: id)).reply)
        case .cancel(let id): _ = try await call(CancelOutbox(outboxId: id))
        case .answer(let id, let allow):
            return .answered(
                account: try await call(AnswerQuestion(questionId: id, allow: allow)).reply.account)
        case .pause(let seconds, let hidesWords):
            return .paused(try await call(Pause(seconds: seconds, private: hidesWords)).reply)
        case .resume: _ = try await call(Resume())
        case .reconnect: _ = try await call(Reconnect())
        case .status, .list, .questions, .outbox, .thread, .search, .user: break
        }
        return .done
    }
}

nonisolated extension NewThread {
    fileprivate var call: CreateConversation {
        CreateConversation(
            category: category, message: message, title: title, account: account, idempotencyKey: key)
    }
}

nonisolated extension OwnMessage {
    fileprivate var call: SendMessage {
        SendMessage(
            conversation: conversation.conversation, message: message, reopen: reopens ? true : nil,
            account: conversation.account, idempotencyKey: key)
    }
}

nonisolated extension CallFailure {
    init(_ error: any Error) {
        self =
            switch error {
            case let fault as any ControlFault: CallFailure(fault)
            case let gone as DaemonGone: gone.cause == .leftInDoubt ? .inDoubt : .gone
            case let difference as IncompatibleDaemon: .tooOld(difference.sentence)
            case let socket as UnusableSocket: .refused(socket.reason)
            default: .refused("\(error)")
            }
    }
}

nonisolated extension Absence {
    init(_ cause: DaemonGone.Cause) {
        self =
            switch cause {
            case .notRunning: .notRunning
            case .tooSlow: .tooSlow
            case .left, .leftInDoubt: .left
            }
    }

    init(_ error: any Error) {
        self =
            switch error {
            case let difference as IncompatibleDaemon: .tooOld(difference.sentence)
            case let socket as UnusableSocket: .unusable(socket.reason)
            case let gone as DaemonGone: Absence(gone.cause)
            default: .unusable("\(error)")
            }
    }
}

nonisolated extension IncompatibleDaemon {
    fileprivate var sentence: String {
        localized("What runs in the background is of another version than this window. Start it anew.")
    }
}
