import Gtk
import Libadwaita

/// A multi-line text field.
final class TextBox {
    private let view: Ref
    private let buffer: Ref
    private var typing: SignalConnection?

    /// Creates the field.
    ///
    /// - Parameter view: a `GtkTextView`.
    init(_ view: Ref) {
        self.view = view
        buffer = Ref(gtk_text_view_get_buffer(view()))
    }

    /// Sets the handler of typed text; not called by `fill`.
    func onChange(_ body: @escaping (String) -> Void) {
        typing = buffer.on("changed") { [unowned self] _ in body(text) }
    }

    /// Calls `body` when Enter is pressed without modifiers. If it returns `false`, Enter adds a line.
    func onEnter(_ body: @escaping () -> Bool) {
        guard let keys = gtk_event_controller_key_new().map({ Ref($0) }) else { return }
        gtk_event_controller_set_propagation_phase(keys(), GTK_PHASE_CAPTURE)
        keys.decide("key-pressed") { [unowned self] arguments in
            let isEnter = [GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter].contains {
                guint($0) == arguments.uint(0)
            }
            let modifiers =
                GDK_SHIFT_MASK.rawValue | GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue
                | GDK_SUPER_MASK.rawValue
            guard isEnter, arguments.flags(2) & modifiers == 0 else { return false }
            // Enter may accept what an input method offers, which must not send the message.
            if let event = gtk_event_controller_get_current_event(keys()),
                gtk_text_view_im_context_filter_keypress(view(), event) != 0
            {
                return true
            }
            return body()
        }
        gtk_widget_add_controller(view(), keys())
    }

    func fill(_ text: String) {
        guard text != self.text else { return }
        let put = { gtk_text_buffer_set_text(self.buffer(), text, Int32(clamping: text.utf8.count)) }
        if let typing { typing.withoutSignals(put) } else { put() }
    }

    var text: String {
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer(), &start, &end)
        guard let found = gtk_text_buffer_get_text(buffer(), &start, &end, 0) else { return "" }
        defer { g_free(found) }
        return String(cString: found)
    }
}
