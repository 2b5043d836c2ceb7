import ControlAPI
import Localization
import Reasons

/// The delivery state of a message from the user.
public enum DeliveryState: Hashable, Sendable {
    case sending
    case sent
    /// The message is pending and will be sent automatically. The value is the reason for the delay; `nil` if
    /// unknown.
    case waiting(String?)
    /// Sending failed, so the user must retry or cancel. The value is the error message.
    case failed(String)
}

/// A message or another change by the user that the service has not received, or whose result the thread does
/// not show yet.
struct OutgoingItem: Hashable, Sendable {
    /// The ID of the outbox item, which is also the idempotency key of the call.
    let id: String
    var kind = Kind.reply
    /// The conversation of the message; `nil` if the message starts a new conversation.
    var key: ConversationKey?
    var account: String?
    var text: String
    var reopens = false
    /// The time at which the user wrote the item, in Unix milliseconds.
    var writtenAt: Int64
    var deliveryState: DeliveryState
    /// The ID of the resulting message; `nil` if unknown.
    var messageId: String?
    /// Whether the daemon has stored the message. If not, only the window contains the message.
    var isStored = true

    enum Kind: Hashable, Sendable {
        case reply
        case note
        /// A canned response: its ID and variables. The ID is `nil` if only the daemon knows the response,
        /// because another program sent it.
        case response(String?, [String: String])
        /// A change of the conversation; `nil` if only the daemon knows the change, because another program
        /// made it.
        case change(StaffAction?)
        case newResponse
        /// A sign-out that has not been sent to the issuer.
        case signOut
    }
}

extension OutgoingItem {
    /// Whether the thread shows the item as a line.
    var isThreadLine: Bool {
        switch kind {
        case .reply, .note: true
        case .response: !text.isEmpty
        case .change, .newResponse, .signOut: false
        }
    }

    /// The pending change, which the window already shows; `nil` if the change failed or the item is not a
    /// change.
    var pendingAction: StaffAction? {
        guard case .change(let work) = kind else { return nil }
        if case .failed = deliveryState { return nil }
        return work
    }

    /// The call with which the window can send the item; `nil` if only the daemon can send it.
    var call: Call? {
        guard let key else { return nil }
        switch kind {
        case .reply: return .send(makeMessage(to: key))
        case .note: return .note(makeMessage(to: key))
        case .response(let response?, let variables):
            let sent = OutgoingResponse(
                key: id, conversation: key, responseId: response, variables: variables)
            return .respond(sent)
        case .change(let work?): return .change(makeChange(work, ofConversation: key))
        case .response(nil, _), .change(nil), .newResponse, .signOut: return nil
        }
    }

    func makeChange(_ action: StaffAction, ofConversation key: ConversationKey) -> StaffChange {
        StaffChange(key: id, conversation: key, action: action)
    }

    private func makeMessage(to key: ConversationKey) -> OutgoingMessage {
        OutgoingMessage(key: id, conversation: key, message: text, reopens: reopens)
    }

    /// Returns a description for an outbox item that has no text. The description depends only on the item's
    /// kind.
    static func label(for kind: Kind) -> String {
        switch kind {
        case .change: localized("Conversation change")
        case .response: localized("Canned response")
        case .signOut: localized("Sign-out")
        case .reply, .note, .newResponse: ""
        }
    }
}

/// The messages and changes that are in the daemon's outbox, that the daemon has not stored yet, or whose
/// result the thread does not show yet.
struct OutgoingItems: Sendable {
    private(set) var entries: [OutgoingItem] = []
    /// The IDs of the user's messages that arrived recently. The event for a message can arrive before the
    /// response to the call that sent the message.
    private var arrivals: [String] = []

    func items(for key: ConversationKey) -> [OutgoingItem] { entries.filter { $0.key == key } }

    subscript(id: String) -> OutgoingItem? {
        get { entries.first { $0.id == id } }
        set {
            guard let index = entries.firstIndex(where: { $0.id == id }) else {
                if let newValue { entries.append(newValue) }
                return
            }
            if let newValue { entries[index] = newValue } else { entries.remove(at: index) }
        }
    }

    func rowMark(for key: ConversationKey) -> ConversationRow.Mark? {
        var mark: ConversationRow.Mark?
        for own in entries where own.key == key {
            switch own.deliveryState {
            case .failed: return .failed
            case .waiting: mark = .queued
            case .sending, .sent: break
            }
        }
        return mark
    }

    var marks: [ConversationKey: ConversationRow.Mark] {
        let keys = Set(entries.compactMap(\.key))
        return Dictionary(keys.compactMap { key in rowMark(for: key).map { (key, $0) } }) { first, _ in first
        }
    }

    /// Removes the item that was sent as `message`. Returns whether such an item existed.
    mutating func removeItem(confirmedBy message: MessageView) -> Bool {
        arrivals = arrivals.suffix(63) + [message.messageId]
        let own = entries.indices.filter { entries[$0].key == message.key && entries[$0].isThreadLine }
        let index =
            own.first { entries[$0].messageId == message.messageId }
            ?? own.first { entries[$0].messageId == nil && entries[$0].isPossibleSource(of: message) }
        guard let index else { return false }
        entries.remove(at: index)
        return true
    }

    /// Records that a call succeeded.
    ///
    /// - Parameter message: the ID of the sent message; `nil` if unknown.
    mutating func markSent(_ id: String, messageID message: String?) {
        guard var own = self[id] else { return }
        (own.deliveryState, own.messageId, own.isStored) = (.sent, message, true)
        // Remove the item if its message has arrived, or if the item starts a conversation, because the list
        // then shows the conversation.
        let isHere = own.key == nil || message.map(arrivals.contains) ?? false
        self[id] = isHere ? nil : own
    }

    /// Removes the sent changes whose values the conversation already has.
    ///
    /// - Parameter ownAdminID: the user's admin ID.
    mutating func removeCompletedChanges(of view: ConversationView, ownAdminID: String?) {
        entries.removeAll { own in
            guard own.key == view.key, own.deliveryState == .sent, case .change(let work?) = own.kind else {
                return false
            }
            return view.hasValue(setBy: work, ownAdminID: ownAdminID)
        }
    }

    /// Updates the items to match the daemon's outbox.
    ///
    /// - Parameter isTruncated: whether `items` is only a part of the outbox.
    mutating func reconcile(with items: [OutboxItem], isTruncated: Bool) {
        let items = items.filter { $0.kind != "read" }
        let known = Set(items.map(\.outboxId))
        for item in items { update(from: item) }
        guard !isTruncated else { return }
        // A stored item that is no longer in the outbox was sent or cancelled. If it was sent, the event log
        // reports the message.
        entries.removeAll {
            !known.contains($0.id) && $0.isStored && $0.deliveryState != .sending && $0.messageId == nil
        }
    }

    private mutating func update(from item: OutboxItem) {
        let key = item.conversationId.map { ConversationKey(account: item.account, conversation: $0) }
        var entries =
            self[item.outboxId]
            ?? OutgoingItem(
                id: item.outboxId, kind: OutgoingItem.Kind(item), key: key, account: item.account,
                text: item.text ?? "", writtenAt: item.createdAt, deliveryState: .sending)
        entries.isStored = true
        switch item.state {
        case "failed":
            entries.deliveryState = .failed(
                item.reasonValue?.localized ?? localized("The service refused the request."))
        // Ignore the outbox item while the window's call is in flight, because the result of the call is more
        // precise.
        case _ where entries.deliveryState == .sending && item.attempts == 0 && self[item.outboxId] != nil:
            break
        case "sending": entries.deliveryState = .sending
        default: entries.deliveryState = .waiting(item.reasonValue?.localized)
        }
        self[item.outboxId] = entries
    }
}

extension OutgoingItem.Kind {
    fileprivate init(_ item: OutboxItem) {
        self =
            switch item.kind {
            case "note": .note
            case "assign", "update", "tag": .change(nil)
            case "canned": item.conversationId == nil ? .newResponse : .response(nil, [:])
            case "revocation": .signOut
            default: .reply
            }
    }
}

extension OutgoingItem {
    /// Returns whether `message` may be the result of sending this item. The service may have truncated a
    /// long text.
    fileprivate func isPossibleSource(of message: MessageView) -> Bool {
        guard message.isNote == (kind == .note) else { return false }
        if message.message == text { return true }
        let begin = message.message.dropLast()
        return message.message.last == "…" && begin.utf8.count > 1000 && text.hasPrefix(begin)
    }
}
