import CSystemd
import Glibc
public import Logging
import Platform
import Runtime

/// A log handler that writes to the journal if standard error is connected to the journal, and otherwise
/// writes lines to standard error. In the journal, metadata become fields: `account` becomes
/// `CUTIE_ACCOUNT=`.
public struct JournalLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let threshold: LogThreshold
    private let destination: LogDestination
    private var levelOverride: Logger.Level?

    public init(
        threshold: LogThreshold, destination: LogDestination, metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.threshold = threshold
        self.destination = destination
        self.metadataProvider = metadataProvider
    }

    /// The level that was set for this logger, or the shared threshold.
    public var logLevel: Logger.Level {
        get { levelOverride ?? threshold.level }
        set { levelOverride = newValue }
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

/// The minimum log level, shared by all loggers. The level changes when the configuration is reloaded.
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

    /// Selects the journal if standard error is connected to the journal, as in a systemd unit; otherwise,
    /// standard error. On a terminal, lines are colored, unless `NO_COLOR` is set.
    public init(environment: [String: String]) {
        if Self.isStandardError(environment["JOURNAL_STREAM"]) {
            kind = .journal
        } else {
            let wantsNone = environment.nonEmptyValue(named: "NO_COLOR") != nil
            kind = .standardError(coloured: !wantsNone && isatty(STDERR_FILENO) == 1)
        }
    }

    func write(_ record: LogRecord) {
        switch kind {
        case .journal: Self.sendToJournal(record.journalFields(syslogIdentifier: Self.identifier))
        case .standardError(let coloured): Self.printLine(record.line(coloured: coloured))
        }
    }

    /// Returns whether standard error is the file `stream` (`device:inode`). This check is necessary because
    /// a child process may inherit `JOURNAL_STREAM` but have another standard error.
    private static func isStandardError(_ stream: String?) -> Bool {
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

    /// Writes a line with a single system call, so that lines of several processes are not mixed on the same
    /// terminal.
    private static func printLine(_ line: String) {
        var line = line
        _ = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
