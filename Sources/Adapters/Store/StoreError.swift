internal import CSQLite

/// An error of the database. Errors with the same code are equal.
public struct StoreError: Error, Sendable {
    /// The kind of error, which determines how the caller handles it.
    public enum Code: Sendable {
        case diskFull, locked, readOnly, ioError
        /// The file was deleted or replaced during use. The next `MessageStore.open` uses the file that is
        /// then at the path.
        case moved
        /// The file was found to be corrupt during use. The next `MessageStore.open` renames the file and
        /// creates a new one.
        case damaged
        /// The directory or file cannot be created or opened.
        case cannotOpen
        /// A long read exceeded its limit.
        case timedOut
        /// Any other error: use after `close`, memory exhaustion, or a programming error.
        case failed
    }

    public let code: Code
    /// The problem and the fix, as a message for the user.
    public let sentence: String
}

extension StoreError: Equatable {
    public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }
}

extension StoreError: CustomStringConvertible {
    public var description: String { sentence }
}

extension StoreError {
    init(_ code: Code, path: String, detail: String) {
        self.code = code
        sentence =
            switch code {
            case .diskFull:
                "no space is left for \(path); free disk space, or raise the file size limit or the quota"
            case .locked: "\(path) is locked by another program; close that program"
            case .readOnly: "\(path) cannot be written; correct the file permissions"
            case .ioError: "\(path) cannot be read or written (\(detail)); check the disk"
            case .moved:
                "\(path) was deleted or replaced while cutied was running; cutied stops, and its next start uses the "
                    + "file that exists then"
            case .damaged:
                "\(path) is damaged (\(detail)); restart cutied, which replaces it and keeps a copy"
            case .cannotOpen: "\(path) cannot be opened (\(detail)); check its owner and permissions"
            case .timedOut: "reading that much of \(path) took too long; ask for less, with a limit"
            case .failed: "\(path) cannot be used (\(detail)); restart cutied and report this"
            }
    }

    init(_ error: SQLiteError, path: String) {
        self.init(Code(error), path: path, detail: error.message)
    }

    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError: self.init(error, path: path)
        default: self.init(.cannotOpen, path: path, detail: "\(error)")
        }
    }
}

extension StoreError.Code {
    init(_ error: SQLiteError) {
        switch error.primaryCode {
        case SQLITE_FULL: self = .diskFull
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .locked
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        case SQLITE_IOERR: self = .ioError
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: self = .damaged
        case SQLITE_CANTOPEN, SQLITE_AUTH: self = .cannotOpen
        default: self = .failed
        }
    }
}
