import Libadwaita

/// Keyboard navigation in lists: Tab leaves a list, and the arrow keys move between rows. By default, GTK
/// stops at every row, so leaving a list of a thousand rows would take a thousand key presses.
extension Ref {
    /// Makes Tab and Shift+Tab leave this list after the focus has passed the focusable widgets of the
    /// focused row.
    public func enableLeavingListWithTab() {
        guard let keys = gtk_event_controller_key_new().map({ Ref($0) }) else { return }
        gtk_event_controller_set_propagation_phase(keys(), GTK_PHASE_CAPTURE)
        keys.onSignalReturningBool("key-pressed") { arguments in
            switch arguments.uint(at: 0) {
            case guint(GDK_KEY_Tab), guint(GDK_KEY_KP_Tab): moveFocus(direction: GTK_DIR_TAB_FORWARD)
            case guint(GDK_KEY_ISO_Left_Tab): moveFocus(direction: GTK_DIR_TAB_BACKWARD)
            default: false
            }
        }
        gtk_widget_add_controller(self(), keys())
    }

    /// Moves the focus to the next widget in the row, or out of the list. Returns whether the focus moved.
    private func moveFocus(direction: GtkDirectionType) -> Bool {
        guard let root = Ref(orNil: gtk_widget_get_root(self())), let row = focusedChild else { return false }
        if gtk_widget_child_focus(row(), direction) != 0 { return true }
        // Make the list temporarily unfocusable, so that GTK skips the list.
        gtk_widget_set_can_focus(self(), 0)
        defer { gtk_widget_set_can_focus(self(), 1) }
        return gtk_widget_child_focus(root(), direction) != 0
    }

    private var focusedChild: Ref? { Ref(orNil: gtk_widget_get_focus_child(self())) }
}
