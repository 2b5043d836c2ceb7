import Gtk
import Libadwaita

/// The keys of a window beside the main one. The application's keys work there too, but the actions of the main
/// window do not.
enum WindowKeys {
    /// Ctrl+Enter, on both Enter keys.
    static let submit = "<Control>Return|<Control>KP_Enter"

    /// When a key does its action.
    enum Order {
        /// Before the focused widget gets the key. A text view takes each Enter, whatever is held with it.
        case beforeWidgets
        /// After the focused widget left the key unused: Escape closes a menu first.
        case afterWidgets
    }

    /// Adds keys, as GTK writes triggers, with the actions that they do.
    static func add(_ keys: [String: String], _ order: Order, to window: Ref) {
        let controller = Ref(gtk_shortcut_controller_new())
        for (trigger, action) in keys {
            gtk_shortcut_controller_add_shortcut(
                controller(),
                gtk_shortcut_new(gtk_shortcut_trigger_parse_string(trigger), gtk_named_action_new(action)))
        }
        if order == .beforeWidgets {
            gtk_event_controller_set_propagation_phase(controller(), GTK_PHASE_CAPTURE)
        }
        gtk_widget_add_controller(window(), controller())
    }
}
