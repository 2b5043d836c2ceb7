import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText

/// The list of conversations or search results.
final class ListPane {
    let root: Ref
    private let controller: InboxController
    private let interface: WidgetTemplate
    private let (stack, view, spinner): (Ref, Ref, Ref)
    /// The model of GTK's list view: the keys of the filtered conversations.
    private let model: Ref
    private let selection: Retained
    private var rows: [Ref: ConversationRowView] = [:]
    private var shown: ListView?
    private var reader: UserRole?
    private let results: SearchResultList
    private let filter: FilterPopover
    /// The banner above the list. If the list is hidden, the banner of `ThreadPane` is shown instead.
    let banner: BannerBar
    /// The action of the button below a message, such as “No Conversations Yet”.
    private var messageAction: () -> Void = {}
    private var searching: SignalConnection?
    private var shownMenu: MainMenu?
    /// Whether the search field selects a conversation instead of searching messages.
    private var isSelectingConversation = false
    private var resultDescription = ""
    /// Whether the list is shown without the conversation pane. In that case, the list itself shows that
    /// there are no conversations.
    private var isSinglePane = false

    init(_ controller: InboxController, showPage: @escaping (String) -> Void) {
        self.controller = controller
        interface = WidgetTemplate(PackageResources.list_ui)
        root = interface["pane"]
        (stack, view, spinner) = (interface["stack"], interface["conversations"], interface["spinner"])
        model = Ref(gtk_string_list_new(nil))
        selection = Retained(adopting: Ref(gtk_single_selection_new(model())))
        results = SearchResultList(interface["results"], controller: controller, showPage: showPage)
        filter = FilterPopover(
            button: interface["filter-button"], summary: interface["filter-summary"], controller: controller)
        banner = BannerBar(controller, showPage: showPage)
        gtk_box_append(interface["banner-place"](), banner.root())
        configureRows()
        configureSearch()
        for list in [view, interface["results"]] { list.enableLeavingListWithTab() }
        interface["menu-button"].setAccessibleLabelOfMenuButton(localized("Main Menu"))
        interface["search-button"].setAccessibleLabel(localized("Search"))
        interface["compose"].setAccessibleLabel(localized("New Feedback"))
        interface["filter-button"].setAccessibleLabelOfMenuButton(localized("Filter"))
        interface["search"].setAccessibleLabel(localized("Search in conversations and messages"))
        view.setAccessibleLabel(localized("Conversations"))
        interface["results"].setAccessibleLabel(localized("Search results"))
        interface["message-button"].on("clicked") { [unowned self] _ in messageAction() }
    }

    /// Opens and focuses the search field.
    ///
    /// - Parameter selectsConversation: whether the field selects a conversation instead of searching
    ///   messages.
    func startSearch(selectsConversation: Bool = false) {
        let (bar, entry) = (interface["search-bar"], interface["search"])
        gtk_search_bar_set_search_mode(bar(), 1)
        setSearchMode(selectsConversation: selectsConversation)
        entry.grabFocus()
        // Select the previous text, so that typing replaces it.
        gtk_editable_select_region(entry(), 0, -1)
    }

    func closeSearch() { gtk_search_bar_set_search_mode(interface["search-bar"](), 0) }

    private func setSearchMode(selectsConversation: Bool) {
        isSelectingConversation = selectsConversation
        let title =
            selectsConversation
            ? localized("Go to Conversation") : localized("Search in conversations and messages")
        interface["search"].setProperty("placeholder-text", to: title)
        interface["search"].setAccessibleLabel(title)
        results.setHasSelection(selectsConversation)
        controller.send(.setSearchSelectsConversation(selectsConversation))
    }

    /// Moves the focus to the selected conversation.
    func grabFocus() { view.grabFocus() }

    /// Returns whether `widget` belongs to the list of conversations.
    func contains(_ widget: Ref) -> Bool { gtk_widget_is_ancestor(widget(), view()) != 0 }

    var header: Ref { interface["header"] }

    /// Sets the width of the pane. If the conversation is shown next to the pane, the width is fixed, so that
    /// the content does not move the divider.
    func setSinglePane(_ isSinglePane: Bool, state: InboxState) {
        adw_clamp_set_maximum_size(root(), isSinglePane ? Self.unlimited : Self.width)
        guard isSinglePane != self.isSinglePane else { return }
        self.isSinglePane = isSinglePane
        if shown == .empty { show(.empty, state: state) }
    }

    /// The maximum width of the pane, in pixels.
    private static let (width, unlimited): (Int32, Int32) = (340, 10_000)
}

// MARK: - Rows

extension ListPane {
    private func configureRows() {
        gtk_single_selection_set_autoselect(selection.ref(), 0)
        gtk_single_selection_set_can_unselect(selection.ref(), 1)
        let factory = Ref(gtk_signal_list_item_factory_new())
        factory.on("setup") { [unowned self] arguments in
            guard let item = arguments.object(at: 0) else { return }
            let row = ConversationRowView { [unowned self] in controller.send(.choose($0)) }
            rows[item] = row
            gtk_list_item_set_child(item(), row.root())
        }
        factory.on("bind") { [unowned self] arguments in
            guard let item = arguments.object(at: 0), let key = Self.conversationKey(of: item) else { return }
            if let row = controller.state.row(for: key) { rows[item]?.show(row) }
        }
        factory.on("unbind") { [unowned self] arguments in
            if let item = arguments.object(at: 0) { rows[item]?.clear() }
        }
        factory.on("teardown") { [unowned self] arguments in
            if let item = arguments.object(at: 0) { rows[item] = nil }
        }
        gtk_list_view_set_factory(view(), factory())
        gtk_list_view_set_model(view(), selection.ref())
        view.on("activate") { [unowned self] arguments in
            let keys = controller.state.rowKeys
            let index = Int(arguments.uint(at: 0))
            if keys.indices.contains(index) { controller.send(.choose(keys[index])) }
        }
    }

    func applySplice(_ splice: Splice<ConversationKey>) {
        var words: [UnsafePointer<CChar>?] =
            splice.added.map { UnsafePointer(g_strdup($0.modelText)) } + [nil]
        defer { for word in words { g_free(UnsafeMutableRawPointer(mutating: word)) } }
        gtk_string_list_splice(model(), guint(splice.at), guint(splice.removed), &words)
    }

    func refreshRow(for key: ConversationKey) {
        guard let row = controller.state.row(for: key) else { return }
        for view in rows.values where view.key == key { view.show(row) }
    }

    private static func conversationKey(of item: Ref) -> ConversationKey? {
        guard let object = Ref(orNil: gtk_list_item_get_item(item())),
            let text = gtk_string_object_get_string(object())
        else { return nil }
        return ConversationKey(modelText: String(cString: text))
    }

    /// Selects the row of the open conversation without scrolling.
    private func updateSelection(from state: InboxState) {
        let index = state.chosen.flatMap { key in
            key.modelText == selectedText ? nil : state.rowKeys.firstIndex(of: key).map { guint($0) }
        }
        if let index {
            gtk_single_selection_set_selected(selection.ref(), index)
        } else if state.chosen == nil, selectedText != nil {
            gtk_single_selection_set_selected(selection.ref(), guint.max)
        }
    }

    private var selectedText: String? {
        Ref(orNil: gtk_single_selection_get_selected_item(selection.ref())).flatMap { item in
            gtk_string_object_get_string(item()).map { String(cString: $0) }
        }
    }
}

extension ConversationKey {
    /// The key as a string. The separator is a line break, which account names do not contain.
    fileprivate var modelText: String { account + "\n" + conversation }

    fileprivate init?(modelText: String) {
        guard let end = modelText.firstIndex(of: "\n") else { return nil }
        self.init(
            account: String(modelText[..<end]),
            conversation: String(modelText[modelText.index(after: end)...]))
    }
}

// MARK: - Rendering

extension ListPane {
    func render(_ state: InboxState) {
        banner.render(state)
        filter.render(state)
        updateSelection(from: state)
        let now = state.listView
        interface["compose"].isVisible = state.canStartConversation
        show(MainMenu(state))
        guard now != shown || state.role != reader else { return }
        (shown, reader) = (now, state.role)
        show(now, state: state)
        updateResultDescription()
    }

    /// Describes the results in the accessible description of the search field, because the search field
    /// keeps the focus.
    private func updateResultDescription() {
        let description =
            switch shown {
            case .results: results.description
            case .noResults, .noConversation: localized("No Results Found")
            default: ""
            }
        guard description != resultDescription else { return }
        resultDescription = description
        interface["search"].setAccessibleDescription(description)
    }

    private func show(_ list: ListView, state: InboxState) {
        // Stop the spinner when it is hidden, because a spinning spinner keeps the frame clock running.
        var isSpinning = false
        var page = "message"
        switch list {
        case .loading, .searching:
            (page, isSpinning) = ("loading", true)
        case .conversations(_, let isTruncated):
            page = "conversations"
            interface["omission"].isVisible = isTruncated
        case .results(let hits, let isTruncated):
            page = "results"
            interface["results-omission"].isVisible = isTruncated
            results.show(hits)
        case .empty where !isSinglePane: page = "blank"
        case .empty, .noMatches, .noResults, .noConversation, .failed: showMessage(for: list, state: state)
        }
        gtk_spinner_set_spinning(spinner(), isSpinning ? 1 : 0)
        gtk_stack_set_visible_child_name(stack(), page)
    }

    private func showMessage(for list: ListView, state: InboxState) {
        switch list {
        case .empty:
            showStatusPage(
                icon: "conversation-symbolic", title: localized("No Conversations Yet"),
                description: RoleDependentText.emptyList.text(for: state.role),
                buttonLabel: state.canStartConversation ? localized("_Write Feedback") : nil
            ) { [controller] in controller.send(.form(.open)) }
        case .noMatches:
            showStatusPage(
                icon: "edit-find-symbolic", title: localized("No Results Found"),
                description: localized("No conversation matches the filter."),
                buttonLabel: localized("Show _All")
            ) { [controller] in controller.send(.filter(ListFilter())) }
        case .noResults(let words):
            showStatusPage(
                icon: "edit-find-symbolic", title: localized("No Results Found"),
                description: localized("No message contains “{words}”.", ["words": words]), buttonLabel: nil
            ) {}
        case .noConversation(let words):
            showStatusPage(
                icon: "edit-find-symbolic", title: localized("No Results Found"),
                description: localized("No conversation matches “{words}”.", ["words": words]),
                buttonLabel: nil
            ) {}
        case .failed(let sentence):
            showStatusPage(
                icon: "dialog-warning-symbolic", title: localized("Loading Failed"), description: sentence,
                buttonLabel: nil
            ) {}
        default: break
        }
    }

    private func showStatusPage(
        icon: String, title: String, description: String, buttonLabel: String?, _ action: @escaping () -> Void
    ) {
        let page = interface["message"]
        adw_status_page_set_icon_name(page(), icon)
        adw_status_page_set_title(page(), title)
        adw_status_page_set_description(page(), TextRun.markup(of: [TextRun(description)]))
        interface["message-button"].isVisible = buttonLabel != nil
        if let buttonLabel { gtk_button_set_label(interface["message-button"](), buttonLabel) }
        messageAction = action
    }
}

// MARK: - The main menu

extension ListPane {
    private func show(_ menu: MainMenu) {
        guard menu != shownMenu else { return }
        shownMenu = menu
        let pages = interface["pages"]
        g_menu_remove_all(pages())
        for entry in menu.entries {
            switch entry {
            case .page(let id): Self.addMenuItem(forPage: id, to: pages)
            case .resume:
                g_menu_append(pages(), localized("_Resume Notifications"), "win.resume")
            case .staff(let ids):
                let submenu = Ref(g_menu_new())
                for id in ids { Self.addMenuItem(forPage: id, to: submenu) }
                g_menu_append_submenu(pages(), localized("S_upport"), submenu())
                g_object_unref(submenu.raw)
            }
        }
    }

    private static func addMenuItem(forPage id: String, to menu: Ref) {
        guard let title = PageKind.find(withID: id)?.menuTitle else { return }
        g_menu_append(menu(), title, "win.page::" + id)
    }
}

// MARK: - Search

extension ListPane {
    private func configureSearch() {
        let (bar, entry, button) = (interface["search-bar"], interface["search"], interface["search-button"])
        gtk_search_bar_connect_entry(bar(), entry())
        entry.repeatFocusEventWhenDisplayed()
        entry.on("changed") { [unowned self] _ in
            results.selectFirstResult()
            updateResultDescription()
        }
        enableArrowKeySelection(in: entry)
        entry.on("search-changed") { [unowned self] _ in
            controller.send(.search(String(cString: gtk_editable_get_text(entry()))))
        }
        entry.on("activate") { [unowned self] _ in
            // Pass the text, because the last change of the text may not have been reported yet.
            if isSelectingConversation {
                if results.openSelection() { return }
                return controller.send(.openFirstMatch(entry.enteredText))
            }
            focusFirstResult()
        }
        button.on("toggled") { _ in
            gtk_search_bar_set_search_mode(bar(), gtk_toggle_button_get_active(button()))
        }
        bar.onChange(of: "search-mode-enabled") { [unowned self] in
            let isOn = gtk_search_bar_get_search_mode(bar())
            gtk_toggle_button_set_active(button(), isOn)
            // Clear the search when the search bar is closed, so that the list appears.
            guard isOn == 0 else { return }
            gtk_editable_set_text(entry(), "")
            setSearchMode(selectsConversation: false)
        }
    }

    /// Makes Up and Down select a result while the field has the focus. If the field searches messages, Down
    /// moves the focus to the results instead.
    private func enableArrowKeySelection(in entry: Ref) {
        // The field passes a key on only after its input method has ignored the key.
        guard let keys = gtk_event_controller_key_new().map({ Ref($0) }) else { return }
        keys.onSignalReturningBool("key-pressed") { [unowned self] arguments in
            let distance: Int
            switch Int32(bitPattern: arguments.uint(at: 0)) {
            case GDK_KEY_Down, GDK_KEY_KP_Down: distance = 1
            case GDK_KEY_Up, GDK_KEY_KP_Up: distance = -1
            default: return false
            }
            guard isSelectingConversation else { return distance > 0 && focusFirstResult() }
            results.moveSelection(by: distance)
            updateResultDescription()
            return true
        }
        gtk_widget_add_controller(entry(), keys())
    }

    /// Moves the focus to the first result. Returns whether the focus moved.
    @discardableResult
    private func focusFirstResult() -> Bool {
        gtk_widget_child_focus(interface["results"](), GTK_DIR_TAB_FORWARD) != 0
    }
}
