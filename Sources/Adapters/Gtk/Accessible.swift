import Glibc
import Libadwaita

/// Functions for screen readers.
extension Ref {
    /// Hides the widget and its children from screen readers. Prevents duplicate speech if the accessible
    /// name of a parent already contains the same text.
    public func hideFromScreenReaders() {
        var state = GTK_ACCESSIBLE_STATE_HIDDEN
        var value = GValue()
        g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN
        g_value_set_boolean(&value, 1)
        gtk_accessible_update_state_value(self(), 1, &state, &value)
        g_value_unset(&value)
    }

    /// Announces `text` after the current speech. The widget must be in the active window. Has no effect
    /// before GTK 4.14, which added `gtk_accessible_announce`.
    public func announceToScreenReader(_ text: String) {
        text.withCString { ScreenReaderAnnouncement.function?(raw, $0, ScreenReaderAnnouncement.medium) }
    }
}

private enum ScreenReaderAnnouncement {
    typealias Function = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, CInt) -> Void

    /// GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM, which the GTK headers of Debian 12 do not define.
    static let medium: CInt = 1

    /// The C function; `nil` before GTK 4.14. Looked up at run time, so that the same binary also runs with
    /// GTK 4.8.
    static let function: Function? = dlsym(dlopen(nil, RTLD_NOW), "gtk_accessible_announce").map {
        unsafeBitCast($0, to: Function.self)
    }
}
