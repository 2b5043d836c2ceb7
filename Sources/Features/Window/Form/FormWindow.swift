import FoundationEssentials
import Gtk
import InboxModel
import Libadwaita
import Localization

/// The dialog for new feedback.
final class FormWindow {
    let root: Ref
    private let controller: InboxController
    private let interface: WidgetTemplate
    private let text: TextBox
    private var connections: [SignalConnection] = []
    private var shown: FormView?
    private var isAsking = false

    init(_ controller: InboxController, over parent: Ref) {
        self.controller = controller
        interface = WidgetTemplate(PackageResources.form_ui)
        root = interface["form"]
        text = TextBox(interface["text"])
        gtk_window_set_transient_for(root(), parent())
        gtk_window_set_application(root(), gtk_window_get_application(parent()))
        connectFields()
        addKeyboardShortcuts()
        interface["cancel"].on("clicked") { [unowned controller] _ in controller.send(.form(.close)) }
        interface["send"].on("clicked") { [unowned self] _ in sendForm() }
        root.onSignalReturningBool("close-request") { [unowned controller] _ in
            controller.send(.form(.close))
            return true
        }
        interface["text"].grabFocus()
    }

    func present() { gtk_window_present(root()) }

    func destroy() { gtk_window_destroy(root()) }

    private func sendForm() { controller.send(.form(.send(key: UUID().uuidString.lowercased()))) }

    private func connectFields() {
        let fields: [(String, (String) -> FormInput)] = [
            ("title", { .title($0) }), ("name", { .name($0) }), ("contact", { .contact($0) }),
        ]
        for (id, input) in fields {
            let field = interface[id]
            connections.append(
                field.on("changed") { [unowned self] _ in
                    controller.send(.form(input(String(cString: gtk_editable_get_text(field())))))
                })
        }
        text.onChange { [unowned self] in controller.send(.form(.text($0))) }
        text.onAttachment { [unowned self] in
            adw_toast_overlay_add_toast(
                interface["toasts"](), adw_toast_new(TextBox.attachmentSentence))
        }
        let (account, category) = (interface["account"], interface["category"])
        connections.append(
            account.onChange(of: "selected") { [unowned self] in
                guard let shown, let name = Self.selectedChoice(in: account, from: shown.accounts) else {
                    return
                }
                controller.send(.form(.account(name)))
            })
        connections.append(
            category.onChange(of: "selected") { [unowned self] in
                guard let shown, let choice = Self.selectedChoice(in: category, from: shown.categories) else {
                    return
                }
                controller.send(.form(.category(choice.id)))
            })
    }

    private func addKeyboardShortcuts() {
        WindowKeys.addShortcuts([WindowKeys.submit: "form.send"], handlingOrder: .beforeWidgets, to: root)
        WindowKeys.addShortcuts(["Escape": "form.close"], handlingOrder: .afterWidgets, to: root)
        let group = ActionGroup("form", of: root).ref
        NamedAction("send", in: group) { [unowned self] in sendForm() }
        NamedAction("close", in: group) { [unowned self] in controller.send(.form(.close)) }
    }

    private static func selectedChoice<Choice>(in row: Ref, from choices: [Choice]) -> Choice? {
        let index = Int(adw_combo_row_get_selected(row()))
        return choices.indices.contains(index) ? choices[index] : nil
    }
}

// MARK: - Rendering

extension FormWindow {
    func render(_ form: FormView) {
        guard form != shown else { return }
        let before = shown
        shown = form
        SignalConnection.withoutSignals(of: connections) { fillIn(form, previous: before) }
        interface["context"].text = form.context
        show(form.shownProblem)
        interface["send"].isSensitive = form.canSend
        let isSending = form.state == .sending
        gtk_spinner_set_spinning(interface["spinner"](), isSending ? 1 : 0)
        interface["fields"].isSensitive = !isSending && !form.isQueued
        interface["cancel"].isSensitive = !isSending
        interface["send"].isVisible = !form.isQueued
        gtk_button_set_label(
            interface["cancel"](), form.isQueued ? localized("_Close") : localized("_Cancel"))
        show(form.state)
        if form.asksToDiscard { askToConfirmDiscarding() }
    }

    private func fillIn(_ form: FormView, previous: FormView?) {
        let account = interface["account"]
        account.isVisible = !form.accounts.isEmpty
        if previous?.accountTitles != form.accountTitles {
            Self.setChoices(form.accountTitles, in: account)
        }
        setSelection(form.accounts.firstIndex { $0 == form.account }, in: account)
        let category = interface["category"]
        if previous?.categories != form.categories {
            Self.setChoices(form.categories.map(\.label), in: category)
        }
        setSelection(form.categories.firstIndex { $0.id == form.category }, in: category)
        guard previous?.revision != form.revision else { return }
        for (id, label) in [("title", form.title), ("name", form.name), ("contact", form.contact)]
        where String(cString: gtk_editable_get_text(interface[id]())) != label {
            gtk_editable_set_text(interface[id](), label)
        }
        text.setText(form.text)
    }

    private static func setChoices(_ labels: [String], in row: Ref) {
        let model = Ref(gtk_string_list_new(nil))
        for word in labels { gtk_string_list_append(model(), word) }
        adw_combo_row_set_model(row(), model())
        g_object_unref(model.raw)
    }

    private func setSelection(_ index: Int?, in row: Ref) {
        guard let index, Int(adw_combo_row_get_selected(row())) != index else { return }
        adw_combo_row_set_selected(row(), guint(index))
    }

    private func show(_ state: FormView.State) {
        let (label, isFailure): (String?, Bool) =
            switch state {
            case .editing, .sending: (nil, false)
            case .failed(let sentence): (sentence, true)
            case .queued(let sentence): (sentence, false)
            }
        if let label { interface["notice-text"].text = label }
        interface["notice-text"].setCSSClass("urgent", isSet: isFailure)
        gtk_revealer_set_reveal_child(interface["notice"](), label == nil ? 0 : 1)
    }

    /// Shows a problem below the group that contains the affected field; `nil` hides the problem.
    private func show(_ problem: FormView.Problem?) {
        let isOfPerson = problem?.field == .name || problem?.field == .contact
        for (id, isPlace) in [("problem", !isOfPerson), ("user-problem", isOfPerson)] {
            interface[id].isVisible = problem != nil && isPlace
            if let problem, isPlace { interface[id].text = problem.sentence }
        }
        for (id, field) in [("title", FormView.Field.title), ("name", .name), ("contact", .contact)] {
            interface[id].setCSSClass("error", isSet: problem?.field == field)
        }
    }

    private func askToConfirmDiscarding() {
        guard !isAsking else { return }
        isAsking = true
        Confirmation.discard.present(over: root) { [weak self] isWanted in
            self?.isAsking = false
            self?.controller.send(.form(isWanted ? .discard : .continueEditing))
        }
    }
}

extension FormView {
    fileprivate var isQueued: Bool { if case .queued = state { true } else { false } }
}
