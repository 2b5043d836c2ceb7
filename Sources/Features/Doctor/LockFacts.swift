import Platform
import Systemd

/// The facts about the screen lock, on which the setting `notifications: locked` depends.
struct LockFacts: Hashable, Sendable {
    /// The graphical session; `nil` if there is none.
    var session: String?
    /// Whether the session is locked; `nil` if logind did not respond.
    var isLocked: Bool?
    /// The names of the desktop, from `XDG_CURRENT_DESKTOP`.
    var desktops: [String]

    /// The desktops whose screen lock reports its state to logind, with their display names.
    private static let reportingDesktops = ["GNOME": "GNOME", "KDE": "Plasma"]
}

extension LockFacts {
    init(asking environment: [String: String]) async {
        let lock = ScreenLock(environment: environment)
        let desktops = environment.nonEmptyValue(named: "XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
        self.init(
            session: lock.session, isLocked: await lock.queryLockState(), desktops: desktops.map(String.init))
    }

    var check: Check {
        let name = "screen lock"
        guard let session else { return Check(name, .skipped, "unknown (no graphical session)") }
        guard let isLocked else {
            return Check(
                name, .warning, "unknown (loginctl does not report session \(session))",
                advice: "notifications are shown as on an unlocked screen; check `loginctl show-session`")
        }
        if isLocked { return Check(name, .ok, "session \(session) is locked") }
        if let desktop = desktops.lazy.compactMap({ Self.reportingDesktops[$0] }).first {
            return Check(
                name, .ok, "session \(session) is unlocked, and \(desktop) reports when it is locked")
        }
        return Check(
            name, .skipped, "unknown: session \(session) seems unlocked, but not every screen locker reports",
            advice: "GNOME and Plasma do; for swaylock and others, see `locked` in cutied.yaml(5)")
    }
}
