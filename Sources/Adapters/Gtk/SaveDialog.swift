import Libadwaita

/// The desktop's dialog for saving a file.
public enum SaveDialog {
    /// Whether the dialog can be shown. If the GSettings schema of the dialog is not installed, GTK would
    /// terminate the program.
    public static var isUsable: Bool { Schemas.contains(Schemas.fileChooser) }

    /// Shows a dialog and saves `text` to the selected file.
    ///
    /// - Parameter onEnd: called with an error message, or with `nil` after success. `onEnd` is not called if
    ///   the user cancels.
    public static func save(
        _ text: String, suggestedName name: String, parent window: Ref,
        onCompletion onEnd: @escaping (String?) -> Void
    ) {
        let dialog = Ref(
            gtk_file_chooser_native_new(nil, window(), GTK_FILE_CHOOSER_ACTION_SAVE, nil, nil))
        gtk_file_chooser_set_current_name(dialog(), name)
        gtk_native_dialog_set_modal(dialog(), 1)
        dialog.on("response") { arguments in
            defer { g_object_unref(dialog.raw) }
            guard arguments.int(at: 0) == Int(GTK_RESPONSE_ACCEPT.rawValue),
                let file = Ref(orNil: gtk_file_chooser_get_file(dialog()))
            else { return }
            onEnd(writeTextReturningError(text, to: file))
            g_object_unref(file.raw)
        }
        gtk_native_dialog_show(dialog())
    }

    private static func writeTextReturningError(_ text: String, to file: Ref) -> String? {
        var error: UnsafeMutablePointer<GError>?
        let isDone = text.withCString {
            g_file_replace_contents(
                file(), $0, gsize(text.utf8.count), nil, 0, G_FILE_CREATE_NONE, nil, nil, &error)
        }
        guard isDone == 0, let error else { return nil }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }
}
