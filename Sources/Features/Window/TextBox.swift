import Gtk
import Libadwaita
import Localization

/// A multi-line text field.
final class TextBox {
    private let view: Ref
    private let buffer: Ref
    private var changeConnection: SignalConnection?

    /// - Parameter view: a `GtkTextView`.
    init(_ view: Ref) {
        self.view = view
        buffer = Ref(gtk_text_view_get_buffer(view()))
    }

    /// Sets the handler for typed text. `setText` does not call the handler.
    func onChange(_ body: @escaping (String) -> Void) {
        changeConnection = buffer.on("changed") { [unowned self] _ in body(text) }
    }

    /// Sets the description that screen readers speak; empty for none.
    func setAccessibleDescription(_ text: String) { view.setAccessibleDescription(text) }

    /// A key without modifiers that a handler may intercept.
    enum Key {
        case enter, tab, escape, up, down

        fileprivate init?(_ value: guint) {
            switch Int32(bitPattern: value) {
            case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: self = .enter
            case GDK_KEY_Tab: self = .tab
            case GDK_KEY_Escape: self = .escape
            case GDK_KEY_Up: self = .up
            case GDK_KEY_Down: self = .down
            default: return nil
            }
        }
    }

    /// Calls `body` when a key is pressed. If `body` returns `false`, the text field handles the key.
    func onKey(_ body: @escaping (Key) -> Bool) {
        guard let keys = gtk_event_controller_key_new().map({ Ref($0) }) else { return }
        gtk_event_controller_set_propagation_phase(keys(), GTK_PHASE_CAPTURE)
        keys.onSignalReturningBool("key-pressed") { [unowned self] arguments in
            let modifiers =
                GDK_SHIFT_MASK.rawValue | GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue
                | GDK_SUPER_MASK.rawValue
            guard let key = Key(arguments.uint(at: 0)), arguments.flags(at: 2) & modifiers == 0 else {
                return false
            }
            // Pass Enter to the input method first: an Enter that accepts a suggestion must not send the
            // message.
            if key == .enter, let event = gtk_event_controller_get_current_event(keys()),
                gtk_text_view_im_context_filter_keypress(view(), event) != 0
            {
                return true
            }
            return body(key)
        }
        gtk_widget_add_controller(view(), keys())
    }

    /// The text between the start of the line and the cursor.
    var lineBeforeCursor: String {
        var (start, cursor) = lineRange
        guard let found = gtk_text_buffer_get_text(buffer(), &start, &cursor, 0) else { return "" }
        defer { g_free(found) }
        return String(cString: found)
    }

    private var lineRange: (start: GtkTextIter, cursor: GtkTextIter) {
        var cursor = GtkTextIter()
        gtk_text_buffer_get_iter_at_mark(buffer(), &cursor, gtk_text_buffer_get_insert(buffer()))
        var start = cursor
        gtk_text_iter_set_line_offset(&start, 0)
        return (start, cursor)
    }

    /// Replaces the text between the start of the line and the cursor, as one step of the undo history.
    ///
    /// - Parameter placeholder: the part of the new text to select; `nil` puts the cursor at the end.
    func replaceLineBeforeCursor(with text: String, selecting placeholder: String?) {
        var (start, cursor) = lineRange
        let offset = gtk_text_iter_get_offset(&start)
        gtk_text_buffer_begin_user_action(buffer())
        gtk_text_buffer_delete(buffer(), &start, &cursor)
        gtk_text_buffer_insert(buffer(), &start, text, Int32(clamping: text.utf8.count))
        gtk_text_buffer_end_user_action(buffer())
        guard let placeholder, let range = text.firstRange(of: placeholder) else { return }
        let scalars = text.unicodeScalars
        let begin = offset + Int32(clamping: scalars.distance(from: scalars.startIndex, to: range.lowerBound))
        var (first, last) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_iter_at_offset(buffer(), &first, begin)
        gtk_text_buffer_get_iter_at_offset(
            buffer(), &last, begin + Int32(clamping: placeholder.unicodeScalars.count))
        gtk_text_buffer_select_range(buffer(), &first, &last)
    }

    /// Calls `body` if the user pastes an image or files, or drops files, because messages cannot contain
    /// images or files. The text does not change. Other content is inserted as text.
    func onAttachment(_ body: @escaping () -> Void) {
        view.on("paste-clipboard") { [unowned self] _ in
            guard let clipboard = gtk_widget_get_clipboard(view()),
                let formats = gdk_clipboard_get_formats(clipboard), Self.hasAttachment(in: formats)
            else { return }
            g_signal_stop_emission_by_name(view.raw, "paste-clipboard")
            body()
        }
        guard let target = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY).map({ Ref($0) })
        else { return }
        // Handle the drop before the text view, which would insert the paths of the files.
        gtk_event_controller_set_propagation_phase(target(), GTK_PHASE_CAPTURE)
        target.onSignalReturningBool("drop") { [unowned self] arguments in
            let files = arguments.boxed(at: 0).map { Self.attachedFiles(in: $0) } ?? []
            if files.allSatisfy({ !$0.isLocal }) {
                // Insert the address of a file that is not local, because a browser drops a link as such a
                // file.
                let links = files.map(\.address).joined(separator: "\n")
                gtk_text_buffer_insert_at_cursor(buffer(), links, Int32(clamping: links.utf8.count))
            } else {
                body()
            }
            return true
        }
        gtk_widget_add_controller(view(), target())
    }

    /// Returns the files in a dropped value.
    private static func attachedFiles(in value: UnsafeMutableRawPointer) -> [(address: String, isLocal: Bool)]
    {
        guard let list = g_value_get_boxed(value.assumingMemoryBound(to: GValue.self)) else { return [] }
        var files: [(address: String, isLocal: Bool)] = []
        let first = gdk_file_list_get_files(OpaquePointer(list))
        defer { g_slist_free(first) }
        var entry = first
        while let file = entry?.pointee.data.map({ OpaquePointer($0) }) {
            if let address = g_file_get_uri(file) {
                files.append((String(cString: address), g_file_is_native(file) != 0))
                g_free(address)
            }
            entry = entry?.pointee.next
        }
        return files
    }

    /// The message for a user who tried to attach a file.
    static var attachmentSentence: String {
        localized("Images and files cannot be attached. Describe them, or paste a link.")
    }

    /// Returns whether the clipboard contains copied files, or an image without text.
    private static func hasAttachment(in formats: OpaquePointer) -> Bool {
        func contains(_ type: String) -> Bool {
            gdk_content_formats_contain_mime_type(formats, type) != 0
        }
        if ["x-special/gnome-copied-files", "application/x-kde-cutselection"].contains(where: contains) {
            return true
        }
        let isText =
            ["text/plain", "text/plain;charset=utf-8", "UTF8_STRING"].contains(where: contains)
            || gdk_content_formats_contain_gtype(formats, GType(16 << 2)) != 0
        let isImage =
            ["image/png", "image/jpeg", "image/bmp", "image/tiff", "image/gif", "image/webp"]
            .contains(where: contains)
            || gdk_content_formats_contain_gtype(formats, gdk_texture_get_type()) != 0
        let isFile =
            contains("text/uri-list")
            || gdk_content_formats_contain_gtype(formats, gdk_file_list_get_type()) != 0
        return !isText && (isImage || isFile)
    }

    func setText(_ text: String) {
        guard text != self.text else { return }
        let put = { gtk_text_buffer_set_text(self.buffer(), text, Int32(clamping: text.utf8.count)) }
        if let changeConnection { changeConnection.withoutSignals(put) } else { put() }
    }

    var text: String {
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer(), &start, &end)
        guard let found = gtk_text_buffer_get_text(buffer(), &start, &end, 0) else { return "" }
        defer { g_free(found) }
        return String(cString: found)
    }
}
