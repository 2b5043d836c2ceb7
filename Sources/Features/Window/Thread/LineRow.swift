import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText

/// A line of a conversation as a list row. Created in code, because building a hundred `.ui` files is too
/// slow.
struct LineRow {
    let root: Ref
    let line: ThreadLine

    /// The handlers for the user's actions on a line.
    struct Handlers {
        var openLink: (String) -> Void
        var copy: (ThreadLine.ID) -> Void
        var retry: (String) -> Void
        var cancel: (String) -> Void
        /// Returns the path of the cached picture for an address; `nil` if it is not cached.
        var picture: (String) -> String?
    }

    init(_ line: ThreadLine, handlers: Handlers) {
        self.line = line
        root = Ref(gtk_list_box_row_new())
        gtk_list_box_row_set_activatable(root(), 0)
        let content =
            switch line.content {
            case .day(let text): Self.makeSeparator(text, widgetName: "day")
            case .unread(let text): Self.makeSeparator(text, widgetName: "unread-line")
            case .system(let text, let time): Self.makeSystemLine(text, time: time)
            case .bubble(let bubble): BubbleView(bubble, id: line.id, handlers: handlers).root
            }
        gtk_list_box_row_set_child(root(), content())
        root.setAccessibleLabel(line.accessibleText)
        let group = ActionGroup("line", of: root).ref
        NamedAction("copy", in: group) { handlers.copy(line.id) }
        let keys = Ref(gtk_shortcut_controller_new())
        gtk_shortcut_controller_add_shortcut(
            keys(),
            gtk_shortcut_new(
                gtk_shortcut_trigger_parse_string("<Control>c"), gtk_named_action_new("line.copy")))
        gtk_widget_add_controller(root(), keys())
    }

    private static func makeSeparator(_ text: String, widgetName: String) -> Ref {
        let box = Ref(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12))
        for place in 0..<3 {
            let part =
                place == 1 ? Ref(gtk_label_new(text)) : Ref(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
            if place != 1 {
                gtk_widget_set_hexpand(part(), 1)
                gtk_widget_set_valign(part(), GTK_ALIGN_CENTER)
            }
            gtk_box_append(box(), part())
        }
        for name in ["separator-line", widgetName] { gtk_widget_add_css_class(box(), name) }
        // Hide the box from screen readers, because the accessible label of the row contains the text.
        box.hideFromScreenReaders()
        return box
    }

    private static func makeSystemLine(_ text: String, time: String) -> Ref {
        let label = Ref(gtk_label_new("\(text) · \(time)"))
        label.wrapText(atColumn: 60)
        gtk_label_set_justify(label(), GTK_JUSTIFY_CENTER)
        for name in ["system-line", "dim-label", "caption"] { gtk_widget_add_css_class(label(), name) }
        label.hideFromScreenReaders()
        return label
    }
}

/// The widgets of a message by a user or a support member.
struct BubbleView {
    let root: Ref
    private let bubble: ThreadLine.Bubble
    private let id: ThreadLine.ID
    private let handlers: LineRow.Handlers

    init(_ bubble: ThreadLine.Bubble, id: ThreadLine.ID, handlers: LineRow.Handlers) {
        (self.bubble, self.id, self.handlers) = (bubble, id, handlers)
        root = bubble.isOwn ? ColumnLayout.makeEndAligned() : ColumnLayout.makeStartAligned()
        for name in ["bubble-line", bubble.isOwn ? "own" : "other"] { root.setCSSClass(name, isSet: true) }
        root.setCSSClass("continues", isSet: bubble.continues)
        for part in makeParts() { gtk_box_append(root(), part()) }
    }

    /// Returns the avatar, unless the message is the user's own, followed by the widgets next to the
    /// avatar from top to bottom.
    private func makeParts() -> [Ref] {
        let isNamed = !bubble.isOwn || bubble.isNote || bubble.isColleague
        let name = bubble.continues || !isNamed ? nil : self.makeNameLabel()
        let deliveryState = makeDeliveryStateWidgets()
        let avatar = bubble.isOwn ? nil : makeAvatar()
        // Hide these widgets from screen readers, because the accessible label of the row contains their
        // text. Do not hide the text of the message, because screen readers can open its links and read it
        // word by word.
        for part in [avatar, name, deliveryState?.text] { part?.hideFromScreenReaders() }
        return [avatar, name, makeFrame(), deliveryState?.text, deliveryState?.buttons].compactMap(\.self)
    }

    private func makeAvatar() -> Ref {
        let avatar = Ref(adw_avatar_new(32, bubble.sender, 1))
        if bubble.continues {
            gtk_widget_set_opacity(avatar(), 0)
        } else if let path = bubble.avatarUrl.flatMap(handlers.picture) {
            showAvatar(at: path, in: avatar)
        }
        return avatar
    }

    private func showAvatar(at path: String, in avatar: Ref) {
        guard let texture = gdk_texture_new_from_filename(path, nil) else { return }
        adw_avatar_set_custom_image(avatar(), texture)
        g_object_unref(Ref(texture).raw)
    }

    private func makeNameLabel() -> Ref {
        let text =
            bubble.isNote
            ? localized("Internal note · {sender}", ["sender": bubble.sender]) : bubble.sender
        let name = Ref(gtk_label_new(text))
        gtk_label_set_xalign(name(), bubble.isOwn ? 1 : 0)
        gtk_label_set_ellipsize(name(), PANGO_ELLIPSIZE_END)
        for style in ["caption-heading", "sender"] { gtk_widget_add_css_class(name(), style) }
        return name
    }

    private func makeFrame() -> Ref {
        let frame = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 2))
        for name in ["bubble", bubble.isOwn ? "own" : "other"] { frame.setCSSClass(name, isSet: true) }
        frame.setCSSClass("note", isSet: bubble.isNote)
        frame.setCSSClass("highlighted", isSet: bubble.isHighlighted)
        gtk_box_append(frame(), makeTextLabel()())
        gtk_box_append(frame(), makeTimeLabel()())
        return frame
    }

    private func makeTextLabel() -> Ref {
        let label = Ref(gtk_label_new(nil))
        gtk_label_set_markup(label(), TextRun.markup(of: bubble.runs))
        gtk_label_set_xalign(label(), 0)
        label.wrapText(atColumn: 60)
        gtk_label_set_selectable(label(), 1)
        label.onSignalReturningBool("activate-link") { [handlers] arguments in
            if let link = arguments.string(at: 0) { handlers.openLink(link) }
            return true
        }
        gtk_label_set_extra_menu(label(), Self.menu.ref())
        return label
    }

    /// The additional items in GTK's context menu of the message text.
    private static let menu: Retained = {
        let menu = Ref(g_menu_new())
        g_menu_append(menu(), localized("Copy _Message"), "line.copy")
        return Retained(adopting: menu)
    }()

    private func makeTimeLabel() -> Ref {
        let label = Ref(gtk_label_new(bubble.time))
        gtk_label_set_xalign(label(), 1)
        for name in ["time", "numeric"] { gtk_widget_add_css_class(label(), name) }
        label.hideFromScreenReaders()
        return label
    }

    /// Returns the delivery state of the user's own message, and the buttons for this state; `nil` if the
    /// message was sent.
    private func makeDeliveryStateWidgets() -> (text: Ref, buttons: Ref?)? {
        let (text, style): (String, String)
        switch bubble.deliveryState {
        case nil, .sent: return nil
        case .sending: (text, style) = (localized("Sending…"), "dim-label")
        case .waiting(let reason):
            (text, style) = (
                reason.map { localized("Queued: {reason}", ["reason": $0]) }
                    ?? localized("Queued"), "dim-label"
            )
        case .failed(let reason):
            (text, style) = (
                localized("Not sent: {reason}", ["reason": reason]), "error"
            )
        }
        let label = Ref(gtk_label_new(text))
        label.wrapText(atColumn: 50)
        gtk_label_set_xalign(label(), 1)
        for name in ["caption", style] { gtk_widget_add_css_class(label(), name) }
        guard let id = bubble.outboxId else { return (label, nil) }
        let buttons = Ref(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6))
        if bubble.deliveryState != .sending {
            gtk_box_append(
                buttons(), makeButton(localized("Try Again")) { [handlers] in handlers.retry(id) }())
        }
        gtk_box_append(
            buttons(), makeButton(localized("Cancel Sending")) { [handlers] in handlers.cancel(id) }())
        return (label, buttons)
    }

    private func makeButton(_ text: String, _ body: @escaping () -> Void) -> Ref {
        let button = Ref(gtk_button_new_with_label(text))
        gtk_widget_set_valign(button(), GTK_ALIGN_CENTER)
        for name in ["flat", "caption-heading", "delivery-state"] { gtk_widget_add_css_class(button(), name) }
        button.on("clicked") { _ in body() }
        return button
    }
}
