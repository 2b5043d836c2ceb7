import Config
import Logging

extension DaemonOptions {
    /// What was asked for on the command line, over everything else.
    var level: Logger.Level? { logLevel.flatMap(Logger.Level.init(rawValue:)) }
}

extension Configuration {
    /// `log_level`, over which the environment has its say; `info` without one.
    var level: Logger.Level { logLevel.flatMap { Logger.Level(rawValue: $0.rawValue) } ?? .info }
}
