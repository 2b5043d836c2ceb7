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
