import Gtk
import InboxModel
import Libadwaita
import Localization

/// The filter menu: view, unread, account and tag. The choices are created when the menu opens.
final class FilterPopover {
    private let (button, summary, box): (Ref, Ref, Ref)
    private let controller: InboxController
    private var shown: ListFilter?

    /// - Parameter summary: the label below the title of the button, which displays the current filter.
    init(button: Ref, summary: Ref, controller: InboxController) {
        (self.button, self.summary, self.controller) = (button, summary, controller)
        box = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6))
        gtk_widget_add_css_class(box(), "filter")
        let popover = Ref(gtk_popover_new())
        let scroll = Ref(gtk_scrolled_window_new())
        gtk_scrolled_window_set_policy(scroll(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(scroll(), 1)
        gtk_scrolled_window_set_max_content_height(scroll(), 480)
        gtk_scrolled_window_set_child(scroll(), box())
        gtk_popover_set_child(popover(), scroll())
        gtk_menu_button_set_popover(button(), popover())
        button.beforeMenuOpens { [unowned self] in rebuildChoices() }
    }

    func render(_ state: InboxState) {
        guard state.filter != shown else { return }
        shown = state.filter
        let text = Self.summaryText(of: state.filter, state: state)
        summary.text = text
        summary.isVisible = !text.isEmpty
        gtk_widget_set_tooltip_text(button(), text.isEmpty ? localized("Filter") : text)
        button.children.first?.setAccessibleDescription(text)
    }

    /// Returns a description of the filter; empty if the list shows all conversations.
    private static func summaryText(of filter: ListFilter, state: InboxState) -> String {
        let parts = [
            filter.view?.title, filter.unreadOnly ? localized("Unread") : nil,
            filter.account.map(state.title(of:)), filter.tag,
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    private func rebuildChoices() {
        for child in box.children { gtk_box_remove(box(), child()) }
        let state = controller.state
        let views = state.inboxViews.map { (value: $0.view, title: $0.title) }
        addChoices(title: localized("View"), choices: views, selectedValue: state.filter.view) {
            $0.view = $1
        }
        let unread = Ref(gtk_check_button_new_with_label(localized("Unread Only")))
        gtk_check_button_set_active(unread(), state.filter.unreadOnly ? 1 : 0)
        unread.on("toggled") { [unowned self] _ in
            updateFilter { $0.unreadOnly = gtk_check_button_get_active(unread()) != 0 }
        }
        gtk_box_append(box(), unread())
        if state.accounts.count > 1 {
            let accounts = state.accounts.map { (value: $0, title: state.title(of: $0)) }
            addChoices(title: localized("Account"), choices: accounts, selectedValue: state.filter.account) {
                $0.account = $1
            }
        }
        let tags = state.tagNames.map { (value: $0, title: $0) }
        addChoices(title: localized("Tag"), choices: tags, selectedValue: state.filter.tag) { $0.tag = $1 }
    }

    private func addChoices<Value: Equatable>(
        title: String, choices: [(value: Value, title: String)], selectedValue: Value?,
        _ set: @escaping (inout ListFilter, Value?) -> Void
    ) {
        guard !choices.isEmpty else { return }
        let heading = Ref(gtk_label_new(title))
        gtk_label_set_xalign(heading(), 0)
        gtk_widget_add_css_class(heading(), "heading")
        heading.hideFromScreenReaders()
        gtk_box_append(box(), heading())
        let group = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6))
        group.becomeAccessibleGroup(named: title)
        gtk_box_append(box(), group())
        var first: Ref?
        for option in [nil] + choices.map(Optional.some) {
            let choice = Ref(gtk_check_button_new_with_label(option?.title ?? localized("All")))
            if let first { gtk_check_button_set_group(choice(), first()) } else { first = choice }
            gtk_check_button_set_active(choice(), option?.value == selectedValue ? 1 : 0)
            choice.on("toggled") { [unowned self] _ in
                guard gtk_check_button_get_active(choice()) != 0 else { return }
                updateFilter { set(&$0, option?.value) }
            }
            gtk_box_append(group(), choice())
        }
    }

    private func updateFilter(_ body: (inout ListFilter) -> Void) {
        var filter = controller.state.filter
        body(&filter)
        controller.send(.filter(filter))
    }
}
