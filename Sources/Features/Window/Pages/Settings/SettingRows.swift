import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText

/// A row with a menu of values.
final class ChoiceRow<Value: Hashable> {
    private let row: Ref
    private var values: [Value] = []
    private var connection: SignalConnection?
    private var choose: (Value) -> Void = { _ in }

    init(_ row: Ref) {
        self.row = row
        connection = row.onChange(of: "selected") { [unowned self] in
            let index = Int(adw_combo_row_get_selected(self.row()))
            if values.indices.contains(index) { choose(values[index]) }
        }
    }

    func onChoice(_ body: @escaping (Value) -> Void) { choose = body }

    func show(_ choices: [(value: Value, caption: String)], selectedValue: Value) {
        connection?.withoutSignals {
            if choices.map(\.value) != values {
                values = choices.map(\.value)
                let model = Ref(gtk_string_list_new(nil))
                for choice in choices { gtk_string_list_append(model(), choice.caption) }
                adw_combo_row_set_model(row(), model())
                g_object_unref(model.raw)
            }
            let index = values.firstIndex(of: selectedValue) ?? 0
            if Int(adw_combo_row_get_selected(row())) != index {
                adw_combo_row_set_selected(row(), guint(index))
            }
        }
    }
}

/// A row whose subtitle shows the error of its setting, or the description if there is no error.
struct SettingRow {
    private let row: Ref
    private let standard: String

    init(_ row: Ref) {
        self.row = row
        standard = adw_action_row_get_subtitle(row()).map { String(cString: $0) } ?? ""
    }

    func show(problem: String?) {
        row.setCSSClass("error", isSet: problem != nil)
        let caption = problem.map { TextRun.markup(of: [TextRun($0)]) } ?? standard
        guard adw_action_row_get_subtitle(row()).map({ String(cString: $0) }) ?? "" != caption else { return }
        adw_action_row_set_subtitle(row(), caption)
        // Allow several lines, because an error message may contain a long path.
        adw_action_row_set_subtitle_lines(row(), 0)
    }
}

/// A row for the name of the user in one account. Support staff see this name.
final class NameRow {
    let root: Ref
    let account: String
    private var shown: String?

    /// - Parameter onName: called with the typed name when the user applies it.
    init(_ account: String, title: String, isAlone: Bool, onName: @escaping (String) -> Void) {
        self.account = account
        root = Ref(adw_entry_row_new())
        adw_preferences_row_set_title(root(), isAlone ? localized("Name") : title)
        adw_preferences_row_set_use_markup(root(), 0)
        adw_entry_row_set_show_apply_button(root(), 1)
        Schemas.disableMissingEmojiChooser(in: root)
        root.on("apply") { [unowned self] _ in onName(root.enteredText) }
    }

    func show(_ name: SettingValues.UserName) {
        // Do not overwrite a name that the user is typing unless the stored name has changed.
        guard shown != name.name || !hasFocus else { return }
        shown = name.name
        if root.enteredText != name.name { gtk_editable_set_text(root(), name.name) }
    }

    private var hasFocus: Bool {
        gtk_widget_get_state_flags(root()).rawValue & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
    }
}
