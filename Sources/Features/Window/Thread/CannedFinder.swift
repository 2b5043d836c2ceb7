import Gtk
import InboxModel
import Libadwaita

/// The list of canned responses above the composer, shown while the user types `/` and words at the start of
/// a line.
final class CannedFinder {
    private let (root, list): (Ref, Ref)
    private let text: TextBox
    private var matches: [CannedMatch] = []

    /// - Parameter root: the scrolled window that contains `list`.
    init(root: Ref, list: Ref, text: TextBox) {
        (self.root, self.list, self.text) = (root, list, text)
        list.on("row-activated") { [unowned self] arguments in
            guard let row = arguments.object(at: 0) else { return }
            insertMatch(at: Int(gtk_list_box_row_get_index(row())))
        }
    }

    private var isOpen: Bool { root.isVisible }

    /// Shows the responses that match the line with the cursor.
    ///
    /// - Parameter findMatches: returns the matches of the words after `/`.
    func showMatches(using findMatches: (String) -> [CannedMatch]) {
        let line = text.lineBeforeCursor
        let found = line.hasPrefix("/") ? findMatches(String(line.dropFirst())) : []
        if found.isEmpty { return close() }
        let wasOpen = isOpen
        root.isVisible = true
        guard found != matches || !wasOpen else { return }
        matches = found
        for row in list.children { gtk_list_box_remove(list(), row()) }
        for match in found { gtk_list_box_append(list(), Self.makeRow(for: match)()) }
        selectRow(at: 0)
    }

    func close() {
        guard isOpen else { return }
        root.isVisible = false
        text.setAccessibleDescription("")
    }

    private static func makeRow(for match: CannedMatch) -> Ref {
        let box = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 2))
        for (caption, style) in [(match.title, "heading"), (match.beginning, "dim-label")] {
            let label = Ref(gtk_label_new(caption))
            gtk_label_set_xalign(label(), 0)
            gtk_label_set_ellipsize(label(), PANGO_ELLIPSIZE_END)
            gtk_widget_add_css_class(label(), style)
            gtk_box_append(box(), label())
        }
        let row = Ref(gtk_list_box_row_new())
        gtk_list_box_row_set_child(row(), box())
        row.setAccessibleLabel(accessibleText(for: match))
        return row
    }

    private static func accessibleText(for match: CannedMatch) -> String {
        "\(match.title), \(match.beginning)"
    }

    /// Handles a key of the text field. Returns whether the finder has used the key.
    func handleKey(_ key: TextBox.Key) -> Bool {
        guard isOpen, !matches.isEmpty else { return false }
        switch key {
        case .up: selectRow(at: selected - 1)
        case .down: selectRow(at: selected + 1)
        case .enter, .tab: insertMatch(at: selected)
        case .escape: close()
        }
        return true
    }

    private var selected: Int {
        Ref(orNil: gtk_list_box_get_selected_row(list())).map { Int(gtk_list_box_row_get_index($0())) } ?? 0
    }

    private func selectRow(at index: Int) {
        guard matches.indices.contains(index), let row = gtk_list_box_get_row_at_index(list(), Int32(index))
        else { return }
        gtk_list_box_select_row(list(), row)
        // Describe the row in the text field, because the text field keeps the focus.
        text.setAccessibleDescription(
            positionText(of: Self.accessibleText(for: matches[index]), index: index, count: matches.count))
        list.scrollToRow(Ref(row))
    }

    private func insertMatch(at index: Int) {
        guard matches.indices.contains(index) else { return }
        let match = matches[index]
        close()
        text.replaceLineBeforeCursor(with: match.text, selecting: match.firstPlaceholder)
    }
}
