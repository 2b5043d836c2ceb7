import Glibc
import Gtk
import InboxModel
import Libadwaita
import Localization

/// The account menu of a page. Hidden if there is only one account.
final class AccountChoice {
    private let menu: Ref
    private var names: [String]?
    private var titles: [String] = []
    private var changed: (String?) -> Void = { _ in }

    init(_ menu: Ref) {
        self.menu = menu
        menu.onChange(of: "selected") { [unowned self] in changed(chosen) }
    }

    /// The selected account; `nil` if the daemon has only one account.
    var chosen: String? {
        let index = Int(gtk_drop_down_get_selected(menu()))
        guard let names, names.count > 1, names.indices.contains(index) else { return nil }
        return names[index]
    }

    /// Sets the handler for the initial selection and for changes of the selection.
    func onChange(_ body: @escaping (String?) -> Void) { changed = body }

    /// Selects the account if the menu contains it.
    func selectAccount(_ account: String) {
        guard let index = names?.firstIndex(of: account) else { return }
        gtk_drop_down_set_selected(menu(), guint(index))
    }

    /// Sets the accounts in the menu, with their titles.
    func showAccounts(_ accounts: [String], titlesFrom state: InboxState) {
        let titles = accounts.map(state.title(of:))
        guard accounts != names || titles != self.titles, !accounts.isEmpty || names == nil else { return }
        let isFirst = names?.isEmpty ?? true
        let before = chosen
        (names, self.titles) = (accounts, titles)
        var words: [UnsafePointer<CChar>?] = titles.map { UnsafePointer(g_strdup($0)) } + [nil]
        defer { for word in words { g_free(UnsafeMutableRawPointer(mutating: word)) } }
        let model = Ref(gtk_string_list_new(&words))
        gtk_drop_down_set_model(menu(), model())
        g_object_unref(model.raw)
        menu.isVisible = accounts.count > 1
        if isFirst || chosen != before { changed(chosen) }
    }
}

/// A confirmation dialog before an operation that cannot be undone.
public struct Confirmation {
    let title: String
    let sentence: String
    /// The label of the confirming button, with a mnemonic.
    let action: String
    /// The label of the button that cancels, with a mnemonic.
    var refusal = localized("_Cancel")
    /// The label of an additional check button; `nil` for no check button.
    var option: String?

    /// The question to ask before an unsent message is discarded.
    static var discard: Confirmation { makeDiscardConfirmation(title: localized("Discard Message?")) }

    /// The question to ask before unsaved text of a form is discarded.
    static var discardChanges: Confirmation { makeDiscardConfirmation(title: localized("Discard Changes?")) }

    private static func makeDiscardConfirmation(title: String) -> Confirmation {
        Confirmation(
            title: title,
            sentence: localized("The text that you have written will be lost."),
            action: localized("_Discard"), refusal: localized("_Keep Editing"))
    }

    /// Shows the dialog and calls `answer` once, with `true` if the user confirms. Returns the dialog.
    @discardableResult
    func present(over widget: Ref, _ answer: @escaping (Bool) -> Void) -> Ref {
        present(over: widget) { isWanted, _ in answer(isWanted) }
    }

    /// Shows the dialog and calls `answer` once: `isWanted` is whether the user confirms, `isChosen` is
    /// whether the check button is selected. Returns
    /// the dialog.
    @discardableResult
    func present(
        over widget: Ref, _ answer: @escaping (_ isWanted: Bool, _ isChosen: Bool) -> Void
    ) -> Ref {
        let window = Ref(orNil: gtk_widget_get_root(widget()))
        let dialog = Ref(adw_message_dialog_new(window?(), title, sentence))
        adw_message_dialog_add_response(dialog(), "cancel", refusal)
        adw_message_dialog_add_response(dialog(), "do", action)
        adw_message_dialog_set_response_appearance(dialog(), "do", ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_default_response(dialog(), "cancel")
        adw_message_dialog_set_close_response(dialog(), "cancel")
        let check = option.map { Ref(gtk_check_button_new_with_label($0)) }
        if let check { adw_message_dialog_set_extra_child(dialog(), check()) }
        dialog.on("response") { response in
            let isChosen = check.map { gtk_check_button_get_active($0()) != 0 } ?? false
            answer(response.string(at: 0) == "do", isChosen)
        }
        gtk_window_present(dialog())
        return dialog
    }
}

/// Asks the user before a window is closed. At most one dialog is open.
final class CloseQuestion {
    /// The open dialog; `nil` if no dialog is open.
    private var dialog: Ref?
    private var destroyTimer: Timer?

    /// Asks the user, unless the dialog is already open. Destroys `window` if the user agrees.
    func askToConfirmClosing(with question: Confirmation, over window: Ref) {
        guard dialog == nil else { return }
        dialog = question.present(over: window) { [weak self] isWanted in
            guard let self else { return }
            dialog = nil
            // Destroy the window later, because its dialog is in use until this callback returns.
            if isWanted { destroyTimer = Timer(whenIdle: { gtk_window_destroy(window()) }) }
        }
    }

    /// Closes the dialog if nothing can be lost anymore, for example because the user has signed in.
    /// The window stays open.
    func closeDialog(unlessNeededFor question: Confirmation?) {
        if question == nil, let dialog { gtk_window_close(dialog()) }
    }
}

/// Creates rows with a button that removes an item.
enum RemovableRow {
    /// Creates a row with a button that removes the item of the row.
    ///
    /// - Parameter removalLabel: the accessible label and the tooltip of the button.
    static func makeRow(
        title: String, subtitle: String, removalLabel: String, onRemove: @escaping () -> Void
    ) -> Ref {
        let row = Ref(adw_action_row_new())
        adw_preferences_row_set_use_markup(row(), 0)
        adw_preferences_row_set_title(row(), title)
        adw_action_row_set_subtitle(row(), subtitle)
        let button = Ref(gtk_button_new_from_icon_name("user-trash-symbolic"))
        gtk_widget_set_valign(button(), GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(button(), "flat")
        gtk_widget_set_tooltip_text(button(), removalLabel)
        button.setAccessibleLabel(removalLabel)
        button.on("clicked") { _ in onRemove() }
        adw_action_row_add_suffix(row(), button())
        return row
    }
}

extension Ref {
    /// The text of this `GtkEditable`.
    var enteredText: String { String(cString: gtk_editable_get_text(self())) }
}

extension TimeFormatter {
    /// A formatter for the current time and the local time zone.
    static var local: TimeFormatter { TimeFormatter(now: Int64(time(nil)) * 1000, calendar: .local) }
}
