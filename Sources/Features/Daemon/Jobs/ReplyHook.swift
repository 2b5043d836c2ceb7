import Accounts
import ControlAPI
import ControlServer
import CutieAPI
import EventLog
import Logging
import NotificationPolicy
import Platform
import Services
import Store

/// Runs the configured program for each new reply, in order and one at a time.
///
/// The pending replies are all replies in the log after a stored cursor, so a burst of replies uses no
/// additional memory. After a restart, no reply is lost, and only an interrupted hook runs again.
final class ReplyHook {
    /// The command `hooks.on_reply`; `nil` if it is not configured. Replies that arrive while no command is
    /// configured are not processed later.
    var command: [String]? {
        didSet { if command != oldValue { commandChanges.notify() } }
    }
    private static let setting = "hook"
    private static let batch = 100
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let policy: () -> Policy
    private let caller: HookCaller
    private let changes = ChangeSignal()
    private let commandChanges = ChangeSignal()
    /// Whether the store may contain a cursor. Avoids a query for each event.
    private var mayHaveCursor = true
    private var store: MessageStore { ingest.store }

    init(
        command: [String]? = nil, ingest: Ingest, accounts: AccountRegistry, caller: HookCaller,
        policy: @escaping () -> Policy
    ) {
        (self.command, self.ingest, self.accounts) = (command, ingest, accounts)
        (self.caller, self.policy) = (caller, policy)
        for signal in [ingest.head.advances, commandChanges] { changes.follow(signal) }
    }

    /// Runs the command for new replies, until cancelled. While no command is configured, deletes the cursor.
    func run() async throws {
        while true {
            try Task.checkCancellation()
            let (seen, seenCommands) = (changes.count, commandChanges.count)
            if let command {
                guard try await !deliverPendingReplies(to: command) else { continue }
                try await changes.wait(past: seen)
            } else {
                if mayHaveCursor { try saveCursor(nil) }
                mayHaveCursor = false
                // Do not wake for each log entry.
                try await commandChanges.wait(past: seenCommands)
            }
        }
    }

    /// Runs the command for the new replies in the next log entries. Returns `false` if there were no
    /// entries.
    private func deliverPendingReplies(to command: [String]) async throws -> Bool {
        let cursor = try readOrCreateCursor()
        let entries = try store.read { try $0.log.fetchEntries(after: cursor, limit: Self.batch) }
        for entry in entries {
            guard self.command == command else { return true }
            guard let line = try makeHookInput(for: entry) else { continue }
            guard await caller.runCommand(command, withInput: line) else { throw CancellationError() }
            try saveCursor(entry.sequence)
        }
        if let last = entries.last { try saveCursor(last.sequence) }
        return !entries.isEmpty
    }

    /// Returns the hook's input for a reply that was new on arrival; `nil` for other entries. Replies from a
    /// first sync, replies that are already read, and replies older than the stored history are not new.
    /// Rules and settings may exclude further replies.
    private func makeHookInput(for entry: LogEntry) throws -> Watch.Reply? {
        guard entry.kind == .messageCreated, let account = entry.account, let id = entry.message,
            let thread = entry.conversation, let unit = accounts[account]
        else { return nil }
        return try store.read { transaction in
            guard
                let record = try transaction.messages.find(id, in: thread, account: account).first,
                record.isReply,
                try transaction.ledger.fetchSteps(of: id, in: thread, account: account).first?.stage
                    == .stored
            else { return nil }
            let message = record.message
            let conversation = try transaction.conversations.find(message.conversation, account: account)
            let subject = NotificationSubject(
                message, in: conversation?.conversation, appID: unit.account.device?.appID)
            let policy = policy()
            guard !policy.isSuppressedSystemMessage(message), !policy.ignores(subject) else { return nil }
            let line = try LogReader(store: store, accounts: accounts).makeLine(of: entry, in: transaction)
            return Watch.Reply(line)
        }
    }

    /// Returns the stored cursor. If no cursor is stored, stores and returns the head of the log.
    private func readOrCreateCursor() throws -> Int64 {
        if let kept = try store.read({ try $0.settings.fetchText(ofSetting: Self.setting) }).flatMap({
            Int64($0)
        }) {
            return kept
        }
        let head = ingest.head.value
        mayHaveCursor = true
        try saveCursor(head)
        return head
    }

    private func saveCursor(_ cursor: Int64?) throws {
        let text = cursor.map(String.init)
        guard try store.read({ try $0.settings.fetchText(ofSetting: Self.setting) }) != text else { return }
        try store.write { try $0.settings.setText(ofSetting: Self.setting, to: text) }
    }
}

/// Runs a hook and writes its output to the journal. The failure of a hook is only logged.
final class HookCaller {
    private static let timeout: Duration = .seconds(30)
    private static let maxLines = 64
    private let launcher: Launcher
    private let additions: [String: String]
    private let timeout: Duration
    private let logger: Logger

    init(environment: [String: String], logger: Logger, timeout: Duration = HookCaller.timeout) {
        launcher = Launcher(environment: environment)
        additions = environment.filter { $0.key == "CUTIED_SOCKET" }
        (self.logger, self.timeout) = (logger, timeout)
    }

    /// Runs the hook until it ends or times out. Returns `false` if the daemon is shutting down; the hook
    /// must then run again after the restart.
    func runCommand(_ command: [String], withInput line: Watch.Reply) async -> Bool {
        let message = line.message ?? ""
        do {
            let report = try await launcher.runHook(
                command, input: JSON.encode(line) + [UInt8(ascii: "\n")], addingVariables: additions,
                within: timeout)
            if Task.isCancelled, !report.outcome.isSuccess { return false }
            logResult(report, forMessageID: message)
        } catch {
            logger.warning(
                "a hook could not be started", metadata: ["message": "\(message)", "reason": "\(error)"])
        }
        return true
    }

    private func logResult(_ report: Launcher.Report, forMessageID message: String) {
        let lines = report.output.split(separator: "\n")
        for line in lines.prefix(Self.maxLines) {
            logger.info(
                "output of a hook", metadata: ["message": "\(message)", "text": "\(line.prefix(1000))"])
        }
        if report.isTruncated || lines.count > Self.maxLines {
            logger.info("further output of a hook was discarded", metadata: ["message": "\(message)"])
        }
        if report.isLate {
            logger.warning("a hook timed out and was terminated", metadata: ["message": "\(message)"])
        } else if !report.outcome.isSuccess {
            logger.warning(
                "a hook failed", metadata: ["message": "\(message)", "reason": "\(report.outcome)"])
        } else {
            logger.debug("a hook ran", metadata: ["message": "\(message)"])
        }
    }
}
