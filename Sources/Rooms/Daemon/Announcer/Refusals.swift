import CutieAPI
import Store

/// What the notification server refuses to show, how often it did, and when it is asked again.
struct Refusals {
    private struct Key: Hashable {
        let account: AccountID
        let id: Message.ID

        init(_ record: MessageRecord) { (account, id) = (record.account, record.message.id) }
    }

    /// After so many refusals, which take minutes, a message is given up.
    private static let most = 10
    /// Longer than the wait between two tries: what was not tried again was read, or is held for a reason.
    private static let memory: Duration = .seconds(60)

    private var counts: [Key: Int] = [:]
    /// Uptime. What comes before it is no try of its own: other replies go on coming while a server refuses.
    private(set) var due: Duration = .zero

    /// How often one of them was refused already.
    func count(of messages: [MessageRecord]) -> Int {
        counts.isEmpty ? 0 : messages.map { counts[Key($0)] ?? 0 }.max() ?? 0
    }

    /// Whether nothing is known to be refused still.
    mutating func areOver(at now: Duration) -> Bool {
        if now > due + Self.memory { counts.removeAll() }
        return counts.isEmpty
    }

    /// They were shown.
    mutating func forget(_ messages: [MessageRecord]) {
        guard !counts.isEmpty else { return }
        for message in messages { counts[Key(message)] = nil }
    }

    /// They were refused when they were due: `kept` are tried again at `nextTry`, and `lost` are given up.
    mutating func add(
        _ messages: [MessageRecord], nextTry: Duration
    ) -> (kept: [MessageRecord], lost: [MessageRecord]) {
        due = nextTry
        var (kept, lost) = ([MessageRecord](), [MessageRecord]())
        for message in messages {
            let count = counts[Key(message), default: 0] + 1
            counts[Key(message)] = count < Self.most ? count : nil
            if count < Self.most { kept.append(message) } else { lost.append(message) }
        }
        return (kept, lost)
    }
}
