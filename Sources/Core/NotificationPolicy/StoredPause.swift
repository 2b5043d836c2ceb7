internal import CutieAPI

/// A pause as stored in the database. During the same boot, the end is restored from the uptime. After a
/// reboot, the end is restored from the wall clock, but the remaining time never exceeds the original length.
public struct StoredPause: Codable, Sendable {
    var isPrivate: Bool
    /// The end of the pause in milliseconds of uptime, valid only during the boot with the ID `boot`; `nil`
    /// if the pause has no end.
    var end: Int64?
    var boot: String?
    var until: Timestamp?
    /// The original length of the pause in milliseconds; `nil` if the pause has no end.
    var length: Int64?

    /// Creates the stored form of a pause.
    ///
    /// - Parameter boot: the ID of this boot; `nil` if unknown.
    public init(_ pause: Policy.Pause, at now: ClockReading, boot: String?) {
        isPrivate = pause.isPrivate
        guard let end = pause.end else { return }
        (self.end, self.boot) = (end.milliseconds, boot)
        (until, length) = (pause.wallClockEndTime(using: now), (end - now.uptime).milliseconds)
    }

    /// Returns the pause, with its end converted to the uptime of the current boot. `bootID`: the ID of this
    /// boot; `nil` if unknown.
    public func restoredPause(at now: ClockReading, bootID: String?) -> Policy.Pause {
        guard let until else { return .init(end: nil, isPrivate: isPrivate) }
        if let end, let bootID, bootID == self.boot, isUptimeConsistent(at: now) {
            return .init(end: .milliseconds(end), isPrivate: isPrivate)
        }
        let rest = min(until - now.time, length.map { .milliseconds($0) } ?? (until - now.time))
        return .init(end: now.uptime + rest, isPrivate: isPrivate)
    }

    /// Returns whether the uptime is not before the start of the pause. An earlier uptime means that the
    /// system restarted with the same boot ID, for example because a container was restarted or a virtual
    /// machine was restored from a snapshot.
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
