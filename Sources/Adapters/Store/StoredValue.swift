internal import CutieAPI

/// A value as SQLite takes it.
enum StoredValue {
    case integer(Int64)
    case text(String)
}

/// What a statement's question marks stand for, in their order; nil is NULL.
typealias Values = [StoredValue?]

extension Int64 { var stored: StoredValue { .integer(self) } }
extension Int { var stored: StoredValue { .integer(Int64(self)) } }
extension UInt32 { var stored: StoredValue { .integer(Int64(self)) } }
extension Bool { var stored: StoredValue { .integer(self ? 1 : 0) } }
extension Timestamp { var stored: StoredValue { .integer(milliseconds) } }
extension AccountID { var stored: StoredValue { .integer(rawValue) } }
extension Stage { var stored: StoredValue { .integer(code) } }
extension Identifier { var stored: StoredValue { rawValue.stored } }

extension String {
    /// Without NUL: SQLite would end the text there, which would make two ids one and lose the rest of
    /// a message.
    var stored: StoredValue {
        let holdsNull = utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0)
        guard holdsNull else { return .text(self) }
        return .text(String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })))
    }
}
