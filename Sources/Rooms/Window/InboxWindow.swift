import Gtk
import Libadwaita

/// The window: the list of conversations, and beside it the chosen one.
final class InboxWindow {
    let root: Ref

    init(in application: Application) {
        let interface = Interface(PackageResources.inbox_ui)
        root = interface["window"]
        gtk_window_set_application(root(), application.ref())
    }
}
