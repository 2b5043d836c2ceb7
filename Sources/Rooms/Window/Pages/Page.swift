public import Gtk
import Libadwaita

/// A view beside the inbox: it stands in a window of its own, over the inbox's.
///
/// See `PageKind` for how to add one.
public protocol Page: Viewer {
    /// What is shown, without a title bar: a new widget.
    var root: Ref { get }
    /// The person closed the window: the page goes.
    func close()
}

extension Page {
    public func close() {}
}

/// What a page works with.
public struct PageSurroundings {
    public let conductor: Conductor
    public let environment: [String: String]
    /// Says something in passing, in the page's window where it has one.
    public let tell: (String) -> Void
    /// Has the inbox's window do what an action of it names; its target is a text, where it has one.
    let act: (_ action: String, _ target: String?) -> Void
}

/// A page in its window.
final class PageWindow {
    let root: Ref
    private let page: any Page
    private let onClose: () -> Void

    /// `onClose` is told once it is gone.
    init(_ kind: PageKind, over parent: Ref, _ surroundings: PageSurroundings, onClose: @escaping () -> Void)
    {
        root = Ref(adw_window_new())
        self.onClose = onClose
        let toasts = Ref(adw_toast_overlay_new())
        page = kind.make(
            PageSurroundings(
                conductor: surroundings.conductor, environment: surroundings.environment,
                tell: { adw_toast_overlay_add_toast(toasts(), adw_toast_new($0)) }, act: surroundings.act))
        let box = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let header = Ref(adw_header_bar_new())
        gtk_widget_add_css_class(header(), "flat")
        gtk_box_append(box(), header())
        adw_toast_overlay_set_child(toasts(), page.root())
        gtk_widget_set_vexpand(toasts(), 1)
        gtk_box_append(box(), toasts())
        adw_window_set_content(root(), box())
        gtk_window_set_title(root(), kind.title)
        root.setSpoken(kind.title)
        gtk_window_set_transient_for(root(), parent())
        gtk_window_set_destroy_with_parent(root(), 1)
        gtk_window_set_default_size(root(), 560, 600)
        gtk_widget_set_size_request(root(), 360, 294)
        closeOnEscape()
        surroundings.conductor.add(page)
        root.on("destroy") { [self] _ in end() }
    }

    func present() { gtk_window_present(root()) }

    private func end() {
        page.close()
        onClose()
    }

    private func closeOnEscape() {
        let keys = Ref(gtk_shortcut_controller_new())
        let close = gtk_shortcut_new(
            gtk_shortcut_trigger_parse_string("Escape"), gtk_named_action_new("window.close"))
        gtk_shortcut_controller_add_shortcut(keys(), close)
        gtk_widget_add_controller(root(), keys())
    }
}
