import Libadwaita
import Synchronization

/// The clock format of the desktop (12 or 24 hours). The format is 24 hours if GNOME's schema is not
/// installed.
public final class DesktopClock {
    private static let (schema, key) = ("org.gnome.desktop.interface", "clock-format")
    nonisolated private static let isTwelve = Atomic(false)

    /// Whether the desktop uses the 12-hour clock. Any thread can read this value.
    nonisolated public static var usesTwelveHours: Bool { isTwelve.load(ordering: .relaxed) }

    private let settings: Retained?

    /// Observes the format until this object is released.
    ///
    /// - Parameter onChange: called after each change.
    public init(onChange: @escaping () -> Void) {
        guard Schemas.contains(Self.schema, withKey: Self.key), let settings = g_settings_new(Self.schema)
        else {
            self.settings = nil
            return
        }
        let owned = Retained(adopting: Ref(settings))
        self.settings = owned
        Self.updateClockFormat(from: owned.ref)
        owned.ref.on("changed::" + Self.key) { [ref = owned.ref] _ in
            Self.updateClockFormat(from: ref)
            onChange()
        }
    }

    private static func updateClockFormat(from settings: Ref) {
        guard let format = g_settings_get_string(settings(), key) else { return }
        defer { g_free(format) }
        isTwelve.store(String(cString: format) == "12h", ordering: .relaxed)
    }
}
