internal import CutieAPI

/// Access to the tables within a closure of `MessageStore.write`, `MessageStore.read` or
/// `MessageStore.runLongRead`. The tables must not be used after the closure has returned.
///
/// All modules may read all tables. Only the module that owns a table may write to it. That module
/// imports the functions that write, for example with `@_spi(EventLog) import Store`.
public struct Transaction {
    let connection: DatabaseConnection

    public var accounts: AccountTable { AccountTable(transaction: self) }
    public var handedOverAccounts: HandedOverAccountTable { HandedOverAccountTable(transaction: self) }
    public var settings: SettingTable { SettingTable(transaction: self) }

    public var log: LogTable { LogTable(transaction: self) }
    public var events: EventTable { EventTable(transaction: self) }
    public var messages: MessageTable { MessageTable(transaction: self) }
    public var replies: ReplyTable { ReplyTable(transaction: self) }
    public var ledger: LedgerTable { LedgerTable(transaction: self) }
    public var conversations: ConversationTable { ConversationTable(transaction: self) }
    public var marks: ConversationMarkTable { ConversationMarkTable(transaction: self) }
    public var reminders: ReminderTable { ReminderTable(transaction: self) }
    public var badges: BadgeTable { BadgeTable(transaction: self) }
    public var unfetched: UnfetchedTable { UnfetchedTable(transaction: self) }
    var fullText: FullText { FullText(transaction: self) }
    var pruning: Pruning { Pruning(transaction: self) }

    public var outbox: OutboxTable { OutboxTable(transaction: self) }
    public var sent: SentTable { SentTable(transaction: self) }

    public var notifications: NotificationTable { NotificationTable(transaction: self) }
    public var summary: SummaryTable { SummaryTable(transaction: self) }
    public var questions: QuestionTable { QuestionTable(transaction: self) }

    public var services: UserServiceTable { UserServiceTable(transaction: self) }
    public var tokens: TokenTable { TokenTable(transaction: self) }
    public var grants: GrantTable { GrantTable(transaction: self) }
}

/// Functions with which the tables run statements.
extension Transaction {
    func run(_ sql: String, _ values: Values = []) throws { try connection[sql].run { $0.bind(values) } }

    /// Runs a statement without allocating an array of values, for statements that run for each event and
    /// must be fast.
    func run(_ sql: String, binding bind: (inout Binder) -> Void) throws {
        try connection[sql].run(binding: bind)
    }

    func fetchAll<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        try connection[sql].fetchAll(binding: { $0.bind(values) }, decoding: decode)
    }

    /// Calls `body` with each decoded row until `body` returns `false`.
    func forEachRow<Record>(
        _ sql: String, _ values: Values = [], decoding decode: (inout ColumnReader) throws -> Record,
        perform body: (Record) throws -> Bool
    ) throws {
        try connection[sql].forEachRow(binding: { $0.bind(values) }, decoding: decode, perform: body)
    }

    func fetchOne<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        try connection[sql].fetchOne(binding: { $0.bind(values) }, decoding: decode)
    }

    /// Returns the first row without allocating an array of values, for statements that run for each event
    /// and must be fast.
    func fetchOne<Record>(
        _ sql: String, binding bind: (inout Binder) -> Void,
        _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        try connection[sql].fetchOne(binding: bind, decoding: decode)
    }

    func fetchCount(_ sql: String, _ values: Values = []) throws -> Int {
        try fetchOne(sql, values) { $0.readInt() } ?? 0
    }

    /// The number of rows that the last statement changed, excluding changes by triggers.
    var changes: Int { connection.changes }

    var lastInsertedRow: Int64 { connection.lastInsertedRow }
}

/// A value that SQLite can store.
enum StoredValue {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// The values of a statement's parameters, in order; `nil` is NULL.
typealias Values = [StoredValue?]

extension [UInt8] { var stored: StoredValue { .bytes(self) } }
extension Int64 { var stored: StoredValue { .integer(self) } }
extension Int { var stored: StoredValue { .integer(Int64(self)) } }
extension Bool { var stored: StoredValue { .integer(self ? 1 : 0) } }
extension Timestamp { var stored: StoredValue { .integer(milliseconds) } }
extension AccountID { var stored: StoredValue { .integer(rawValue) } }
extension LedgerStage { var stored: StoredValue { .integer(code) } }
extension Identifier { var stored: StoredValue { rawValue.stored } }
extension String { var stored: StoredValue { .text(self) } }
