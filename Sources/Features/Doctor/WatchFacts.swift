import Platform

/// The facts about the file watches (inotify) of the user's programs, which share a limit. The daemon needs
/// watches for its sockets and the time zone.
struct WatchFacts: Sendable {
    var usedCount: Int
    /// The limit per user; `nil` if unknown.
    var limit: Int?
    /// The reason why a new watch fails; `nil` if it succeeds.
    var failure: String?

    static func probe() -> WatchFacts {
        WatchFacts(
            usedCount: Inotify.countUsedInstances(), limit: Inotify.limit,
            failure: Inotify.findInstanceLimitError()?.description)
    }

    var check: Check {
        let name = "file watches"
        let use =
            "\(usedCount) of \(limit.map(String.init) ?? "an unknown number of") inotify instances are in use"
        guard let failure else { return Check(name, .ok, use) }
        return Check(
            name, .warning, "files cannot be watched (\(failure)); \(use)",
            advice: "the daemon checks every 30 s instead; close programs that watch files, or run: "
                + "sudo sysctl fs.inotify.max_user_instances=512")
    }
}
