import Libadwaita

/// Tab leaves a list, and the arrow keys move in it. GTK's lists stop at each row, so that a thousand rows stand between
/// the list and what follows it.
extension Ref {
    /// Has Tab and Shift+Tab leave this list once the row with the keyboard focus has nothing more to focus.
    public func leaveOnTab() {
        guard let keys = gtk_event_controller_key_new().map({ Ref($0) }) else { return }
        gtk_event_controller_set_propagation_phase(keys(), GTK_PHASE_CAPTURE)
        keys.decide("key-pressed") { arguments in
            switch arguments.uint(0) {
            case guint(GDK_KEY_Tab), guint(GDK_KEY_KP_Tab): leave(GTK_DIR_TAB_FORWARD)
            case guint(GDK_KEY_ISO_Left_Tab): leave(GTK_DIR_TAB_BACKWARD)
            default: false
            }
        }
        gtk_widget_add_controller(self(), keys())
    }

    /// Returns whether the focus moved.
    private func leave(_ direction: GtkDirectionType) -> Bool {
        guard let root = Ref(orNil: gtk_widget_get_root(self())), let row = focusedChild else { return false }
        if gtk_widget_child_focus(row(), direction) != 0 { return true }
        // Passed over as a whole, the list is one stop.
        gtk_widget_set_can_focus(self(), 0)
        defer { gtk_widget_set_can_focus(self(), 1) }
        return gtk_widget_child_focus(root(), direction) != 0
    }

    private var focusedChild: Ref? { Ref(orNil: gtk_widget_get_focus_child(self())) }
}
