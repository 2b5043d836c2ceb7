import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText

/// A row widget in the list of conversations, which GTK reuses for different conversations.
final class ConversationRowView {
    let root: Ref
    private let (title, time, mark, preview): (Ref, Ref, Ref, Ref)
    private let (unread, muted, tags): (Ref, Ref, Ref)
    private var shown: ConversationRow?
    private var accessibleText: String?
    private var isNamed = false
    private let open: (ConversationKey) -> Void

    /// - Parameter open: called when the user opens the conversation.
    init(open: @escaping (ConversationKey) -> Void) {
        let interface = WidgetTemplate(PackageResources.row_ui)
        root = interface["row"]
        (title, time, mark) = (interface["title"], interface["time"], interface["mark"])
        (preview, unread, tags) = (interface["preview"], interface["unread"], interface["tags"])
        muted = interface["muted"]
        self.open = open
        let click = Ref(gtk_gesture_click_new())
        gtk_widget_add_controller(root(), click())
        click.on("released") { [unowned self] _ in openShownConversation() }
        // Hide the labels from screen readers, because the accessible label of the surrounding GTK widget
        // contains their text.
        root.hideFromScreenReaders()
    }

    /// Sets the accessible label of the surrounding GTK widget, which screen readers use, and adds the action
    /// that opens the conversation.
    private func bind(toItem item: Ref, accessibleText: String) {
        if !isNamed {
            isNamed = true
            NamedAction("open", in: ActionGroup("conversation", of: item).ref) { [unowned self] in
                openShownConversation()
            }
        }
        guard accessibleText != self.accessibleText else { return }
        self.accessibleText = accessibleText
        item.setAccessibleLabel(accessibleText)
    }

    private func openShownConversation() { if let shown { open(shown.key) } }

    var key: ConversationKey? { shown?.key }

    func clear() { shown = nil }

    func show(_ row: ConversationRow) {
        guard row != shown else { return }
        let before = shown
        shown = row
        title.text = row.title
        time.text = row.time
        showPreview(of: row)
        let isUnread = row.unread > 0 || row.isMarkedUnread
        unread.isVisible = isUnread
        if isUnread { unread.text = row.unread > 99 ? "99+" : row.unread > 0 ? "\(row.unread)" : "•" }
        root.setCSSClass("unread", isSet: isUnread)
        muted.isVisible = row.isMuted
        root.setCSSClass("ended", isSet: row.hasEnded)
        showMark(of: row)
        if before?.tags != row.tags || before?.account != row.account || before?.priority != row.priority
            || before?.waiting != row.waiting || before?.snoozed != row.snoozed
        {
            showTags(of: row)
        }
        if let item = root.parent { bind(toItem: item, accessibleText: row.accessibleText) }
    }

    private func showPreview(of row: ConversationRow) {
        guard let draft = row.draft else { return preview.text = row.lastMessage }
        // Translators: Before the beginning of an unsent message, in the list of conversations.
        let runs = [TextRun(localized("Draft:"), style: .strong), TextRun(" " + draft)]
        gtk_label_set_markup(preview(), TextRun.markup(of: runs))
    }

    private func showMark(of row: ConversationRow) {
        let icon: String? =
            switch row.mark {
            case .failed: "dialog-warning-symbolic"
            case .queued: "document-open-recent-symbolic"
            case nil: nil
            }
        mark.isVisible = icon != nil
        if let icon { gtk_image_set_from_icon_name(mark(), icon) }
        mark.setCSSClass("error", isSet: row.mark == .failed)
    }

    private func showTags(of row: ConversationRow) {
        for child in tags.children { gtk_box_remove(tags(), child()) }
        if let priority = row.priority {
            gtk_box_append(tags(), Self.makeLabel(priority, "error", "caption-heading")())
        }
        if let waiting = row.waiting {
            gtk_box_append(tags(), Self.makeLabel(waiting, "caption", "dim-label")())
        }
        if let snoozed = row.snoozed {
            gtk_box_append(tags(), Self.makeLabel(snoozed, "caption", "dim-label")())
        }
        for tag in row.tags { gtk_box_append(tags(), TagChip.makeTagLabel(for: tag)()) }
        if let account = row.account {
            gtk_box_append(tags(), Self.makeLabel(account, "caption", "dim-label")())
        }
        tags.isVisible = !tags.children.isEmpty
    }

    private static func makeLabel(_ text: String, _ classes: String...) -> Ref {
        let label = Ref(gtk_label_new(text))
        gtk_label_set_ellipsize(label(), PANGO_ELLIPSIZE_END)
        for name in classes { gtk_widget_add_css_class(label(), name) }
        return label
    }
}

/// Creates labels that show tags in their colors.
enum TagChip {
    /// The maximum number of colors with a style rule. Tags in further colors look like tags without a color.
    private static let maxChips = 64
    private static var colours: Set<String> = []

    static func makeTagLabel(for tag: TagLabel) -> Ref {
        let label = Ref(gtk_label_new(tag.name))
        gtk_label_set_ellipsize(label(), PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(label(), 16)
        gtk_widget_add_css_class(label(), "tag")
        if let colour = tag.colour, let name = findOrInstallStyleClass(for: colour) {
            gtk_widget_add_css_class(label(), name)
        }
        return label
    }

    private static func findOrInstallStyleClass(for colour: TagLabel.Colour) -> String? {
        let name = "tag-" + colour.text.dropFirst()
        if colours.contains(name) { return name }
        guard colours.count < maxChips else { return nil }
        colours.insert(name)
        let ink = colour.isLight ? "black" : "white"
        Style.installStyle(Array(".tag.\(name) { background-color: \(colour.text); color: \(ink); }".utf8))
        return name
    }
}
