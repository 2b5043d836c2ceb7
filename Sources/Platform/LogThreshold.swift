public import Logging
import Synchronization

/// The least level that is written, for all loggers; a reload may change it.
public final class LogThreshold: Sendable {
    private let value: Mutex<Logger.Level>

    public init(_ level: Logger.Level) { value = Mutex(level) }

    public var level: Logger.Level {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
