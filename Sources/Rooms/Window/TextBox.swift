import Gtk
import Libadwaita

/// A text of several lines that a person types.
final class TextBox {
    private let view: Ref
    private let buffer: Ref
    private var typing: Connection?

    /// `view`: a text view.
    init(_ view: Ref) {
        self.view = view
        buffer = Ref(gtk_text_view_get_buffer(view()))
    }

    /// `body` is told what is typed, and not what is filled in.
    func onChange(_ body: @escaping (String) -> Void) {
        typing = buffer.on("changed") { [unowned self] _ in body(words) }
    }

    func fill(_ words: String) {
        guard words != self.words else { return }
        let put = { gtk_text_buffer_set_text(self.buffer(), words, Int32(clamping: words.utf8.count)) }
        if let typing { typing.silenced(put) } else { put() }
    }

    var words: String {
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer(), &start, &end)
        guard let found = gtk_text_buffer_get_text(buffer(), &start, &end, 0) else { return "" }
        defer { g_free(found) }
        return String(cString: found)
    }
}
