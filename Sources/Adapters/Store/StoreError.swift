internal import CSQLite
public import Reasons

/// A database error. Two errors are equal if they have the same code.
public struct StoreError: ReasonedError, Sendable {
    /// The type of error, which determines how callers handle the error.
    public enum Code: Sendable, CaseIterable {
        case diskFull, locked, readOnly, ioError
        /// The file was deleted or replaced while it was open. The next `MessageStore.open` opens the file
        /// that exists at the path.
        case moved
        /// Corruption of the file was detected while the file was open. `MessageStore.replaceIfDamaged` checks
        /// the file, renames it and creates a new file.
        case damaged
        /// The directory or file cannot be created or opened.
        case cannotOpen
        /// A long read exceeded its time limit.
        case timedOut
        /// Any other error, such as use after `close`, exhausted memory or a programming error.
        case failed
    }

    public let code: Code
    /// A message for the user that describes the problem and the fix.
    public let reason: Reason
}

extension StoreError: Equatable {
    public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }
}

extension StoreError {
    init(_ code: Code, path: String, detail: String) {
        let described = ["path": path, "detail": detail.isEmpty ? "" : " (\(detail))"]
        self.code = code
        reason =
            switch code {
            case .diskFull: Reason(.storeFull, ["path": path])
            case .locked: Reason(.storeLocked, ["path": path])
            case .readOnly: Reason(.storeReadOnly, ["path": path])
            case .ioError: Reason(.storeIOError, described)
            case .moved: Reason(.storeMoved, ["path": path])
            case .damaged: Reason(.storeDamaged, described)
            case .cannotOpen: Reason(.storeNotOpened, described)
            case .timedOut: Reason(.storeTimedOut, ["path": path])
            case .failed: Reason(.storeFailed, described)
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
