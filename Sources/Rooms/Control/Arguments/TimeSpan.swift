import ArgumentParser
import Config

/// A duration as people type it: whole seconds, or `90s`, `5m`, `1h`, `2d`.
struct TimeSpan: Hashable, Sendable {
    var seconds: Int

    /// No one waits or pauses longer; it also keeps sums of times far from overflow.
    static let limit = TimeSpan(seconds: 10 * 366 * 86_400)
}

extension TimeSpan: ExpressibleByArgument {
    init?(argument: String) {
        guard let duration = Duration(written: argument) else { return nil }
        let seconds = Int(duration.components.seconds)
        guard seconds <= Self.limit.seconds else { return nil }
        self.init(seconds: seconds)
    }
}
