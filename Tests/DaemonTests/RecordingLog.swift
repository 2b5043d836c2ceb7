import Logging
import Synchronization

/// A log backend that records messages as lines.
final class RecordingLog: Sendable {
    private let recorded = Mutex<[String]>([])
    var lines: [String] { recorded.withLock(\.self) }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        init(log: RecordingLog) { self.log = log }

        func log(event: LogEvent) {
            log.recorded.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }
}
