import Gtk
import Libadwaita

/// The keys of windows other than the main window. The application's keys also work in these windows, but the
/// actions of the main window do not.
enum WindowKeys {
    /// Ctrl+Enter, for both Enter keys.
    static let submit = "<Control>Return|<Control>KP_Enter"

    /// The order of key handling.
    enum Order {
        /// Before the focused widget. A text view consumes every Enter, even with modifiers.
        case beforeWidgets
        /// After the focused widget, and only if the widget did not handle the key: for example, Escape
        /// closes a menu first.
        case afterWidgets
    }

    /// Adds keys and their actions.
    ///
    /// - Parameter keys: triggers in GTK's notation, with the names of their actions.
    static func addShortcuts(_ keys: [String: String], handlingOrder: Order, to window: Ref) {
        let controller = Ref(gtk_shortcut_controller_new())
        for (trigger, action) in keys {
            gtk_shortcut_controller_add_shortcut(
                controller(),
                gtk_shortcut_new(gtk_shortcut_trigger_parse_string(trigger), gtk_named_action_new(action)))
        }
        if handlingOrder == .beforeWidgets {
            gtk_event_controller_set_propagation_phase(controller(), GTK_PHASE_CAPTURE)
        }
        gtk_widget_add_controller(window(), controller())
    }
}
