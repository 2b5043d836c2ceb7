public import Logging
import Threads

/// The least level that is written, for all loggers; a reload may change it.
public final class LogThreshold: Sendable {
    private let value: Locked<Logger.Level>

    public init(_ level: Logger.Level) { value = Locked(level) }

    public var level: Logger.Level {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
