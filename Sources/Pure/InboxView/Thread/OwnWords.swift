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
        let own = words.indices.filter { words[$0].key == message.key }
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
                id: item.outboxId, key: key, account: item.account, text: item.text ?? "",
                writtenAt: item.createdAt, fate: .sending)
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

extension OwnWords {
    /// A long text comes abridged.
    fileprivate func mayBe(_ message: MessageView) -> Bool {
        if message.message == text { return true }
        let begin = message.message.dropLast()
        return message.message.last == "…" && begin.utf8.count > 1000 && text.hasPrefix(begin)
    }
}
