import ControlAPI
import Localization

// What the daemon tells: the entries of the log, and its going.
extension InboxState {
    mutating func accept(_ entry: Watch.Reply) -> [Action] {
        let wasAway = daemon != .here
        daemon = .here
        switch entry.type {
        case "snapshot": return refresh() + begin()
        case "reset": return refresh() + fetch(.list) + thread.reload()
        case "state":
            noteState(entry)
            return refresh()
        case "account.authenticated", "account.unauthenticated":
            return refresh() + (entry.account.map { fetch(.session(account: $0)) } ?? [])
        case "access.requested", "access.granted", "access.refused", "access.revoked":
            noteAccess()
            return []
        // Another inbox than before.
        case "device.linked", "device.unlinked": return refresh() + fetch(.list) + thread.reload()
        default: return (wasAway ? refresh() : []) + acceptConversation(entry)
        }
    }

    /// What is asked for once; later entries keep it current.
    private mutating func begin() -> [Action] {
        // What the last one was told may not have been taken.
        thread.readUpTo = nil
        let list = isListCut == nil ? fetch(.list) : []
        return list + (thread.phase == .loading && thread.request != nil ? thread.reload() : [])
    }

    private mutating func noteState(_ entry: Watch.Reply) {
        guard let account = entry.account else { return }
        switch entry.state {
        case .offline: if offlineSince[account] == nil { offlineSince[account] = entry.at }
        case .connected: offlineSince[account] = nil
        default: break
        }
    }

    private mutating func acceptConversation(_ entry: Watch.Reply) -> [Action] {
        var actions: [Action] = []
        if let view = entry.data?.conversation {
            if view.key == thread.key { thread.conversation = view }
            if isListCut != nil { actions += list.put(view) }
            own.settle(view, me: staff.me(in: view.account))
            actions += learnTitle(from: view)
        } else if entry.data?.message != nil {
            actions += fetch(.list)
        }
        guard let message = entry.data?.message else { return actions }
        return actions + accept(message) + announce(message, at: entry.at)
    }

    /// The first conversation of an account may name its app, which becomes the account's title.
    private mutating func learnTitle(from view: ConversationView) -> [Action] {
        guard hasSeveralAccounts, let app = view.appName,
            knownApps.insert(AppOfAccount(account: view.account, app: app)).inserted
        else { return [] }
        return fetch(.status)
    }

    /// An older entry was missed while the daemon was away: it is read, and not announced.
    private static let announcedFor: Int64 = 30_000
    /// Characters of a message that are announced.
    private static let announcedLength = 80

    /// Announces a reply while the person works in this window; otherwise its notification does.
    private func announce(_ message: MessageView, at time: Int64) -> [Action] {
        guard isFocused, !message.isOwn, !message.isNote, !message.isSystem, now - time < Self.announcedFor
        else { return [] }
        let sender = message.sender(staff.me(in: message.account))
        let text = status?.private == true ? "" : plainLine(message.message, limit: Self.announcedLength)
        return [
            .announce(
                text.isEmpty
                    ? localized("New message from {sender}", ["sender": sender])
                    : localized("{sender}: {text}", ["sender": sender, "text": text]))
        ]
    }

    private mutating func accept(_ message: MessageView) -> [Action] {
        var actions: [Action] = []
        staff.note(message)
        if message.isOwn {
            let hadWords = own.arrived(message)
            // What waits behind it may be gone, too, by the same connection.
            if hadWords, !own.of(message.key).isEmpty { actions += fetch(.outbox) }
            if hadWords { actions += list.touch(message.key) }
        }
        guard message.key == thread.key, thread.phase == .messages else { return actions }
        return actions
            + thread.add(message, isSeen: inFront == message.key && thread.isAtEnd, own: threadWords, words)
    }

    mutating func lose(_ absence: Absence) -> [Action] {
        daemon.lose(absence, hasContent: isListCut != nil, now: now)
        forgetFetches()
        return []
    }
}

// What it answers.
extension InboxState {
    mutating func accept(_ answer: Answer, to call: Call) -> [Action] {
        if let (actions, began) = form.accept(call, answer) {
            let outbox = call.leavesWords ? fetch(.outbox) : []
            return actions + outbox + (began.map { open($0, form.account, nil) } ?? [])
        }
        switch (call, answer) {
        case (.status, .status(let reply)): return accept(reply)
        case (.list, .list(let reply)):
            (isListCut, listFailure) = (reply.cut == true, nil)
            return list.replace(with: reply.conversations)
        case (.questions, .questions(let reply)):
            questions = reply.questions.map(\.translated)
            return []
        case (.outbox, .outbox(let reply)):
            let before = own.marks
            own.reconcile(with: reply.items, isCut: reply.cut == true)
            let changed = Set(before.keys).union(own.marks.keys).filter { before[$0] != own.marks[$0] }
            return changed.sorted().flatMap { list.touch($0) } + thread.rewriteOwn(threadWords, words)
        case (.thread(let request), .thread(let reply)): return accept(reply, for: request)
        case (.search(let words), .search(let reply, let services)):
            return search.accept(reply, services: services, for: words)
        case (.pause, _), (.resume, _), (.turnOnNotifications, _): return fetch(.status)
        case (.answer, .answered(let account)): return accept(added: account)
        default: return acceptAsStaff(answer, to: call) ?? acceptOwn(answer, to: call)
        }
    }

    private mutating func accept(_ reply: GetStatus.Reply) -> [Action] {
        let (before, titles) = (status?.accounts.map(\.name), status?.accounts.map(\.title))
        status = reply
        for account in reply.accounts where account.state == .connected { offlineSince[account.name] = nil }
        guard before != reply.accounts.map(\.name) else {
            return titles == reply.accounts.map(\.title) ? [] : list.touchAll()
        }
        // A thread of support may be here before it is known to be one. Names of accounts are shown where there
        // are several, and the list may be here, too.
        let asked = thread.conversation.map { askAsStaff(about: $0.key) } ?? []
        return asked + (before == nil ? [] : fetch(.list)) + list.touchAll()
    }

    private mutating func accept(added account: String?) -> [Action] {
        guard account != nil else { return refresh() }
        return [.tell(addedSentence)] + refresh() + fetch(.list)
    }

    mutating func accept(_ failure: CallFailure, of call: Call) -> [Action] {
        if case .tooOld(let sentence) = failure { daemon = .tooOld(sentence) }
        if let actions = form.fail(call, failure) {
            return actions + (call.leavesWords ? fetch(.outbox) : [])
        }
        switch call {
        case .status, .questions, .outbox, .markRead, .session, .tags: return []
        case .list:
            if isListCut == nil, failure != .gone { listFailure = failure.sentence }
            return []
        case .thread(let request):
            guard thread.fail(request, failure) else { return [] }
            return thread.phase == .messages ? [.tell(failure.sentence)] : thread.clear()
        case .search(let words): return search.fail(words, failure)
        // Answered elsewhere a moment before.
        case .answer: return failure.isAbsence ? refresh() : [.tell(failure.sentence)] + refresh()
        default: return failOwn(failure, of: call)
        }
    }
}

/// The sentence after an app was added, whose name is not known before the next status.
var addedSentence: String { localized("The app was added. Its replies are shown here from now on.") }

extension QuestionView {
    /// The daemon says it in English, as programs read it, too.
    var translated: QuestionView {
        var question = self
        question.question = localized(received: self.question)
        question.detail = localized(received: detail)
        question.allow = localized(received: allow)
        question.refuse = localized(received: refuse)
        return question
    }
}

extension Call {
    /// They may be in the outbox now.
    fileprivate var leavesWords: Bool { if case .create = self { true } else { false } }
}

extension CallFailure {
    fileprivate var isAbsence: Bool { if case .notFound = self { true } else { false } }
}
