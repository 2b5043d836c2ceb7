import Config
import CutieAPI
import Desktop
import Store

/// Names a pop-up: one a conversation, and one summary for all that exceeds.
enum PopupKey: Hashable {
    case conversation(AccountID, Conversation.ID)
    case summary

    /// Notification servers that know stacks replace by it, even across our restarts: an account's number would
    /// not do, as a database made anew gives others. Two accounts may have a conversation of one id.
    func stackTag(of account: String) -> String {
        switch self {
        case .conversation(_, let id):
            account == AccountConfiguration.defaultName ? id.rawValue : account + "/" + id.rawValue
        case .summary: "cutied-summary"
        }
    }
}

/// The pop-ups on the screen, and those that just went: a click may arrive after the close.
struct LivePopups {
    private(set) var records: [PopupKey: PopupRecord] = [:]
    private var keys: [UInt32: PopupKey] = [:]
    /// Those shown by this process. libnotify tells nothing of an earlier run's: whether one of them is
    /// still there is not known, so they are replaced where a reply comes, and take nobody's place.
    private var own: Set<PopupKey> = []
    /// Of which reads a pop-up's count knows; what it was then it is until the next read.
    private var counted: [PopupKey: Int64] = [:]
    /// Who wrote what each stands for, newest first. Bounded, as no title has room for more.
    private var names: [PopupKey: [String]] = [:]
    private var closed: [PopupRecord] = []
    /// Those that expired, the newest last. Some servers keep them in a list of what was shown, under their ids.
    private(set) var expired: [(id: UInt32, key: PopupKey)] = []

    init(_ stored: [PopupRecord] = []) {
        for record in stored {
            records[record.key] = record
            keys[record.notification] = record.key
        }
    }

    var conversationCount: Int { own.count { $0 != .summary } }

    /// Whether one of them is on the screen, as far as anybody tells.
    var areShown: Bool { !own.isEmpty }

    func isOwn(_ key: PopupKey) -> Bool { own.contains(key) }

    subscript(key: PopupKey) -> PopupRecord? { records[key] }

    /// nil where the id is not ours or was replaced.
    subscript(id: UInt32) -> PopupRecord? { keys[id].flatMap { records[$0] } }

    func names(of key: PopupKey) -> [String] { names[key] ?? [] }

    mutating func setNames(_ writers: [String], of key: PopupKey) {
        if isOwn(key) { names[key] = Array(writers.prefix(8)) }
    }

    func isCounted(_ key: PopupKey, asOf reads: Int64) -> Bool { counted[key] == reads }

    /// The pop-up of another that had this id before: a server that was restarted gives its ids anew, and what
    /// had one is not on the screen any more.
    func former(of id: UInt32, than key: PopupKey) -> PopupRecord? {
        keys[id].flatMap { $0 == key ? nil : records[$0] }
    }

    mutating func set(_ record: PopupRecord, countedAsOf reads: Int64? = nil) {
        expired.removeAll { $0.id == record.notification }
        if let former = former(of: record.notification, than: record.key) { forget(former.key) }
        if let old = records[record.key] { keys[old.notification] = nil }
        records[record.key] = record
        keys[record.notification] = record.key
        own.insert(record.key)
        counted[record.key] = reads
    }

    /// It left the screen by itself, and is to be taken out of the server's list once it is read.
    mutating func noteExpired(_ id: UInt32) {
        if let key = keys[id] { expired = expired.suffix(63) + [(id, key)] }
    }

    mutating func forgetExpired(_ id: UInt32) { expired.removeAll { $0.id == id } }

    /// Whose pop-up it is, or was a moment ago.
    func key(of id: UInt32) -> PopupKey? { keys[id] ?? formerRecord(of: id)?.key }

    /// What a pop-up shows, or showed a moment ago.
    func record(of id: UInt32) -> PopupRecord? { self[id] ?? formerRecord(of: id) }

    private func formerRecord(of id: UInt32) -> PopupRecord? { closed.last { $0.notification == id } }

    /// Takes a pop-up away; nil where the id is not ours or was replaced.
    mutating func remove(_ id: UInt32) -> PopupRecord? {
        guard let key = keys.removeValue(forKey: id), let record = forget(key) else { return nil }
        closed = closed.suffix(63) + [record]
        return record
    }

    @discardableResult
    private mutating func forget(_ key: PopupKey) -> PopupRecord? {
        own.remove(key)
        counted[key] = nil
        names[key] = nil
        return records.removeValue(forKey: key)
    }

    mutating func removeAll() { self = LivePopups() }
}

extension PopupRecord {
    init(
        _ key: PopupKey, notification: UInt32, session: String, _ messages: [MessageRecord],
        after replaced: PopupRecord?, count: Int, shownAt: Timestamp
    ) {
        let sequences = messages.map(\.sequence)
        var (account, conversation): (AccountID?, Conversation.ID?) = (nil, nil)
        if case .conversation(let owner, let id) = key { (account, conversation) = (owner, id) }
        self.init(
            account: account, conversation: conversation, notification: notification, session: session,
            count: count, firstSequence: sequences.min() ?? 0,
            lastSequence: max(sequences.max() ?? 0, replaced?.lastSequence ?? 0), shownAt: shownAt)
    }

    var key: PopupKey {
        if let account, let conversation { .conversation(account, conversation) } else { .summary }
    }
}
