internal import CutieAPI

extension String {
    /// Without NUL: SQLite would end the text there, which would make two ids one and lose the rest of
    /// a message.
    var stored: String {
        let holdsNull = utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0)
        guard holdsNull else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}

extension Identifier {
    var stored: String { rawValue.stored }
}
