import Glibc
import Libadwaita

/// Screen readers: what they do not read, and what is announced to them.
extension Ref {
    /// Hides the widget and all in it from screen readers. The name of a widget around it says what it shows, and is
    /// read once then.
    public func hideFromScreenReaders() {
        var state = GTK_ACCESSIBLE_STATE_HIDDEN
        var value = GValue()
        g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN
        g_value_set_boolean(&value, 1)
        gtk_accessible_update_state_value(self(), 1, &state, &value)
        g_value_unset(&value)
    }

    /// Has the screen reader say `text` after what it is reading. Without effect before GTK 4.14, which has no such
    /// function. `self` is a widget of the window that the person works in.
    public func announce(_ text: String) {
        text.withCString { Announcement.function?(raw, $0, Announcement.medium) }
    }
}

private enum Announcement {
    typealias Function = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, CInt) -> Void

    /// GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM, which the headers of Debian 12 do not have.
    static let medium: CInt = 1

    /// Looked up at run time: one binary runs with GTK 4.8, which lacks it, and with later ones.
    static let function: Function? = dlsym(dlopen(nil, RTLD_NOW), "gtk_accessible_announce").map {
        unsafeBitCast($0, to: Function.self)
    }
}
