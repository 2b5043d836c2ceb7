internal import CSQLite
internal import CutieAPI
import Glibc
internal import NotificationPolicy

/// A binder of values to the parameters of a statement, in order. `nil` is bound as NULL. Frequent statements
/// bind value by value, because an array of values would be allocated about twenty times per event.
struct Binder: ~Copyable {
    private let statement: OpaquePointer
    /// The buffer for strings; `nil` to let SQLite copy the strings.
    private let texts: BoundTexts?
    private var count: CInt = 0
    private var failure = SQLITE_OK
    private var hasCopiedTexts = false

    init(_ statement: OpaquePointer, _ texts: BoundTexts?) {
        (self.statement, self.texts) = (statement, texts)
        texts?.freeAll()
    }

    /// Finishes binding.
    ///
    /// - Returns: whether SQLite copied values, which must be freed after the statement.
    /// - Throws: an error if SQLite rejected a value, or if the number of values is wrong. Without this
    ///   check, SQLite would use NULL or the previous value for a missing value.
    consuming func finish() throws(SQLiteError) -> Bool {
        guard failure == SQLITE_OK else { throw SQLiteError(failure, of: sqlite3_db_handle(statement)) }
        guard count == sqlite3_bind_parameter_count(statement) else {
            throw SQLiteError(SQLITE_MISUSE, "wrong number of values")
        }
        return hasCopiedTexts
    }

    mutating func bind(_ number: Int64?) {
        count += 1
        recordFailure(
            number.map { sqlite3_bind_int64(statement, count, $0) } ?? sqlite3_bind_null(statement, count))
    }

    mutating func bind(_ number: Int?) { bind(number.map(Int64.init)) }
    mutating func bind(_ number: UInt32) { bind(Int64(number)) }
    mutating func bind(_ flag: Bool) { bind(flag ? 1 : 0 as Int64) }
    mutating func bind(_ time: Timestamp?) { bind(time?.milliseconds) }
    mutating func bind(_ account: AccountID?) { bind(account?.rawValue) }
    mutating func bind(_ stage: LedgerStage) { bind(stage.code) }
    mutating func bind<Subject>(_ id: Identifier<Subject>?) { bind(id?.rawValue) }

    mutating func bind(_ text: String?) {
        guard let text else { return bind(nil as Int64?) }
        count += 1
        let isBound: Void? = text.utf8.withContiguousStorageIfAvailable { bind($0) }
        if isBound == nil { Array(text.utf8).withUnsafeBufferPointer { bind($0) } }
    }

    mutating func bind(_ values: Values) {
        for value in values {
            switch value {
            case .integer(let number): bind(number)
            case .text(let text): bind(text)
            case .bytes(let bytes): bind(bytes)
            case nil: bind(nil as Int64?)
            }
        }
    }

    private mutating func bind(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress, !text.isEmpty else {
            // For an empty string, bind a constant: the address of an empty buffer may be null, and SQLite
            // would bind NULL.
            return recordFailure(sqlite3_bind_text(statement, count, "", 0, nil))
        }
        // Remove NUL characters. SQLite would truncate the string at a NUL, which could shorten a message or
        // make two IDs equal.
        if memchr(start, 0, text.count) != nil {
            return Self.withoutNULBytes(text).withUnsafeBufferPointer { bind($0) }
        }
        let size = CInt(clamping: text.count)
        if let kept = texts?.copyText(text) {
            recordFailure(sqlite3_bind_text(statement, count, kept, size, nil))
        } else {
            hasCopiedTexts = true
            start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                recordFailure(sqlite3_bind_text(statement, count, $0, size, Self.copied))
            }
        }
    }

    private mutating func bind(_ bytes: [UInt8]) {
        count += 1
        hasCopiedTexts = true
        recordFailure(
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, count, 0)
                : sqlite3_bind_blob(statement, count, bytes, CInt(clamping: bytes.count), Self.copied))
    }

    private mutating func recordFailure(_ code: CInt) { if failure == SQLITE_OK { failure = code } }

    private static func withoutNULBytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        text.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
    }

    /// The value of the macro SQLITE_TRANSIENT, which Swift cannot import because its definition contains a C
    /// cast.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A buffer for the strings of the current statement of a connection. With this buffer, SQLite need not
/// allocate a copy of each string. The strings are valid until the next statement.
final class BoundTexts {
    /// The size of the buffer in bytes, enough for the strings of a typical event. SQLite copies strings for
    /// which no space is left.
    private static let capacity = 4096
    private let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    private var count = 0

    deinit { bytes.deallocate() }

    func freeAll() { count = 0 }

    /// Copies `text` to the buffer.
    ///
    /// - Returns: the address of the copy; `nil` if the buffer has too little space left, or if `text` has no
    ///   address.
    func copyText(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard let start = text.baseAddress, text.count <= Self.capacity - count else { return nil }
        let place = bytes + count
        memcpy(place, start, text.count)
        count += text.count
        return UnsafePointer(place)
    }
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
