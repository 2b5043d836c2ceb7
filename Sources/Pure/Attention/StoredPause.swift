internal import CutieAPI

/// A pause as it is kept. What the machine counts from its start means nothing after the next one: then the clock
/// on the wall is the best that is known, and a pause lasts no longer than it was to last.
public struct StoredPause: Codable, Sendable {
    var isPrivate: Bool
    /// In milliseconds since the start of the machine that `boot` names.
    var end: Int64?
    var boot: String?
    var until: Timestamp?
    /// In milliseconds.
    var length: Int64?

    /// `boot`: names this start of the machine; nil where that is not known.
    public init(_ pause: Policy.Pause, _ now: Moment, boot: String?) {
        isPrivate = pause.isPrivate
        guard let end = pause.end else { return }
        (self.end, self.boot) = (end.milliseconds, boot)
        (until, length) = (pause.until(at: now), (end - now.uptime).milliseconds)
    }

    /// The pause as it is now.
    public func pause(_ now: Moment, boot: String?) -> Policy.Pause {
        guard let until else { return .init(end: nil, isPrivate: isPrivate) }
        if let end, let boot, boot == self.boot, isUptimeConsistent(now) {
            return .init(end: .milliseconds(end), isPrivate: isPrivate)
        }
        let rest = min(until - now.time, length.map { .milliseconds($0) } ?? (until - now.time))
        return .init(end: now.uptime + rest, isPrivate: isPrivate)
    }

    /// Whether this can be the start of the machine that the pause began in. A restarted container or a restored
    /// virtual machine may keep the boot id although its uptime begins again.
    private func isUptimeConsistent(_ now: Moment) -> Bool {
        guard let end, let length else { return true }
        return now.uptime.milliseconds >= end - length
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
