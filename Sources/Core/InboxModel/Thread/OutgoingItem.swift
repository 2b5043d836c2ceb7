import ControlAPI
import Localization
import Reasons

/// The delivery state of a message from the user.
public enum DeliveryState: Hashable, Sendable {
    case sending
    case sent
    /// The message is pending and is sent automatically. The value is the reason for the delay; `nil` if
    /// unknown.
    case waiting(String?)
    /// Sending failed, with this error message; the user must retry or cancel.
    case failed(String)
}

/// A message or another action of the user that the service has not received, or that the thread does not
/// show yet.
struct OutgoingItem: Hashable, Sendable {
    /// The ID of the outbox item and the idempotency key of the call.
    let id: String
    var kind = Kind.reply
    /// The conversation; `nil` if the message starts a new one.
    var key: ConversationKey?
    var account: String?
    var text: String
    var reopens = false
    /// The time of writing in Unix milliseconds.
    var writtenAt: Int64
    var deliveryState: DeliveryState
    /// The ID of the resulting message; `nil` if unknown.
    var messageId: String?
    /// Whether the daemon has stored the message; if not, only the window has it.
    var isStored = true

    enum Kind: Hashable, Sendable {
        case reply
        case note
        /// A canned response with its ID and variables; the ID is `nil` if only the daemon knows it.
        case response(String?, [String: String])
        /// A change of the conversation; `nil` if only the daemon knows the change.
        case change(StaffAction?)
        case newResponse
        /// A sign-out that is not yet sent to the issuer.
        case signOut
    }
}

extension OutgoingItem {
    /// Whether the thread shows the item as a line.
    var isLine: Bool {
        switch kind {
        case .reply, .note: true
        case .response: !text.isEmpty
        case .change, .newResponse, .signOut: false
        }
    }

    /// The change, which is shown before the service has received it; `nil` if the change failed, or if the
    /// item is not a change.
    var pendingWork: StaffAction? {
        guard case .change(let work) = kind else { return nil }
        if case .failed = deliveryState { return nil }
        return work
    }

    /// The call that sends the item; `nil` if only the daemon can send it.
    var call: Call? {
        guard let key else { return nil }
        switch kind {
        case .reply: return .send(makeMessage(to: key))
        case .note: return .note(makeMessage(to: key))
        case .response(let response?, let variables):
            let sent = OutgoingResponse(
                key: id, conversation: key, responseId: response, variables: variables)
            return .respond(sent)
        case .change(let work?): return .change(makeChange(work, of: key))
        case .response(nil, _), .change(nil), .newResponse, .signOut: return nil
        }
    }

    func makeChange(_ work: StaffAction, of key: ConversationKey) -> StaffChange {
        StaffChange(key: id, conversation: key, work: work)
    }

    private func makeMessage(to key: ConversationKey) -> OutgoingMessage {
        OutgoingMessage(key: id, conversation: key, message: text, reopens: reopens)
    }

    /// Returns a description of an outbox item that is known only by its kind.
    static func label(for kind: Kind) -> String {
        switch kind {
        case .change: localized("Conversation change")
        case .response: localized("Canned response")
        case .signOut: localized("Sign-out")
        case .reply, .note, .newResponse: ""
        }
    }
}

/// The messages and actions that are in the daemon's outbox or whose calls are in flight.
struct OutgoingItems: Sendable {
    private(set) var entries: [OutgoingItem] = []
    /// The IDs of the user's messages that arrived recently, possibly before their call returned.
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

    func mark(of key: ConversationKey) -> ConversationRow.Mark? {
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
        return Dictionary(keys.compactMap { key in mark(of: key).map { (key, $0) } }) { first, _ in first }
    }

    /// Removes the item that was sent as `message`. Returns whether an item was removed.
    mutating func removeConfirmed(by message: MessageView) -> Bool {
        arrivals = arrivals.suffix(63) + [message.messageId]
        let own = entries.indices.filter { entries[$0].key == message.key && entries[$0].isLine }
        let index =
            own.first { entries[$0].messageId == message.messageId }
            ?? own.first { entries[$0].messageId == nil && entries[$0].mayMatch(message) }
        guard let index else { return false }
        entries.remove(at: index)
        return true
    }

    /// Records that a call succeeded.
    ///
    /// - Parameter message: the ID of the sent message; `nil` if unknown.
    mutating func markSent(_ id: String, as message: String?) {
        guard var own = self[id] else { return }
        (own.deliveryState, own.messageId, own.isStored) = (.sent, message, true)
        // An item that starts a conversation is removed, because the list shows the new conversation.
        let isHere = own.key == nil || message.map(arrivals.contains) ?? false
        self[id] = isHere ? nil : own
    }

    /// Removes the sent changes that the conversation already reflects.
    ///
    /// - Parameter me: the user's ID at the service.
    mutating func removeCompleted(_ view: ConversationView, me: String?) {
        entries.removeAll { own in
            guard own.key == view.key, own.deliveryState == .sent, case .change(let work?) = own.kind else {
                return false
            }
            return view.hasValue(of: work, me: me)
        }
    }

    /// Updates the items from the daemon's outbox.
    ///
    /// - Parameter isCut: whether `items` is incomplete.
    mutating func reconcile(with items: [OutboxItem], isCut: Bool) {
        let items = items.filter { $0.kind != "read" }
        let known = Set(items.map(\.outboxId))
        for item in items { update(from: item) }
        guard !isCut else { return }
        // The item was sent or cancelled. If it was sent, an entry with the message follows in the event log.
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
        // The call in flight returns soon, and its result is more precise than the outbox item.
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
    /// Returns whether `message` may be this item after sending. The service may have truncated a long
    /// message.
    fileprivate func mayMatch(_ message: MessageView) -> Bool {
        guard message.isNote == (kind == .note) else { return false }
        if message.message == text { return true }
        let begin = message.message.dropLast()
        return message.message.last == "…" && begin.utf8.count > 1000 && text.hasPrefix(begin)
    }
}
