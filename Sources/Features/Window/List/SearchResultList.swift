import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText

/// The list of search results. A click opens the conversation of a message or the page of services.
final class SearchResultList {
    private let list: Ref
    private let controller: InboxController
    private let showPage: (String) -> Void
    private var shown: [SearchHit] = []
    /// Whether one result is selected while the search field has the focus.
    private var hasSelection = false

    init(_ list: Ref, controller: InboxController, showPage: @escaping (String) -> Void) {
        (self.list, self.controller, self.showPage) = (list, controller, showPage)
        list.on("row-activated") { [unowned self] arguments in
            guard let row = arguments.object(at: 0) else { return }
            let index = Int(gtk_list_box_row_get_index(row()))
            if shown.indices.contains(index) { openHit(shown[index]) }
        }
    }

    private func openHit(_ hit: SearchHit) {
        guard let key = hit.key else { return showPage("apps") }
        controller.send(
            .open(conversation: key.conversation, account: key.account, message: hit.messageId))
    }

    /// Sets whether one result is selected while the search field has the focus.
    func setHasSelection(_ hasSelection: Bool) {
        guard hasSelection != self.hasSelection else { return }
        self.hasSelection = hasSelection
        gtk_list_box_set_selection_mode(list(), hasSelection ? GTK_SELECTION_BROWSE : GTK_SELECTION_NONE)
        selectFirstResult()
    }

    /// The index of the selected result; `nil` if no result is selected.
    private var selectedIndex: Int? {
        guard hasSelection, let row = Ref(orNil: gtk_list_box_get_selected_row(list())) else { return nil }
        let index = Int(gtk_list_box_row_get_index(row()))
        return shown.indices.contains(index) ? index : nil
    }

    /// The description of the results for screen readers: the selected result with its position, or the
    /// number of results.
    var description: String {
        guard let index = selectedIndex else {
            return localized(one: "{count} result", other: "{count} results", count: shown.count)
        }
        return positionText(of: Self.accessibleText(for: shown[index]), index: index, count: shown.count)
    }

    func selectFirstResult() { if hasSelection, !shown.isEmpty { selectRow(at: 0) } }

    /// Selects the result that is `distance` rows below the selected result.
    func moveSelection(by distance: Int) {
        if let index = selectedIndex, shown.indices.contains(index + distance) {
            selectRow(at: index + distance)
        }
    }

    private func selectRow(at index: Int) {
        guard let row = Ref(orNil: gtk_list_box_get_row_at_index(list(), Int32(index))) else { return }
        gtk_list_box_select_row(list(), row())
        list.scrollToRow(row)
    }

    /// Opens the selected result. Returns `false` if the first result or no result is selected.
    func openSelection() -> Bool {
        guard let index = selectedIndex, index > 0 else { return false }
        openHit(shown[index])
        return true
    }

    func show(_ hits: [SearchHit]) {
        guard hits != shown else { return }
        for row in list.children { gtk_list_box_remove(list(), row()) }
        shown = hits
        for hit in hits {
            let row = Self.makeRow(for: hit)
            // Add an action that screen readers offer to the user.
            NamedAction("open", in: ActionGroup("hit", of: row).ref) { [unowned self] in openHit(hit) }
            gtk_list_box_append(list(), row())
        }
        selectFirstResult()
    }

    private static func accessibleText(for hit: SearchHit) -> String {
        [hit.title, hit.sender, hit.excerpt, hit.time].joined(separator: ", ")
    }

    private static func makeRow(for hit: SearchHit) -> Ref {
        let row = Ref(gtk_list_box_row_new())
        let box = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 2))
        gtk_widget_add_css_class(box(), "conversation")
        let head = Ref(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8))
        let title = makeLabel("", "conversation-title")
        gtk_label_set_markup(title(), TextRun.markup(of: hit.titleRuns))
        gtk_label_set_ellipsize(title(), PANGO_ELLIPSIZE_END)
        gtk_widget_set_hexpand(title(), 1)
        gtk_box_append(head(), title())
        gtk_box_append(head(), makeLabel(hit.time, "caption", "dim-label")())
        gtk_box_append(box(), head())
        let excerpt = makeLabel("")
        gtk_label_set_markup(excerpt(), TextRun.markup(of: hit.excerptRuns))
        excerpt.wrapText(atColumn: 40)
        gtk_label_set_lines(excerpt(), 3)
        gtk_label_set_ellipsize(excerpt(), PANGO_ELLIPSIZE_END)
        gtk_box_append(box(), excerpt())
        let source = [hit.sender, hit.account].compactMap(\.self).joined(separator: " · ")
        gtk_box_append(box(), makeLabel(source, "caption", "dim-label")())
        gtk_list_box_row_set_child(row(), box())
        row.setAccessibleLabel(accessibleText(for: hit))
        return row
    }

    private static func makeLabel(_ text: String, _ classes: String...) -> Ref {
        let label = Ref(gtk_label_new(text))
        gtk_label_set_xalign(label(), 0)
        for name in classes { gtk_widget_add_css_class(label(), name) }
        return label
    }
}

/// Returns the description of the item at `index` in a list of `count` items, for screen readers.
func positionText(of item: String, index: Int, count: Int) -> String {
    localized(
        "{item}, {number} of {count}", ["item": item, "number": "\(index + 1)", "count": "\(count)"])
}
