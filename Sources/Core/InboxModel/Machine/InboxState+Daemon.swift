public import ControlAPI
import Localization
import Reasons

// Entries of the daemon's event log, and the loss of the connection.
extension InboxState {
    mutating func handleLogEntry(_ entry: Watch.Reply) -> [Action] {
        let wasAway = daemon != .ready
        daemon = .ready
        switch entry.type {
        case .snapshot: return refresh() + handleConnect()
        case .reset:
            list.forgetUpdates()
            return refresh() + startFetch(.list) + thread.reload()
        case .state:
            updateOfflineTimes(from: entry)
            // Request the list, because the first sync of a new account adds no conversations to the event
            // log.
            return refresh() + (entry.state == .connected ? startFetch(.list) : [])
        case .accountAuthenticated, .accountUnauthenticated:
            return refresh() + (entry.account.map { startFetch(.session(account: $0)) } ?? [])
        case .accessRequested, .accessGranted, .accessRefused, .accessRevoked:
            invalidateAccessPage()
            return []
        // The device joined or left a shared inbox, so its list of conversations has changed.
        case .deviceLinked, .deviceUnlinked: return refresh() + startFetch(.list) + thread.reload()
        case .conversationOpened: return wasAway ? refresh() : []
        case .messageCreated, .conversationUpdated, .conversationRead, .badge, .unknown:
            return (wasAway ? refresh() : []) + updateConversation(from: entry)
        }
    }

    /// Requests the initial state. Afterwards, entries of the event log update the state.
    private mutating func handleConnect() -> [Action] {
        // Mark the thread as read again, because the previous daemon may have exited before it stored the
        // mark.
        thread.forgetReadMark()
        let list = isListTruncated == nil ? startFetch(.list) : []
        return list + (thread.phase == .loading && thread.request != nil ? thread.reload() : [])
    }

    private mutating func updateOfflineTimes(from entry: Watch.Reply) {
        guard let account = entry.account else { return }
        switch entry.state {
        case .offline: if offlineSince[account] == nil { offlineSince[account] = entry.at }
        case .connected: offlineSince[account] = nil
        default: break
        }
    }

    private mutating func updateConversation(from entry: Watch.Reply) -> [Action] {
        var actions: [Action] = []
        if let view = entry.data?.conversation {
            if view.key == thread.key {
                actions += showToastIfAssigneeChanged(
                    previous: list[view.key] ?? thread.conversation, current: view)
                thread.conversation = view
            }
            if isListTruncated != nil {
                actions += list.insertOrUpdate(view, isListRequestInFlight: isFetching(.list))
            } else if isFetching(.list) {
                list.recordUpdate(view)
            }
            actions += thread.reloadIfPreviouslyNotFound(view.key)
            thread.recordUpdate(of: view.key)
            outgoing.removeCompletedChanges(of: view, ownAdminID: staff.ownAdminID(in: view.account))
            actions += refreshAccountTitles(ifNewAppIn: view)
        } else if entry.data?.message != nil {
            actions += startFetch(.list)
        }
        guard let message = entry.data?.message else { return actions }
        return actions + handleNewMessage(message) + announceToScreenReader(message, receivedAt: entry.at)
    }

    /// Shows a toast if a colleague was assigned to the open conversation.
    private func showToastIfAssigneeChanged(previous: ConversationView?, current view: ConversationView)
        -> [Action]
    {
        guard isStaffAccount(view.account), let admin = view.assignedAdminId,
            admin != previous?.assignedAdminId,
            admin != staff.ownAdminID(in: view.account)
        else { return [] }
        let name = staff.name(ofAdmin: admin, in: view.account)
        return [.showToast(localized("Assigned to {colleague}", ["colleague": name]))]
    }

    /// Refreshes the account titles if `view` is the first conversation that contains the name of the
    /// account's app.
    private mutating func refreshAccountTitles(ifNewAppIn view: ConversationView) -> [Action] {
        guard hasSeveralAccounts, let app = view.appName,
            knownApps.insert(AppOfAccount(account: view.account, app: app)).inserted
        else { return [] }
        return startFetch(.status)
    }

    /// The maximum age in milliseconds of a message that is announced to a screen reader. An older message
    /// arrived while the window was not connected to the daemon, and is shown without an announcement.
    private static let maxAnnouncementAge: Int64 = 30_000
    /// The maximum length of an announcement in characters.
    private static let maxAnnouncementLength = 80

    /// Announces a reply to the screen reader if the window has the focus. Without the focus, the screen
    /// reader announces the notification instead.
    private func announceToScreenReader(_ message: MessageView, receivedAt time: Int64) -> [Action] {
        guard isFocused, !message.isOwn, !message.isNote, !message.isSystem,
            now - time < Self.maxAnnouncementAge
        else { return [] }
        let sender = message.senderName(ownAdminID: staff.ownAdminID(in: message.account))
        let text =
            status?.private == true ? "" : plainLine(message.message, limit: Self.maxAnnouncementLength)
        return [
            .announceToScreenReader(
                text.isEmpty
                    ? localized("New message from {sender}", ["sender": sender])
                    : localized("{sender}: {text}", ["sender": sender, "text": text]))
        ]
    }

    private mutating func handleNewMessage(_ message: MessageView) -> [Action] {
        var actions: [Action] = []
        staff.recordColleague(from: message)
        if message.isOwn {
            let hadText = outgoing.removeItem(confirmedBy: message)
            // Request the outbox, because the daemon may have sent other queued messages too.
            if hadText, !outgoing.items(for: message.key).isEmpty { actions += startFetch(.outbox) }
            if hadText { actions += list.reloadRow(of: message.key) }
        }
        guard message.key == thread.key, thread.phase == .messages else { return actions }
        return actions
            + thread.add(
                message, isSeen: conversationInFront == message.key && thread.isAtEnd,
                outgoing: threadOutgoing, formatter: formatter
            )
    }

    mutating func handleDisconnect(reason: DisconnectReason) -> [Action] {
        daemon.handleDisconnect(reason: reason, isListLoaded: isListTruncated != nil, now: now)
        resetFetches()
        list.forgetUpdates()
        return []
    }
}

// Results of calls.
extension InboxState {
    mutating func handleReply(_ response: CallReply, to call: Call) -> [Action] {
        if let (actions, began) = form.handleReply(to: call, reply: response) {
            let outbox = call.isWriteCall ? startFetch(.outbox) : []
            return actions + outbox
                + (began.map {
                    openConversation($0, account: form.account, messageID: nil) + [.focusComposer]
                }
                    ?? [])
        }
        switch (call, response) {
        case (.status, .status(let reply)): return handleStatus(reply)
        case (.list, .list(let reply)):
            let isFirst = isListTruncated == nil
            (isListTruncated, listFailure) = (reply.cut == true, nil)
            let missing = reply.conversations.flatMap { thread.reloadIfPreviouslyNotFound($0.key) }
            return list.replace(with: reply.conversations) + missing
                + (isFirst ? selectNewestConversation() : [])
        case (.questions, .questions(let reply)):
            questions = reply.questions.map(\.translated)
            return []
        case (.outbox, .outbox(let reply)):
            let before = outgoing.marks
            outgoing.reconcile(with: reply.items, isTruncated: reply.cut == true)
            let changed = Set(before.keys).union(outgoing.marks.keys).filter {
                before[$0] != outgoing.marks[$0]
            }
            return changed.sorted().flatMap { list.reloadRow(of: $0) }
                + thread.rewriteOutgoingLines(outgoing: threadOutgoing, formatter: formatter)
        case (.thread(let request), .thread(let reply)): return handleReply(reply, for: request)
        case (.search(let words), .search(let reply, let services)):
            return search.handleReply(reply, services: services, forQuery: words)
        case (.mute, _), (.markUnread, _): return []
        case (.snooze(_, let until), _): return showSnoozeToast(until: until)
        case (.pause, _), (.resume, _), (.turnOnNotifications, _): return startFetch(.status)
        case (.answer, .answered(let account)): return handleSetupCompletion(addedAccount: account)
        default: return handleReply(response, toStaffCall: call) ?? handleReply(response, toSendCall: call)
        }
    }

    /// Opens the newest conversation next to the list, and moves the focus to the composer unless the user is
    /// searching. Has no effect in a narrow window. Also has no effect if message text is hidden, because the
    /// user would have to confirm their presence first.
    private mutating func selectNewestConversation() -> [Action] {
        guard showsThread, thread.phase == .none, let newest = list.visibleKeys.first,
            list[newest]?.lastMessage != nil
        else { return [] }
        return select(newest).filter { $0 != .presentWindow } + (search.isOn ? [] : [.focusComposer])
    }

    private mutating func handleStatus(_ reply: GetStatus.Reply) -> [Action] {
        let (before, titles) = (status?.accounts.map(\.name), status?.accounts.map(\.title))
        status = reply
        for account in reply.accounts where account.state == .connected { offlineSince[account.name] = nil }
        let sessions = staffAccounts.filter { staff.sessions[$0] == nil }
            .flatMap { startFetch(.session(account: $0)) }
        return sessions + updateOwnAdminIDs()
            + updateAccounts(from: reply, previousAccounts: before, previousTitles: titles)
    }

    /// Updates the user's IDs in the staff accounts. The list uses these IDs to find the conversations
    /// assigned to the user.
    mutating func updateOwnAdminIDs() -> [Action] {
        var admins: [String: String?] = [:]
        for account in staffAccounts { admins.updateValue(staff.ownAdminID(in: account), forKey: account) }
        return list.setOwnAdminIDs(admins)
    }

    private mutating func updateAccounts(
        from reply: GetStatus.Reply, previousAccounts: [String]?, previousTitles: [String?]?
    ) -> [Action] {
        guard previousAccounts != reply.accounts.map(\.name) else {
            return previousTitles == reply.accounts.map(\.title) ? [] : list.reloadAllRows()
        }
        // Request the data for support staff, because the thread may have been loaded before its account was
        // known to be a staff account. Reload the rows, because the rows show the account only if there are
        // several accounts.
        let asked = thread.conversation.map { requestTagsAndCannedResponses(for: $0.key) } ?? []
        return asked + (previousAccounts == nil ? [] : startFetch(.list)) + list.reloadAllRows()
    }

    private mutating func handleSetupCompletion(addedAccount account: String?) -> [Action] {
        guard account != nil else { return refresh() }
        return [.showToast(addedSentence)] + refresh() + startFetch(.list)
    }

    mutating func handleFailure(_ failure: CallFailure, of call: Call) -> [Action] {
        if case .tooOld(let sentence) = failure { daemon = .tooOld(sentence) }
        if let actions = form.handleFailure(of: call, failure: failure) {
            return actions + (call.isWriteCall ? startFetch(.outbox) : [])
        }
        switch call {
        case .status, .questions, .outbox, .session, .tags, .canned: return []
        case .markRead(let key, let newest):
            if key == thread.key { thread.handleMarkReadFailure(upToMessageID: newest) }
            return []
        case .list:
            list.forgetUpdates()
            if isListTruncated == nil, failure != .unreachable { listFailure = failure.sentence }
            return []
        case .thread(let request):
            guard thread.handleFailure(of: request, failure: failure) else { return [] }
            return thread.phase == .messages ? [.showToast(failure.sentence)] : thread.clearLines()
        case .search(let words): return search.handleFailure(ofQuery: words, failure: failure)
        // Do not report a missing question: another client has already answered it.
        case .answer: return failure.isNotFound ? refresh() : [.showToast(failure.sentence)] + refresh()
        default: return handleFailure(failure, ofSendCall: call)
        }
    }
}

/// The confirmation that an app was added. The sentence does not contain the app's name, because the window
/// receives the name only with the next status.
var addedSentence: String { localized("The app was added. New replies are now shown in this window.") }

extension QuestionView {
    /// The question in the user's language, or in English if the daemon is too old to send translatable
    /// texts.
    public var translated: QuestionView {
        guard let texts else { return self }
        var question = self
        question.question = texts.question.reasonValue.localized
        question.detail = texts.detail.map(\.reasonValue.localized).joined(separator: " ")
        question.allow = texts.allow.reasonValue.localized
        question.refuse = texts.refuse.reasonValue.localized
        return question
    }
}

extension Call {
    /// Whether the call may have stored a message in the outbox.
    fileprivate var isWriteCall: Bool { if case .create = self { true } else { false } }
}

extension CallFailure {
    fileprivate var isNotFound: Bool { if case .notFound = self { true } else { false } }
}
