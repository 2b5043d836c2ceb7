import ControlAPI
import CutieAPI
import Inbox
import Store

/// Runs the configured program for each reply that is news when it comes, in their order and one at a time.
///
/// What is left to do is in the log, after a cursor that is kept: a flood costs no memory, and a restart
/// forgets and repeats nothing but the one reply whose hook it interrupts.
final class ReplyHook {
    /// `hooks.on_reply`. Of what came while there was none nothing is made up for.
    var command: [String]? {
        didSet { if command != oldValue { changes.advance() } }
    }
    private static let setting = "hook"
    private static let batch = 100
    private let ingest: Ingest
    private let accounts: Accounts
    private let policy: () -> Policy
    private let caller: HookCaller
    private let changes = Head()
    /// Whether the store may hold a cursor: looked at once, not with every event.
    private var mayHavePlace = true
    private var store: Store { ingest.store }

    init(
        command: [String]?, ingest: Ingest, accounts: Accounts, caller: HookCaller,
        policy: @escaping () -> Policy
    ) {
        (self.command, self.ingest, self.accounts) = (command, ingest, accounts)
        (self.caller, self.policy) = (caller, policy)
        ingest.head.followers.append(changes)
    }

    /// Follows the log until it is cancelled.
    func run() async throws {
        while true {
            try Task.checkCancellation()
            let seen = changes.value
            if let command {
                guard try await !work(with: command) else { continue }
            } else if mayHavePlace {
                try keep(nil)
                mayHavePlace = false
            }
            try await changes.passed(seen)
        }
    }

    /// Takes the next entries of the log; false where there are none.
    private func work(with command: [String]) async throws -> Bool {
        let cursor = try begin()
        let entries = try store.read { try $0.log(after: cursor, limit: Self.batch) }
        for entry in entries {
            guard self.command == command else { return true }
            guard let line = try news(in: entry) else { continue }
            guard await caller.call(command, with: line) else { throw CancellationError() }
            try keep(entry.sequence)
        }
        if let last = entries.last { try keep(last.sequence) }
        return !entries.isEmpty
    }

    /// The log's line of a reply that was news when it came: neither known from before a first sync, nor read
    /// already, nor older than the kept history. nil for all else, and for what is wanted neither as a reply
    /// nor by the rules.
    private func news(in entry: LogEntry) throws -> Watch.Reply? {
        guard entry.type == "message.created", let account = entry.account, let id = entry.message,
            let thread = entry.conversation, let unit = accounts[account]
        else { return nil }
        return try store.read { transaction in
            guard let message = try transaction.message(id, in: thread, account: account).first?.message,
                Perspective.person.isNews(message),
                try transaction.steps(of: id, in: thread, account: account).first?.stage == .stored
            else { return nil }
            let conversation = try transaction.conversation(message.conversation, account: account)
            let subject = Subject(
                message, in: conversation?.conversation, appID: unit.account.credential.appID)
            let policy = policy()
            guard !policy.isUnwanted(message), !policy.ignores(subject) else { return nil }
            return try LogReader(store: store, accounts: accounts).line(of: entry, in: transaction)
        }
    }

    /// Where it goes on; where it begins, from now.
    private func begin() throws -> Int64 {
        if let kept = try store.read({ try $0.setting(Self.setting) }).flatMap({ Int64($0) }) { return kept }
        let head = ingest.head.value
        mayHavePlace = true
        try keep(head)
        return head
    }

    private func keep(_ cursor: Int64?) throws {
        let text = cursor.map(String.init)
        guard try store.read({ try $0.setting(Self.setting) }) != text else { return }
        try store.write { try $0.setSetting(Self.setting, to: text) }
    }
}
