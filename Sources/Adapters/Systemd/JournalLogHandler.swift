import CSystemd
import Glibc
public import Logging
import Platform
import Runtime

/// A log handler that writes to the journal if standard error is connected to it; otherwise, writes lines to
/// standard error. Metadata also become fields in the journal: `account` becomes `CUTIE_ACCOUNT=`.
public struct JournalLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let threshold: LogThreshold
    private let destination: LogDestination
    private var ownLevel: Logger.Level?

    public init(
        threshold: LogThreshold, destination: LogDestination, metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.threshold = threshold
        self.destination = destination
        self.metadataProvider = metadataProvider
    }

    /// The level of this logger if one was set; otherwise, the shared threshold.
    public var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let provided = metadataProvider?.get() ?? [:]
        let all = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
        destination.write(
            LogRecord(
                level: event.level, message: event.message.description, error: event.error,
                metadata: all.mapValues(\.description)))
    }
}

/// The minimum level of written records, shared by all loggers. Reloading the configuration may change it.
public final class LogThreshold: Sendable {
    private let value: Locked<Logger.Level>

    public init(_ level: Logger.Level) { value = Locked(level) }

    public var level: Logger.Level {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// The destination of log records: the journal or standard error.
public struct LogDestination: Sendable {
    private enum Kind {
        case journal
        case standardError(coloured: Bool)
    }
    private let kind: Kind
    private static let identifier = "cutied"

    /// Selects the journal if standard error is connected to it, as in a systemd unit; otherwise, standard
    /// error. Lines have colors on a terminal, unless `NO_COLOR` is set.
    public init(environment: [String: String]) {
        if Self.isJournal(environment["JOURNAL_STREAM"]) {
            kind = .journal
        } else {
            let wantsNone = environment.nonEmptyValue(named: "NO_COLOR") != nil
            kind = .standardError(coloured: !wantsNone && isatty(STDERR_FILENO) == 1)
        }
    }

    func write(_ record: LogRecord) {
        switch kind {
        case .journal: Self.sendToJournal(record.fields(identifier: Self.identifier))
        case .standardError(let coloured): Self.printLine(record.line(coloured: coloured))
        }
    }

    /// Returns whether standard error is `stream`, a `device:inode` pair. A child process may inherit the
    /// variable but have a different standard error.
    private static func isJournal(_ stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    private static func sendToJournal(_ fields: [String]) {
        var bytes: [UInt8] = []
        let ends = fields.map { field in
            bytes += field.utf8
            return bytes.count
        }
        _ = csystemd_send_to_journal(bytes, ends, ends.count)
    }

    /// Writes a line with a single call, because other processes may write to the same terminal.
    private static func printLine(_ line: String) {
        var line = line
        _ = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
