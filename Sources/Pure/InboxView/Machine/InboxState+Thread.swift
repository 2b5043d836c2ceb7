import ControlAPI
import Localization

// Handles the user's actions in a thread and their results.
extension InboxState {
    /// The own messages of the open thread that have not arrived.
    var threadWords: [OwnWords] { thread.key.map { own.of($0).filter(\.isLine) } ?? [] }

    /// The key of the draft in the composer.
    var draftKey: DraftKey? { thread.key.map { DraftKey($0, thread.mode) } }

    mutating func reactInThread(to input: Input) -> [Action] {
        switch input {
        case .earlier: return thread.showEarlier(threadWords, words)
        case .later: return thread.showLater(threadWords, words)
        case .toEnd: return thread.showEnd(threadWords, words)
        case .typed(let text): return type(text)
        case .send(let key): return send(key)
        case .retry(let id): return retry(id)
        case .cancel(let id): return cancel(id)
        case .reopen:
            thread.reopens = true
            return []
        case .chooseAccount(let account): return thread.choose(account: account)
        default: return []
        }
    }

    mutating func choose(_ key: ConversationKey?) -> [Action] {
        guard let key else {
            let actions = thread.phase == .none ? [] : thread.clear()
            thread = ThreadState()
            return actions + list.choose(nil)
        }
        if key == thread.key, thread.phase == .messages { return [.present] }
        return begin(ThreadRequest(conversation: key.conversation, account: key.account), wanted: nil)
            + list.choose(key) + [.present]
    }

    /// Opens a conversation. A link may lack the account; the daemon finds it if only one contains the
    /// conversation.
    mutating func open(_ id: String, _ account: String?, _ message: String?) -> [Action] {
        let known = list.keys(ofConversation: id)
        let account = account ?? (known.count == 1 ? known[0].account : nil)
        let key = account.map { ConversationKey(account: $0, conversation: id) }
        if let key, key == thread.key, thread.phase == .messages {
            return openAgain(message) + [.present]
        }
        return begin(ThreadRequest(conversation: id, account: account), wanted: message)
            + list.choose(key) + [.present]
    }

    /// Scrolls the open thread to `message` instead of loading it again.
    private mutating func openAgain(_ message: String?) -> [Action] {
        guard let message else { return [] }
        if let actions = thread.show(message, threadWords, words) { return actions }
        let request = ThreadRequest(
            conversation: thread.request?.conversation ?? "", account: thread.key?.account, limit: 500)
        return begin(request, wanted: message)
    }

    private mutating func begin(_ request: ThreadRequest, wanted: String?) -> [Action] {
        var request = request
        request.limit = request.limit ?? ThreadMessages.page
        let actions = thread.clear()
        thread = ThreadState(request, wanted: wanted)
        drafts.show()
        return actions + [.call(.thread(request))]
    }

    mutating func accept(_ reply: GetConversation.Reply, for request: ThreadRequest) -> [Action] {
        let key = reply.conversation.key
        for words in own.of(key)
        where words.messageId.map({ id in reply.messages.contains { $0.messageId == id } }) ?? false {
            own[words.id] = nil
        }
        for message in reply.messages { staff.note(message) }
        thread.me = staff.me(in: key.account)
        let isFirst = thread.key != key
        let actions = thread.accept(
            reply, for: request, own: own.of(key).filter(\.isLine), words)
        guard thread.key == key else { return actions }
        let asked = isFirst ? askAsStaff(about: key) : []
        return actions + asked + (isListCut == nil ? [] : list.put(reply.conversation)) + list.choose(key)
    }
}

// MARK: - Own words

extension InboxState {
    private mutating func type(_ text: String) -> [Action] {
        guard let key = draftKey else { return [] }
        let actions = drafts.type(text, in: key) ? list.touch(key.conversation) : []
        return actions + [.keepDraft(key, text.isEmpty ? nil : text)]
    }

    /// The reason why the text in the composer cannot be sent; `nil` if it can.
    var composerProblem: String? {
        let text = draftKey.map { drafts[$0] } ?? ""
        return text.utf8.count > ControlInterface.messageLimit
            ? FormView.Problem.tooLong(.text).sentence : nil
    }

    var canSend: Bool {
        guard let key = draftKey, composerProblem == nil else { return false }
        return drafts[key].unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    private mutating func send(_ id: String) -> [Action] {
        guard canSend, let draft = draftKey, own[id] == nil else { return [] }
        let key = draft.conversation
        let words = OwnWords(
            id: id, kind: draft.mode == .note ? .note : .reply, key: key, account: key.account,
            text: drafts[draft].trimmingEnd, reopens: draft.mode == .reply && thread.reopens,
            writtenAt: now, fate: .sending)
        own[id] = words
        drafts.set("", in: draft)
        thread.noteAnswered()
        let shown = thread.messages.hasLater ? [] : rewriteThread()
        return shown + thread.showEnd(threadWords, self.words) + (words.call.map { [.call($0)] } ?? [])
            + [.keepDraft(draft, nil)] + list.touch(key)
    }

    private mutating func retry(_ id: String) -> [Action] {
        guard var words = own[id], words.fate != .sending, words.fate != .sent else { return [] }
        words.fate = .sending
        own[id] = words
        let shown = showFate(of: words)
        // A message that the daemon never stored is sent again with the same key.
        if !words.isStored, let call = words.call { return shown + [.call(call)] }
        return shown + [.call(.retry(outboxId: id))]
    }

    private mutating func cancel(_ id: String) -> [Action] {
        guard let words = own[id] else { return [] }
        return words.isStored ? [.call(.cancel(outboxId: id))] : withdraw(words)
    }

    /// Removes an unsent message and returns its text to the composer or the form.
    private mutating func withdraw(_ words: OwnWords) -> [Action] {
        own[words.id] = nil
        guard let key = words.key else {
            if words.kind == .reply { form.restore(words.text) }
            return []
        }
        var actions: [Action] = []
        let draft = DraftKey(key, words.kind == .note ? .note : .reply)
        if words.isTyped, drafts[draft].isEmpty {
            drafts.set(words.text, in: draft)
            actions.append(.keepDraft(draft, words.text))
        }
        return actions + showFate(of: words)
    }

    private mutating func showFate(of words: OwnWords) -> [Action] {
        guard let key = words.key else { return [] }
        return (key == thread.key ? thread.rewriteOwn(threadWords, self.words) : []) + list.touch(key)
    }
}

// MARK: - Results of own messages

extension InboxState {
    mutating func acceptOwn(_ answer: Answer, to call: Call) -> [Action] {
        switch (call, answer) {
        case (.send(let message), .sent(let reply)), (.note(let message), .sent(let reply)):
            return sent(message.key, reply.queued, reply.messageId)
        case (.respond(let response), .sent(let reply)):
            return sent(response.key, reply.queued, reply.messageId)
        case (.retry(let id), .retried(let reply)): return sent(id, reply.queued, reply.messageId)
        case (.cancel(let id), _): return own[id].map { withdraw($0) } ?? []
        default: return []
        }
    }

    private mutating func sent(_ id: String, _ isQueued: Bool, _ message: String?) -> [Action] {
        guard var words = own[id] else { return [] }
        if isQueued {
            (words.fate, words.isStored) = (.waiting(nil), true)
            own[id] = words
        } else {
            own.sent(id, as: message)
        }
        return showFate(of: words)
    }

    mutating func failOwn(_ failure: CallFailure, of call: Call) -> [Action] {
        switch call {
        case .send(let message), .note(let message): return fail(message.key, failure, isNew: true)
        case .respond(let response): return fail(response.key, failure, isNew: true)
        case .change(let change): return fail(change, failure)
        case .retry(let id): return fail(id, failure, isNew: false)
        case .cancel: return [.tell(failure.sentence)] + fetch(.outbox)
        default: return [.tell(failure.sentence)]
        }
    }

    /// Reverts a change that the daemon did not accept.
    private mutating func fail(_ change: StaffChange, _ failure: CallFailure) -> [Action] {
        if case .notSent = failure { return fail(change.key, failure, isNew: true) }
        own[change.key] = nil
        return [.tell(failure.sentence)] + list.touch(change.conversation)
    }

    private mutating func fail(_ id: String, _ failure: CallFailure, isNew: Bool) -> [Action] {
        guard var words = own[id] else { return [] }
        switch failure {
        case .closed(let fault):
            if words.key == thread.key {
                thread.conversation?.status = fault.status
                thread.reopens = false
            }
            return withdraw(words) + [.tell(failure.sentence)]
        case .notSent(let fault):
            words.isStored = true
            words.fate = fault.waiting == true ? .waiting(fault.reason) : .failed(fault.reason)
        // The message is in the outbox or was sent; the next outbox listing shows which.
        case .gone where !isNew: words.fate = .waiting(nil)
        default:
            words.isStored = !isNew
            words.fate = .failed(failure.sentence)
        }
        own[id] = words
        return showFate(of: words) + (isNew ? [] : fetch(.outbox))
    }
}

extension OwnWords {
    /// Whether the user typed the text, so that it must not be lost.
    fileprivate var isTyped: Bool { kind == .reply || kind == .note }
}

extension String {
    fileprivate var trimmingEnd: String {
        guard let end = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...end])
    }
}
