/// The rows, as they are within one `Store.write` or `Store.read`. Not to be kept after its closure.
///
/// Everybody may read. What writes is for the one room that owns the table: it says `@_spi(Log) import Store`, and
/// nobody else may.
public struct Transaction {
    let connection: Connection

    public var accounts: AccountTable { AccountTable(transaction: self) }
    public var apps: AppTable { AppTable(transaction: self) }
    public var settings: SettingTable { SettingTable(transaction: self) }

    public var log: LogTable { LogTable(transaction: self) }
    public var events: EventTable { EventTable(transaction: self) }
    public var messages: MessageTable { MessageTable(transaction: self) }
    public var replies: ReplyTable { ReplyTable(transaction: self) }
    public var ledger: LedgerTable { LedgerTable(transaction: self) }
    public var conversations: ConversationTable { ConversationTable(transaction: self) }
    public var badges: BadgeTable { BadgeTable(transaction: self) }
    public var unfetched: UnfetchedTable { UnfetchedTable(transaction: self) }
    var fullText: FullText { FullText(transaction: self) }
    var pruning: Pruning { Pruning(transaction: self) }

    public var outbox: OutboxTable { OutboxTable(transaction: self) }
    public var sent: SentTable { SentTable(transaction: self) }

    public var popups: PopupTable { PopupTable(transaction: self) }
    public var summary: SummaryTable { SummaryTable(transaction: self) }
    public var questions: QuestionTable { QuestionTable(transaction: self) }

    public var services: UserServiceTable { UserServiceTable(transaction: self) }
    public var tokens: TokenTable { TokenTable(transaction: self) }
    public var grants: GrantTable { GrantTable(transaction: self) }
}

/// What the tables are read and written with.
extension Transaction {
    func run(_ sql: String, _ values: Values = []) throws { try connection[sql].run { $0.bind(values) } }

    /// The same without an array, for what each event runs.
    func run(_ sql: String, _ bind: (inout Binder) -> Void) throws { try connection[sql].run(bind) }

    func all<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        try connection[sql].rows({ $0.bind(values) }, decode)
    }

    /// Hands the rows to `body` one by one, until it returns false.
    func read<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record,
        _ body: (Record) throws -> Bool
    ) throws {
        try connection[sql].read({ $0.bind(values) }, decode, body)
    }

    func first<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        try connection[sql].first({ $0.bind(values) }, decode)
    }

    /// The same without an array, for what each event runs.
    func first<Record>(
        _ sql: String, binding bind: (inout Binder) -> Void,
        _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        try connection[sql].first(bind, decode)
    }

    func count(_ sql: String, _ values: Values = []) throws -> Int {
        try first(sql, values) { $0.int() } ?? 0
    }

    /// How many rows the last statement changed, triggers not counted.
    var changes: Int { connection.changes }

    /// The number of the row that was inserted last.
    var lastRow: Int64 { connection.lastRow }
}
