import Libadwaita

/// GSettings schemas that GTK requires. GTK terminates the program if it opens a schema that is not
/// installed.
public enum Schemas {
    static let fileChooser = "org.gtk.gtk4.Settings.FileChooser"
    private static let emojiChooser = "org.gtk.gtk4.Settings.EmojiChooser"

    static func contains(_ id: String) -> Bool {
        guard let source = g_settings_schema_source_get_default(),
            let schema = g_settings_schema_source_lookup(source, id, 1)
        else { return false }
        g_settings_schema_unref(schema)
        return true
    }

    /// Returns whether the schema `id` is installed and contains `key`.
    static func contains(_ id: String, withKey key: String) -> Bool {
        guard let source = g_settings_schema_source_get_default(),
            let schema = g_settings_schema_source_lookup(source, id, 1)
        else { return false }
        defer { g_settings_schema_unref(schema) }
        return g_settings_schema_has_key(schema, key) != 0
    }

    private static let canChooseEmoji = contains(emojiChooser)

    /// Disables the emoji chooser of all text fields in `widget` if the schema of the chooser is not
    /// installed. Otherwise, the shortcut Ctrl+. would terminate the program.
    public static func disableMissingEmojiChooser(in widget: Ref) {
        guard !canChooseEmoji else { return }
        if widget.isA(gtk_text_get_type()) {
            gtk_text_set_input_hints(widget(), GTK_INPUT_HINT_NO_EMOJI)
        } else if widget.isA(gtk_text_view_get_type()) {
            gtk_text_view_set_input_hints(widget(), GTK_INPUT_HINT_NO_EMOJI)
            widget.on("insert-emoji") { _ in g_signal_stop_emission_by_name(widget.raw, "insert-emoji") }
        }
        for child in widget.children { disableMissingEmojiChooser(in: child) }
    }
}
