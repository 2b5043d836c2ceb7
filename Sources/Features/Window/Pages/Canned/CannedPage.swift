import ControlAPI
import ControlClient
import FoundationEssentials
import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    /// The kind of the page of canned responses, which support staff open with a button of the composer.
    static var canned: PageKind {
        PageKind(id: "canned", title: localized("Canned Responses"), menuTitle: nil, needs: .staffAccount) {
            CannedPage($0)
        }
    }
}

/// The page of canned responses. Support staff choose a response, fill in its placeholders, and send it.
final class CannedPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let controller: InboxController
    private let machine: PageController<CannedState>
    private let content: TextBox
    private var shown: CannedState?
    private var rows: [Ref] = []
    private var fields: [Ref] = []

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.canned_ui)
        root = interface["stack"]
        controller = context.controller
        content = TextBox(interface["content"])
        machine = PageController(CannedState(), context: context) { daemon, call in
            try await daemon.call(ListCannedResponses(account: call.account)).reply.responses
        }
        machine.show = { [unowned self] in showState() }
        connectSignals()
    }

    private func connectSignals() {
        let title = interface["title"]
        let inputs: [(String, CannedState.Input)] = [
            ("back", .back), ("new", .compose(true)), ("forget", .compose(false)),
        ]
        for (id, input) in inputs {
            interface[id].on("clicked") { [unowned self] _ in machine.send(input) }
        }
        interface["send"].on("clicked") { [unowned self] _ in sendResponse() }
        interface["edit"].on("clicked") { [unowned self] _ in copyToDraft() }
        interface["add"].on("clicked") { [unowned self] _ in createResponse() }
        title.on("changed") { [unowned self] _ in machine.send(.title(title.enteredText)) }
        content.onChange { [unowned self] in machine.send(.content($0)) }
        interface["content"].setAccessibleLabel(localized("Text"))
    }

    func render(_ inbox: InboxState) {
        let now = inbox.staffConversation
        if now != machine.state.conversation || shown == nil { machine.send(.show(now)) }
    }

    func submit() {
        if machine.state.isComposing { createResponse() } else { sendResponse() }
    }

    var closeQuestion: Confirmation? { machine.state.hasUnsavedText ? .discard : nil }

    private static var key: String { UUID().uuidString.lowercased() }

    private func sendResponse() {
        guard let preview = machine.state.preview, preview.canSend else { return }
        controller.send(
            .staff(
                .respond(
                    preview.response, variables: preview.values, text: preview.text, key: Self.key)))
        machine.send(.back)
        closePage()
    }

    private func copyToDraft() {
        guard let preview = machine.state.preview else { return }
        controller.send(.staff(.draft(preview.text)))
        machine.send(.back)
        closePage()
    }

    private func createResponse() {
        let state = machine.state
        guard state.canAdd else { return }
        controller.send(.staff(.add(title: state.title, content: state.content, key: Self.key)))
        machine.send(.compose(false))
        closePage()
    }

    /// Closes the page; the result appears in the conversation.
    private func closePage() {
        gtk_widget_activate_action_variant(root(), "window.close", nil)
    }
}

// MARK: - Rendering

extension CannedPage {
    private func showState() {
        let before = shown
        let state = machine.state
        shown = state
        let page =
            state.conversation == nil
            ? "none" : state.isComposing ? "new" : state.preview == nil ? "list" : "preview"
        gtk_stack_set_visible_child_name(root(), page)
        interface["add"].isSensitive = state.canAdd
        if before?.isComposing != state.isComposing, state.isComposing {
            gtk_editable_set_text(interface["title"](), "")
            content.setText("")
            interface["title"].grabFocus()
        }
        if before?.list != state.list { showList() }
        if before?.preview != state.preview { showPreview(replacing: before?.preview) }
    }

    private func showList() {
        let group = interface["responses"]
        for row in rows { adw_preferences_group_remove(group(), row()) }
        rows = []
        var status: String?
        switch machine.state.list {
        case .loading: status = localized("Loading…")
        case .failed(let sentence): status = sentence
        case .ready([]):
            status = localized(
                "There are no canned responses yet. Responses that you write are available to all support staff."
            )
        case .ready(let all): rows = all.map(makeRow)
        }
        for row in rows { adw_preferences_group_add(group(), row()) }
        interface["status"].isVisible = status != nil
        interface["status"].text = status ?? ""
    }

    private func makeRow(for response: CannedResponseView) -> Ref {
        let row = Ref(adw_action_row_new())
        adw_preferences_row_set_use_markup(row(), 0)
        adw_preferences_row_set_title(row(), response.title)
        adw_action_row_set_subtitle(row(), response.content)
        adw_action_row_set_subtitle_lines(row(), 2)
        let button = Ref(gtk_button_new_from_icon_name("go-next-symbolic"))
        gtk_widget_set_valign(button(), GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(button(), "flat")
        button.setAccessibleLabel(localized("Preview “{title}”", ["title": response.title]))
        button.on("clicked") { [unowned self] _ in machine.send(.choose(response)) }
        adw_action_row_add_suffix(row(), button())
        adw_action_row_set_activatable_widget(row(), button())
        return row
    }

    private func showPreview(replacing previous: CannedState.Preview?) {
        guard let preview = machine.state.preview else { return }
        if previous?.response != preview.response { showFields(preview) }
        interface["preview-title"].text = preview.response.title
        interface["preview-text"].text = preview.text
        interface["send"].isSensitive = preview.canSend
        if previous?.response != preview.response {
            // Focus the first empty placeholder.
            let empty = preview.variables.firstIndex { $0.value.isEmpty }
            (empty.map { fields[$0] } ?? interface["send"]).grabFocus()
        }
    }

    private func showFields(_ preview: CannedState.Preview) {
        let group = interface["variables"]
        for field in fields { adw_preferences_group_remove(group(), field()) }
        fields = preview.variables.map { variable in
            let row = Ref(adw_entry_row_new())
            adw_preferences_row_set_use_markup(row(), 0)
            adw_preferences_row_set_title(row(), variable.name)
            gtk_editable_set_text(row(), variable.value)
            Schemas.disableMissingEmojiChooser(in: row)
            row.on("changed") { [unowned self] _ in
                machine.send(.set(variable: variable.name, row.enteredText))
            }
            adw_preferences_group_add(group(), row())
            return row
        }
        group.isVisible = !fields.isEmpty
    }
}
