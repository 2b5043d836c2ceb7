import Libadwaita
import Synchronization

/// The clock format of the desktop: twelve or twenty-four hours. Without GNOME's schema, it is twenty-four.
public final class DesktopClock {
    private static let (schema, key) = ("org.gnome.desktop.interface", "clock-format")
    nonisolated private static let isTwelve = Atomic(false)

    /// Whether times of day have twelve hours; may be called on any thread.
    nonisolated public static var usesTwelveHours: Bool { isTwelve.load(ordering: .relaxed) }

    private let settings: Retained?

    /// Follows the format until the object is released.
    ///
    /// - Parameter onChange: called after each change.
    public init(onChange: @escaping () -> Void) {
        guard Schemas.contains(Self.schema, key: Self.key), let settings = g_settings_new(Self.schema) else {
            self.settings = nil
            return
        }
        let owned = Retained(adopting: Ref(settings))
        self.settings = owned
        Self.read(owned.ref)
        owned.ref.on("changed::" + Self.key) { [ref = owned.ref] _ in
            Self.read(ref)
            onChange()
        }
    }

    private static func read(_ settings: Ref) {
        guard let format = g_settings_get_string(settings(), key) else { return }
        defer { g_free(format) }
        isTwelve.store(String(cString: format) == "12h", ordering: .relaxed)
    }
}
