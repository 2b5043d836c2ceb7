import ControlAPI
import Localization

/// What becomes of what the person wrote.
public enum Fate: Hashable, Sendable {
    case sending
    case sent
    /// It goes by itself once that is possible; a sentence, where the reason is known.
    case waiting(String?)
    /// It needs the person; a sentence.
    case failed(String)
}

/// Words of the person's that are not in their thread yet.
struct OwnWords: Hashable, Sendable {
    /// Of the outbox item, which is the key that they were sent with.
    let id: String
    var kind = Kind.reply
    /// nil: they begin a conversation.
    var key: ConversationKey?
    var account: String?
    var text: String
    var reopens = false
    /// Unix milliseconds.
    var writtenAt: Int64
    var fate: Fate
    /// The message that they became, where that is known.
    var messageId: String?
    /// Whether the daemon has them; those that it never took are kept here alone.
    var isStored = true

    /// What is to be done with them.
    enum Kind: Hashable, Sendable {
        case reply
        case note
        /// A canned response, by its id; nil: the daemon alone knows which.
        case response(String?, [String: String])
        /// Of the conversation; nil: the daemon alone knows what.
        case change(StaffWork?)
        /// A canned response that is new.
        case newResponse
        /// That the person signed out.
        case signOut
    }
}

extension OwnWords {
    /// Whether the thread shows it as a line.
    var isLine: Bool {
        switch kind {
        case .reply, .note: true
        case .response: !text.isEmpty
        case .change, .newResponse, .signOut: false
        }
    }

    /// A change that holds as soon as it arrives.
    var pendingWork: StaffWork? {
        guard case .change(let work) = kind else { return nil }
        if case .failed = fate { return nil }
        return work
    }

    /// What the daemon is asked; nil where it alone knows.
    var call: Call? {
        guard let key else { return nil }
        switch kind {
        case .reply: return .send(message(to: key))
        case .note: return .note(message(to: key))
        case .response(let response?, let variables):
            let sent = OwnResponse(
                key: id, conversation: key, responseId: response, variables: variables)
            return .respond(sent)
        case .change(let work?): return .change(change(work, of: key))
        case .response(nil, _), .change(nil), .newResponse, .signOut: return nil
        }
    }

    func change(_ work: StaffWork, of key: ConversationKey) -> StaffChange {
        StaffChange(key: id, conversation: key, work: work)
    }

    private func message(to key: ConversationKey) -> OwnMessage {
        OwnMessage(key: id, conversation: key, message: text, reopens: reopens)
    }

    /// Where the outbox lists it, and nothing is known of it but its kind.
    static func words(for kind: Kind) -> String {
        switch kind {
        case .change: localized("A change of the conversation")
        case .response: localized("A canned response")
        case .signOut: localized("That you signed out")
        case .reply, .note, .newResponse: ""
        }
    }
}

/// All that the person wrote and that has not arrived yet, by the daemon's outbox and by what was sent a moment
/// ago.
struct OwnWordsList: Sendable {
    private(set) var words: [OwnWords] = []
    /// Own messages that just came: the answer to their call may come later.
    private var arrivals: [String] = []

    func of(_ key: ConversationKey) -> [OwnWords] { words.filter { $0.key == key } }

    subscript(id: String) -> OwnWords? {
        get { words.first { $0.id == id } }
        set {
            guard let index = words.firstIndex(where: { $0.id == id }) else {
                if let newValue { words.append(newValue) }
                return
            }
            if let newValue { words[index] = newValue } else { words.remove(at: index) }
        }
    }

    func mark(of key: ConversationKey) -> ConversationRow.Mark? {
        var mark: ConversationRow.Mark?
        for own in words where own.key == key {
            switch own.fate {
            case .failed: return .failed
            case .waiting: mark = .queued
            case .sending, .sent: break
            }
        }
        return mark
    }

    var marks: [ConversationKey: ConversationRow.Mark] {
        let keys = Set(words.compactMap(\.key))
        return Dictionary(keys.compactMap { key in mark(of: key).map { (key, $0) } }) { first, _ in first }
    }

    /// A message of the person's arrived: its words are in the thread. Returns whether there were any.
    mutating func arrived(_ message: MessageView) -> Bool {
        arrivals = arrivals.suffix(63) + [message.messageId]
        let own = words.indices.filter { words[$0].key == message.key && words[$0].isLine }
        let index =
            own.first { words[$0].messageId == message.messageId }
            ?? own.first { words[$0].messageId == nil && words[$0].mayBe(message) }
        guard let index else { return false }
        words.remove(at: index)
        return true
    }

    /// The call that sent them was answered.
    mutating func sent(_ id: String, as message: String?) {
        guard var own = self[id] else { return }
        (own.fate, own.messageId, own.isStored) = (.sent, message, true)
        // One without a thread is shown by its conversation.
        let isHere = own.key == nil || message.map(arrivals.contains) ?? false
        self[id] = isHere ? nil : own
    }

    /// A conversation as it is now: changes that arrived are in it. `me`: the person's id there.
    mutating func settle(_ view: ConversationView, me: String?) {
        words.removeAll { own in
            guard own.key == view.key, own.fate == .sent, case .change(let work?) = own.kind else {
                return false
            }
            return view.has(work, me: me)
        }
    }

    /// The outbox as the daemon has it. `isCut`: it may hold more.
    mutating func reconcile(with items: [OutboxItem], isCut: Bool) {
        let items = items.filter { $0.kind != "read" }
        let known = Set(items.map(\.outboxId))
        for item in items { accept(item) }
        guard !isCut else { return }
        // Sent or cancelled: its message comes by itself.
        words.removeAll {
            !known.contains($0.id) && $0.isStored && $0.fate != .sending && $0.messageId == nil
        }
    }

    private mutating func accept(_ item: OutboxItem) {
        let key = item.conversationId.map { ConversationKey(account: item.account, conversation: $0) }
        var words =
            self[item.outboxId]
            ?? OwnWords(
                id: item.outboxId, kind: OwnWords.Kind(item), key: key, account: item.account,
                text: item.text ?? "", writtenAt: item.createdAt, fate: .sending)
        words.isStored = true
        switch item.state {
        case "failed": words.fate = .failed(item.error ?? localized("It was refused."))
        // A call that is on its way tells more, and first.
        case _ where words.fate == .sending && item.attempts == 0 && self[item.outboxId] != nil: break
        case "sending": words.fate = .sending
        default: words.fate = .waiting(item.error)
        }
        self[item.outboxId] = words
    }
}

extension OwnWords.Kind {
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

extension OwnWords {
    /// A long text comes abridged.
    fileprivate func mayBe(_ message: MessageView) -> Bool {
        guard message.isNote == (kind == .note) else { return false }
        if message.message == text { return true }
        let begin = message.message.dropLast()
        return message.message.last == "…" && begin.utf8.count > 1000 && text.hasPrefix(begin)
    }
}
