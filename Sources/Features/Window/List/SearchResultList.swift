import Gtk
import InboxModel
import Libadwaita
import MessageText

/// The list of search results. A click opens the conversation of a message or the page of services.
final class SearchResultList {
    private let list: Ref
    private let controller: InboxController
    private let showPage: (String) -> Void
    private var shown: [SearchHit] = []

    init(_ list: Ref, _ controller: InboxController, showPage: @escaping (String) -> Void) {
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

    func show(_ hits: [SearchHit]) {
        guard hits != shown else { return }
        for row in list.children { gtk_list_box_remove(list(), row()) }
        shown = hits
        for hit in hits {
            let row = Self.makeRow(hit)
            // Add an action that screen readers offer to the user.
            NamedAction("open", in: ActionGroup("hit", of: row).ref) { [unowned self] in openHit(hit) }
            gtk_list_box_append(list(), row())
        }
    }

    private static func makeRow(_ hit: SearchHit) -> Ref {
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
        excerpt.wrapText(at: 40)
        gtk_label_set_lines(excerpt(), 3)
        gtk_label_set_ellipsize(excerpt(), PANGO_ELLIPSIZE_END)
        gtk_box_append(box(), excerpt())
        let source = [hit.sender, hit.account].compactMap(\.self).joined(separator: " · ")
        gtk_box_append(box(), makeLabel(source, "caption", "dim-label")())
        gtk_list_box_row_set_child(row(), box())
        row.setAccessibleLabel([hit.title, hit.sender, hit.excerpt, hit.time].joined(separator: ", "))
        return row
    }

    private static func makeLabel(_ text: String, _ classes: String...) -> Ref {
        let label = Ref(gtk_label_new(text))
        gtk_label_set_xalign(label(), 0)
        for name in classes { gtk_widget_add_css_class(label(), name) }
        return label
    }
}
