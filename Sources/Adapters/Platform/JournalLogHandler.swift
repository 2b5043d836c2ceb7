import CSystemd
import Glibc
public import Logging

/// Writes to the journal where standard error is the journal, else lines to standard error. In the
/// journal the metadata are fields too: `account` is `CUTIE_ACCOUNT=`.
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

    /// The threshold's, which changes for all loggers at once, unless it is set for this one.
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
