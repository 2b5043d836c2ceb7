import CSystemd
import Glibc

/// Where records go.
public struct LogDestination: Sendable {
    private enum Kind {
        case journal
        case standardError(coloured: Bool)
    }
    private let kind: Kind
    private static let identifier = "cutied"

    /// The journal where standard error is a stream to it, as in a unit; else standard error, in colour on
    /// a terminal without `NO_COLOR`.
    public init(environment: [String: String]) {
        if Self.isJournal(environment["JOURNAL_STREAM"]) {
            kind = .journal
        } else {
            let wantsNone = environment.value(of: "NO_COLOR") != nil
            kind = .standardError(coloured: !wantsNone && isatty(STDERR_FILENO) == 1)
        }
    }

    func write(_ record: LogRecord) {
        switch kind {
        case .journal: Self.send(record.fields(identifier: Self.identifier))
        case .standardError(let coloured): Self.print(record.line(coloured: coloured))
        }
    }

    /// Whether `stream`, a `device:inode`, is what standard error is: a child may have the variable, but
    /// another standard error.
    private static func isJournal(_ stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    private static func send(_ fields: [String]) {
        var bytes: [UInt8] = []
        let ends = fields.map { field in
            bytes += field.utf8
            return bytes.count
        }
        _ = csystemd_send_to_journal(bytes, ends, ends.count)
    }

    /// One write for a line: other processes write to the same terminal.
    private static func print(_ line: String) {
        var line = line
        _ = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
