import ControlAPI
import Localization
import Reasons

// Actions of the user in a thread, and their results.
extension InboxState {
    /// The user's messages in the open thread that have not reached the service.
    var threadOutgoing: [OutgoingItem] {
        thread.key.map { outgoing.items(for: $0).filter(\.isThreadLine) } ?? []
    }

    /// The key of the draft in the composer.
    var draftKey: DraftKey? { thread.key.map { DraftKey($0, thread.mode) } }

    mutating func handleThreadInput(_ input: Input) -> [Action] {
        switch input {
        case .showEarlier: return thread.showEarlierMessages(outgoing: threadOutgoing, formatter: formatter)
        case .showLater: return thread.showLaterMessages(outgoing: threadOutgoing, formatter: formatter)
        case .showEnd: return thread.showEnd(outgoing: threadOutgoing, formatter: formatter)
        case .editDraft(let text): return updateDraft(text)
        case .send(let key): return sendDraft(itemID: key)
        case .sendAnyway(let key):
            thread.colleagueReply = nil
            return sendDraft(itemID: key)
        case .retry(let id): return retrySending(itemID: id)
        case .cancel(let id): return cancelSending(itemID: id)
        case .reopen:
            thread.reopens = true
            return []
        case .markUnread: return markUnread()
        case .mute(let isOn): return threadMessagesKey.map { [.call(.mute($0, isOn))] } ?? []
        case .snooze(let length): return snoozeOrEndSnooze(for: length)
        case .chooseAccount(let account): return thread.selectAccount(account)
        default: return []
        }
    }

    /// The key of the open conversation; `nil` until its messages are loaded.
    private var threadMessagesKey: ConversationKey? { thread.phase == .messages ? thread.key : nil }

    /// Opens the conversation that is `offset` rows below the open conversation in the filtered list; a
    /// negative `offset` counts upwards. If no conversation is open, opens the first.
    mutating func selectNeighbor(offset: Int) -> [Action] {
        let keys = list.visibleKeys
        guard let chosen = list.chosen, let index = keys.firstIndex(of: chosen) else {
            return keys.first.map { select($0) } ?? []
        }
        return keys.indices.contains(index + offset) ? select(keys[index + offset]) : []
    }

    private func snoozeOrEndSnooze(for length: SnoozeLength?) -> [Action] {
        guard let key = threadMessagesKey else { return [] }
        return [.call(.snooze(key, until: length?.endTime(startingAt: now, in: calendar)))]
    }

    /// Shows a toast that confirms the snooze or, if `until` is `nil`, the end of the snooze.
    func showSnoozeToast(until: Int64?) -> [Action] {
        guard let until else { return [.showToast(localized("No longer snoozed"))] }
        return [
            .showToast(localized("Snoozed until {time}", ["time": formatter.relativeTimeText(for: until)]))
        ]
    }

    /// Marks the open conversation as unread until the user opens it again or a message arrives.
    private mutating func markUnread() -> [Action] {
        guard let key = threadMessagesKey else { return [] }
        thread.isMarkedUnread = true
        return [.call(.markUnread(key)), .showToast(localized("Marked as unread"))]
    }

    mutating func select(_ key: ConversationKey?) -> [Action] {
        guard let key else {
            let actions = thread.phase == .none ? [] : thread.clearLines()
            thread = ThreadState()
            return actions + list.select(nil)
        }
        if key == thread.key, thread.phase == .messages { return [.presentWindow] }
        return beginLoading(
            ThreadRequest(conversation: key.conversation, account: key.account), requestedMessageID: nil)
            + list.select(key) + [.presentWindow]
    }

    /// Opens a conversation. `account`: `nil` if a link contains no account; the daemon then uses the only
    /// account that contains the conversation.
    mutating func openConversation(_ id: String, account: String?, messageID: String?) -> [Action] {
        let known = list.keys(ofConversation: id)
        let account = account ?? (known.count == 1 ? known[0].account : nil)
        let key = account.map { ConversationKey(account: $0, conversation: id) }
        if let key, key == thread.key, thread.phase == .messages {
            return scrollToMessage(withID: messageID) + [.presentWindow]
        }
        return beginLoading(ThreadRequest(conversation: id, account: account), requestedMessageID: messageID)
            + list.select(key) + [.presentWindow]
    }

    /// Scrolls the open thread to `message`. Loads the thread again only if the message is not loaded yet.
    private mutating func scrollToMessage(withID message: String?) -> [Action] {
        guard let message else { return [] }
        if let actions = thread.scrollToMessage(
            withID: message, outgoing: threadOutgoing, formatter: formatter)
        {
            return actions
        }
        let request = ThreadRequest(
            conversation: thread.request?.conversation ?? "", account: thread.key?.account, limit: 500)
        return beginLoading(request, requestedMessageID: message)
    }

    private mutating func beginLoading(_ request: ThreadRequest, requestedMessageID: String?) -> [Action] {
        var request = request
        request.limit = request.limit ?? ThreadMessages.pageSize
        let actions = thread.clearLines()
        thread = ThreadState(request, requestedMessage: requestedMessageID)
        drafts.forceViewReload()
        return actions + [.call(.thread(request))]
    }

    mutating func handleReply(_ reply: GetConversation.Reply, for request: ThreadRequest) -> [Action] {
        let key = reply.conversation.key
        for item in outgoing.items(for: key)
        where item.messageId.map({ id in reply.messages.contains { $0.messageId == id } }) ?? false {
            outgoing[item.id] = nil
        }
        for message in reply.messages { staff.recordColleague(from: message) }
        thread.ownAdminID = staff.ownAdminID(in: key.account)
        thread.query = search.query
        let isFirst = thread.key != key
        let actions = thread.handleReply(
            reply, for: request, outgoing: outgoing.items(for: key).filter(\.isThreadLine),
            formatter: formatter)
        guard thread.key == key else { return actions }
        let asked = isFirst ? requestTagsAndCannedResponses(for: key) : []
        return actions + asked + (isListTruncated == nil ? [] : list.insertOrUpdate(reply.conversation))
            + list.select(key)
    }
}

// MARK: - Outgoing items

extension InboxState {
    private mutating func updateDraft(_ text: String) -> [Action] {
        guard let key = draftKey else { return [] }
        let actions = drafts.updateDraft(text, for: key) ? list.reloadRow(of: key.conversation) : []
        return actions + [.saveDraft(key, text.isEmpty ? nil : text)]
    }

    /// The reason why the text in the composer cannot be sent; `nil` if there is none.
    var composerProblem: String? {
        let text = draftKey.map { drafts[$0] } ?? ""
        return text.utf8.count > SendMessage.messageLimit
            ? FormView.Problem.tooLong(.text).sentence : nil
    }

    var canSend: Bool {
        guard let key = draftKey, composerProblem == nil else { return false }
        return drafts[key].unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    mutating func sendDraft(itemID: String) -> [Action] {
        guard canSend, let draft = draftKey, outgoing[itemID] == nil else { return [] }
        if draft.mode == .reply, let answer = thread.colleagueReply {
            let parts: KeyValuePairs = [
                "colleague": answer.sender, "time": formatter.relativeTimeText(for: answer.time),
            ]
            return [
                .askToSend(
                    localized("{colleague} replied while you had this conversation open ({time}).", parts))
            ]
        }
        let key = draft.conversation
        let item = OutgoingItem(
            id: itemID, kind: draft.mode == .note ? .note : .reply, key: key, account: key.account,
            text: drafts[draft].trimmingEnd, reopens: draft.mode == .reply && thread.reopens,
            writtenAt: now, deliveryState: .sending)
        outgoing[itemID] = item
        drafts.setDraft("", for: draft)
        thread.clearUnreadMarker()
        let shown = thread.messages.hasLater ? [] : rewriteThreadLines()
        return shown + thread.showEnd(outgoing: threadOutgoing, formatter: self.formatter)
            + (item.call.map { [.call($0)] } ?? [])
            + [.saveDraft(draft, nil)] + list.reloadRow(of: key)
    }

    private mutating func retrySending(itemID id: String) -> [Action] {
        guard var item = outgoing[id], item.deliveryState != .sending, item.deliveryState != .sent else {
            return []
        }
        item.deliveryState = .sending
        outgoing[id] = item
        let shown = showDeliveryState(of: item)
        // The daemon has not stored the message, so send the message again with the same idempotency key.
        if !item.isStored, let call = item.call { return shown + [.call(call)] }
        return shown + [.call(.retry(outboxId: id))]
    }

    private mutating func cancelSending(itemID id: String) -> [Action] {
        guard let item = outgoing[id] else { return [] }
        if item.isStored { return [.call(.cancel(outboxId: id))] }
        // Do not remove an item while its call is in flight, because the daemon may already have stored the
        // message.
        return item.deliveryState == .sending ? [] : removeItemRestoringText(item)
    }

    /// Removes an unsent message. Restores its text in the composer or the form, unless the composer or the
    /// form contains other text.
    private mutating func removeItemRestoringText(_ item: OutgoingItem) -> [Action] {
        outgoing[item.id] = nil
        guard let key = item.key else {
            if item.kind == .reply { form.restoreMessage(item.text) }
            return []
        }
        var actions: [Action] = []
        let draft = DraftKey(key, item.kind == .note ? .note : .reply)
        if item.isUserText, drafts[draft].isEmpty {
            drafts.setDraft(item.text, for: draft)
            actions.append(.saveDraft(draft, item.text))
        }
        return actions + showDeliveryState(of: item)
    }

    private mutating func showDeliveryState(of item: OutgoingItem) -> [Action] {
        guard let key = item.key else { return [] }
        return
            (key == thread.key
            ? thread.rewriteOutgoingLines(outgoing: threadOutgoing, formatter: self.formatter) : [])
            + list.reloadRow(of: key)
    }
}

// MARK: - Results of sending

extension InboxState {
    mutating func handleReply(_ answer: CallReply, toSendCall call: Call) -> [Action] {
        switch (call, answer) {
        case (.send(let message), .sent(let reply)), (.note(let message), .sent(let reply)):
            return markItemAccepted(message.key, isQueued: reply.queued, messageID: reply.messageId)
        case (.respond(let response), .sent(let reply)):
            return markItemAccepted(response.key, isQueued: reply.queued, messageID: reply.messageId)
        case (.retry(let id), .retried(let reply)):
            return markItemAccepted(id, isQueued: reply.queued, messageID: reply.messageId)
        case (.cancel(let id), _): return outgoing[id].map { removeItemRestoringText($0) } ?? []
        default: return []
        }
    }

    private mutating func markItemAccepted(_ id: String, isQueued: Bool, messageID: String?) -> [Action] {
        guard var item = outgoing[id] else { return [] }
        if isQueued {
            (item.deliveryState, item.isStored) = (.waiting(nil), true)
            outgoing[id] = item
        } else {
            outgoing.markSent(id, messageID: messageID)
        }
        return showDeliveryState(of: item)
    }

    mutating func handleFailure(_ failure: CallFailure, ofSendCall call: Call) -> [Action] {
        switch call {
        case .send(let message), .note(let message):
            return markItemFailed(message.key, because: failure, isFirstAttempt: true)
        case .respond(let response):
            return markItemFailed(response.key, because: failure, isFirstAttempt: true)
        case .change(let change): return revert(change, because: failure)
        case .retry(let id): return markItemFailed(id, because: failure, isFirstAttempt: false)
        case .cancel: return [.showToast(failure.sentence)] + startFetch(.outbox)
        default: return [.showToast(failure.sentence)]
        }
    }

    /// Reverts a change that failed. If the API rejected the change, the change stays in the outbox and is
    /// marked as failed or waiting instead.
    private mutating func revert(_ change: StaffChange, because failure: CallFailure) -> [Action] {
        if case .notSent = failure {
            return markItemFailed(change.key, because: failure, isFirstAttempt: true)
        }
        outgoing[change.key] = nil
        return [.showToast(failure.sentence)] + list.reloadRow(of: change.conversation)
    }

    private mutating func markItemFailed(_ id: String, because failure: CallFailure, isFirstAttempt: Bool)
        -> [Action]
    {
        guard var item = outgoing[id] else { return [] }
        switch failure {
        case .closed(let fault):
            if item.key == thread.key {
                thread.conversation?.status = fault.status
                thread.reopens = false
            }
            return removeItemRestoringText(item) + [.showToast(failure.sentence)]
        case .notSent(let fault):
            item.isStored = true
            let reason = fault.reasonValue.localized
            item.deliveryState = fault.waiting == true ? .waiting(reason) : .failed(reason)
        // The daemon had already stored the message, so the message is in the outbox or was sent. The next
        // update of the outbox sets the state.
        case .unreachable where !isFirstAttempt: item.deliveryState = .waiting(nil)
        default:
            item.isStored = !isFirstAttempt
            item.deliveryState = .failed(failure.sentence)
        }
        outgoing[id] = item
        return showDeliveryState(of: item) + (isFirstAttempt ? [] : startFetch(.outbox))
    }
}

extension OutgoingItem {
    /// Whether the item contains text that the user wrote and that must not be lost.
    fileprivate var isUserText: Bool { kind == .reply || kind == .note }
}

extension String {
    fileprivate var trimmingEnd: String {
        guard let end = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...end])
    }
}
