internal import CutieAPI

/// A pause in its stored form. The uptime is valid only for the same boot. After a reboot, the wall clock is
/// used, and the pause lasts at most its original length.
public struct StoredPause: Codable, Sendable {
    var isPrivate: Bool
    /// The end in milliseconds since the boot with the ID `boot`; `nil` for a pause without an end.
    var end: Int64?
    var boot: String?
    var until: Timestamp?
    /// The original length in milliseconds; `nil` for a pause without an end.
    var length: Int64?

    /// - Parameter boot: the ID of this boot; `nil` if unknown.
    public init(_ pause: Policy.Pause, _ now: ClockReading, boot: String?) {
        isPrivate = pause.isPrivate
        guard let end = pause.end else { return }
        (self.end, self.boot) = (end.milliseconds, boot)
        (until, length) = (pause.endTime(at: now), (end - now.uptime).milliseconds)
    }

    /// Returns the pause relative to the current uptime.
    public func restoredPause(at now: ClockReading, boot: String?) -> Policy.Pause {
        guard let until else { return .init(end: nil, isPrivate: isPrivate) }
        if let end, let boot, boot == self.boot, isUptimeConsistent(at: now) {
            return .init(end: .milliseconds(end), isPrivate: isPrivate)
        }
        let rest = min(until - now.time, length.map { .milliseconds($0) } ?? (until - now.time))
        return .init(end: now.uptime + rest, isPrivate: isPrivate)
    }

    /// Returns whether the uptime is plausible for the boot in which the pause started. A restarted container
    /// or a restored virtual machine may keep the boot ID although its uptime restarts.
    private func isUptimeConsistent(at now: ClockReading) -> Bool {
        guard let end, let length else { return true }
        return now.uptime.milliseconds >= end - length
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
