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

    /// Sets the accessible description of the widget; an empty `text` removes the description. Orca speaks
    /// a new description of the focused widget even with GTK 4.8, which does not support announcements.
    public func setAccessibleDescription(_ text: String) {
        var property = GTK_ACCESSIBLE_PROPERTY_DESCRIPTION
        guard !text.isEmpty else { return gtk_accessible_reset_property(self(), property) }
        var value = GValue()
        g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(self(), 1, &property, &value)
        g_value_unset(&value)
    }

    /// Makes a new widget a group with an accessible name, which screen readers speak when the focus enters
    /// the group.
    public func becomeAccessibleGroup(named name: String) {
        var role = GValue()
        g_value_init(&role, gtk_accessible_role_get_type())
        g_value_set_enum(&role, Int32(GTK_ACCESSIBLE_ROLE_GROUP.rawValue))
        g_object_set_property(self(), "accessible-role", &role)
        g_value_unset(&role)
        setAccessibleLabel(name)
    }

    /// Repeats the focus event whenever the text field is displayed with the focus. GTK sends no event to
    /// screen readers if a field gets the focus before the field is displayed, for example in a search bar
    /// that is still opening.
    public func repeatFocusEventWhenDisplayed() {
        let field = self
        on("map") { _ in
            guard let text = gtk_editable_get_delegate(field()).map({ Ref($0) }),
                let window = Ref(orNil: gtk_widget_get_root(field())),
                Ref(orNil: gtk_window_get_focus(window())) == text
            else { return }
            gtk_window_set_focus(window(), nil)
            _ = gtk_text_grab_focus_without_selecting(text())
        }
    }

    /// Announces `text` after the current speech. The widget must be in the active window. Has no effect
    /// before GTK 4.14, which added `gtk_accessible_announce`.
    public func announceToScreenReader(_ text: String) {
        text.withCString { ScreenReaderAnnouncement.function?(raw, $0, ScreenReaderAnnouncement.medium) }
    }
}

private enum ScreenReaderAnnouncement {
    typealias Function = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, CInt) -> Void

    /// GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM, which is not defined in the GTK headers of Debian 12.
    static let medium: CInt = 1

    /// The C function; `nil` before GTK 4.14. The function is looked up at run time, so that the same binary
    /// also runs with GTK 4.8.
    static let function: Function? = dlsym(dlopen(nil, RTLD_NOW), "gtk_accessible_announce").map {
        unsafeBitCast($0, to: Function.self)
    }
}
