public import ControlAPI
import Localization

// Actions of support staff, except replies, and their results.
extension InboxState {
    public var staffAccounts: [String] {
        (status?.accounts ?? []).filter { $0.kind == .staff }.map(\.name)
    }

    func isStaffAccount(_ account: String) -> Bool { staffAccounts.contains(account) }

    /// The open conversation; `nil` until its messages are loaded, or if its account is not a staff account.
    public var staffConversation: ConversationView? {
        guard let key = thread.key, thread.phase == .messages, isStaffAccount(key.account) else { return nil }
        return list[key] ?? thread.conversation
    }

    /// The controls for support staff in the open conversation; `nil` if the conversation does not belong to
    /// a staff account.
    var staffTools: StaffTools? {
        staffConversation.map { view in
            var tools = staff.tools(
                for: view, pendingActions: outgoing.items(for: view.key).compactMap(\.pendingAction))
            tools.colleagueReply = thread.colleagueReply.map { answer in
                let parts: KeyValuePairs = [
                    "colleague": answer.sender, "time": formatter.relativeTimeText(for: answer.time),
                ]
                return localized("{colleague} replied ({time})", parts)
            }
            tools.user = userFacts(of: view)
            return tools
        }
    }

    /// Returns the session of an account; `nil` if unknown.
    public func session(of account: String) -> SessionView? { staff.sessions[account] }

    mutating func handleStaffInput(_ input: StaffInput) -> [Action] {
        // Handle "undo" before the check for an open staff conversation, because the resolved conversation
        // need not be open.
        if case .undo(let key) = input { return undoResolution(itemID: key) }
        guard let view = staffConversation else { return [] }
        switch input {
        case .change(let work, let key): return startChange(work, of: view, itemID: key)
        case .write(let mode):
            thread.mode = mode
            drafts.forceViewReload()
            return []
        case .respond(let response, let variables, let text, let key):
            return sendCannedResponse(
                response, variables: variables, renderedText: text, in: view.key, itemID: key)
        case .draft(let text): return appendToDraft(text, for: view.key)
        case .add(let title, let content, let key):
            let new = NewResponse(key: key, account: view.account, title: title, content: content)
            return [.call(.addResponse(new))]
        case .resolve(let key): return resolveOrReopen(view, itemID: key)
        case .sendAndResolve(let key, let resolution):
            let sent = sendDraft(itemID: key)
            return sent.contains { if case .askToSend = $0 { true } else { false } } || outgoing[key] == nil
                ? sent : sent + resolveOrReopen(view, itemID: resolution)
        case .undo: return []
        }
    }

    /// Resolves a conversation and opens the next conversation in the list. If the conversation has already
    /// ended, reopens the conversation instead.
    private mutating func resolveOrReopen(_ view: ConversationView, itemID: String) -> [Action] {
        guard !view.hasEnded else { return startChange(.set(.status, "open"), of: view, itemID: itemID) }
        let actions = startChange(.set(.status, "resolved"), of: view, itemID: itemID)
        guard !actions.isEmpty else { return [] }
        staff.resolved = (view.key, view.status)
        return actions + selectNeighbor(offset: 1) + [
            .offerUndo(localized("Resolved: {title}", ["title": view.heading]))
        ]
    }

    private mutating func undoResolution(itemID id: String) -> [Action] {
        guard let (key, status) = staff.resolved, let view = list[key] else { return [] }
        staff.resolved = nil
        return startChange(.set(.status, status), of: view, itemID: id) + select(key)
    }

    private mutating func startChange(_ action: StaffAction, of view: ConversationView, itemID: String)
        -> [Action]
    {
        let tools = staff.tools(
            for: view, pendingActions: outgoing.items(for: view.key).compactMap(\.pendingAction))
        guard outgoing[itemID] == nil, !tools.isDoneOrPending(action) else { return [] }
        let item = OutgoingItem(
            id: itemID, kind: .change(action), key: view.key, account: view.account, text: action.label,
            writtenAt: now, deliveryState: .sending)
        outgoing[itemID] = item
        return list.reloadRow(of: view.key) + [
            .call(.change(item.makeChange(action, ofConversation: view.key)))
        ]
    }

    private mutating func sendCannedResponse(
        _ response: CannedResponseView, variables: [String: String], renderedText: String,
        in key: ConversationKey, itemID: String
    ) -> [Action] {
        guard outgoing[itemID] == nil else { return [] }
        let answer = OutgoingItem(
            id: itemID, kind: .response(response.responseId, variables), key: key, account: key.account,
            text: renderedText, writtenAt: now, deliveryState: .sending)
        outgoing[itemID] = answer
        thread.clearUnreadMarker()
        let shown = thread.messages.hasLater ? [] : rewriteThreadLines()
        return shown + thread.showEnd(outgoing: threadOutgoing, formatter: self.formatter)
            + (answer.call.map { [.call($0)] } ?? [])
            + list.reloadRow(of: key) + [.presentWindow]
    }

    /// Appends `text` to the draft, after the text that the user typed.
    private mutating func appendToDraft(_ text: String, for key: ConversationKey) -> [Action] {
        let draft = DraftKey(key, .reply)
        let before = drafts[draft]
        thread.mode = .reply
        drafts.setDraft(before.isEmpty ? text : before + "\n\n" + text, for: draft)
        return [.saveDraft(draft, drafts[draft]), .presentWindow] + list.reloadRow(of: key)
    }

    /// Requests the tags and the canned responses of the thread's account.
    mutating func requestTagsAndCannedResponses(for key: ConversationKey) -> [Action] {
        guard isStaffAccount(key.account) else { return [] }
        return startFetch(.tags(account: key.account)) + startFetch(.canned(account: key.account))
    }

    mutating func handleReply(_ answer: CallReply, toStaffCall call: Call) -> [Action]? {
        switch (call, answer) {
        case (.session, .session(let session)):
            staff.setSession(session)
            // Update the thread, because the user's ID determines which messages are labeled "You".
            return updateOwnAdminIDs() + rewriteThreadLines()
        case (.canned(let account), .canned(let responses)):
            staff.setCannedResponses(responses, of: account)
            return []
        case (.tags(let account), .tags(let list)):
            staff.setTags(list, of: account)
            return []
        case (.change(let change), .changed(let receipt)): return markChangeAccepted(change, receipt: receipt)
        case (.addResponse, .changed(let receipt)):
            let text =
                receipt.queued
                ? localized(
                    "The canned response will be available to all support staff when the service can be reached."
                )
                : localized("The canned response is now available to all support staff.")
            return [.showToast(text)] + startFetch(.outbox)
        default: return nil
        }
    }

    private mutating func markChangeAccepted(_ change: StaffChange, receipt: StaffReceipt) -> [Action] {
        guard var item = outgoing[change.key] else { return [] }
        (item.deliveryState, item.isStored) = (receipt.queued ? .waiting(nil) : .sent, true)
        outgoing[change.key] = item
        if let view = list[change.conversation] {
            outgoing.removeCompletedChanges(of: view, ownAdminID: staff.ownAdminID(in: view.account))
        }
        return list.reloadRow(of: change.conversation)
    }
}

extension StaffTools {
    /// Returns whether the change was already made or is pending, so that repeating the change has no effect.
    func isDoneOrPending(_ action: StaffAction) -> Bool {
        switch action {
        case .assign(let to): assignee.assignee == to
        case .set(let field, let value): choices[field]?.value == value
        case .tag(let name): tags.contains { $0.label.name == name && !$0.isBeingRemoved }
        case .untag(let name): !tags.contains { $0.label.name == name && !$0.isBeingRemoved }
        }
    }
}

extension ConversationView {
    /// Returns whether the conversation already has the value that `action` would set.
    ///
    /// - Parameter ownAdminID: the user's admin ID.
    func hasValue(setBy action: StaffAction, ownAdminID: String?) -> Bool {
        switch action {
        case .assign(.unassigned): assignedAdminId == nil
        case .assign(.me): assignedAdminId != nil && assignedAdminId == ownAdminID
        case .assign(.admin(let id)): assignedAdminId == id
        case .set(let field, let value): field.currentValue(in: self) == value
        case .tag(let name): (tags ?? []).contains { $0.tagName == name }
        case .untag(let name): !(tags ?? []).contains { $0.tagName == name }
        }
    }
}
