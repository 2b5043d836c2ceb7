import FoundationEssentials
import Gtk
import InboxModel
import Libadwaita
import Localization

/// The tools for support staff: a summary line that expands to all properties that can be changed.
final class StaffBar {
    let root: Ref
    private let controller: InboxController
    private let interface: WidgetTemplate
    private let fields: [(field: ConversationField, ref: Ref, row: ChoiceRow<String>)]
    private let assignee: ChoiceRow<AssigneeItem>
    private let (tag, admin): (Ref, Ref)
    private var shown: StaffTools?
    private var userRows: [Ref] = []

    /// An item of the assignee row.
    private enum AssigneeItem: Hashable {
        case to(Assignee)
        /// Another support member, whose ID the user types.
        case another
    }

    init(_ controller: InboxController) {
        self.controller = controller
        interface = WidgetTemplate(PackageResources.staff_ui)
        root = interface["staff"]
        let rows: [(ConversationField, String)] = [
            (.status, "status"), (.priority, "priority"), (.category, "category"),
        ]
        let interface = interface
        fields = rows.map { ($0, interface[$1], ChoiceRow(interface[$1])) }
        assignee = ChoiceRow(interface["assignee"])
        (tag, admin) = (interface["tag"], interface["admin"])
        connectSignals()
    }

    private func connectSignals() {
        let (toggle, revealer) = (interface["toggle"], interface["revealer"])
        toggle.on("toggled") { _ in
            gtk_revealer_set_reveal_child(revealer(), gtk_toggle_button_get_active(toggle()))
        }
        for (field, _, row) in fields {
            row.onChoice { [unowned self] in performStaffAction(.set(field, $0)) }
        }
        assignee.onChoice { [unowned self] in assignConversation(to: $0) }
        interface["assign-to-me"].on("clicked") { [unowned self] _ in performStaffAction(.assign(.me)) }
        tag.on("apply") { [unowned self] _ in
            let name = tag.enteredText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !name.isEmpty { performStaffAction(.tag(name)) }
            gtk_editable_set_text(tag(), "")
        }
        admin.on("apply") { [unowned self] _ in
            let id = admin.enteredText.filter { !$0.isWhitespace }
            if !id.isEmpty { performStaffAction(.assign(.admin(id))) }
            gtk_editable_set_text(admin(), "")
            admin.isVisible = false
        }
    }

    /// Moves the focus to the field for a new tag.
    func focusTagEntry() {
        gtk_toggle_button_set_active(interface["toggle"](), 1)
        tag.grabFocus()
    }

    private func performStaffAction(_ action: StaffAction) {
        controller.send(.staff(.change(action, key: UUID().uuidString.lowercased())))
    }

    private func assignConversation(to assignee: AssigneeItem) {
        guard case .to(let somebody) = assignee else {
            admin.isVisible = true
            admin.grabFocus()
            return
        }
        admin.isVisible = false
        performStaffAction(.assign(somebody))
    }
}

// MARK: - Rendering

extension StaffBar {
    /// Updates the tools. `tools`: `nil` if the account is not a support account; the bar is then hidden.
    func render(_ tools: StaffTools?) {
        root.isVisible = tools != nil
        guard let tools, tools != shown else { return }
        let before = shown
        shown = tools
        interface["summary"].text = tools.summary
        interface["toggle"].setAccessibleLabel(
            localized("Support tools: {summary}", ["summary": tools.summary]))
        interface["assign-to-me"].isVisible =
            tools.assignee.assignee != .me && tools.admins.contains { $0.assignee == .me }
        for (field, ref, row) in fields { showChoice(tools.choices[field], of: field, in: ref, row: row) }
        showAssignee(from: tools)
        if before?.user != tools.user { showUser(tools.user) }
        if before?.key != tools.key { admin.isVisible = false }
        if before?.tags != tools.tags || before?.otherTags != tools.otherTags { showTags(from: tools) }
    }

    private func showChoice(
        _ choice: StaffTools.Choice?, of field: ConversationField, in widget: Ref, row: ChoiceRow<String>
    ) {
        let value = choice?.value ?? ""
        let values = field.values.contains(value) ? field.values : [value] + field.values
        row.show(
            values.map { (value: $0, caption: $0.isEmpty ? localized("Not set") : field.label(for: $0)) },
            selectedValue: value
        )
        adw_action_row_set_subtitle(
            widget(),
            choice?.isPending == true
                ? localized("Queued") : "")
    }

    private func showUser(_ user: UserFacts) {
        let group = interface["user"]
        for row in userRows { adw_preferences_group_remove(group(), row()) }
        userRows = user.facts.map { Self.makeRow(title: $0.label, subtitle: $0.value) }
        userRows += user.otherConversations.map { other in
            let row = Self.makeRow(title: other.title, subtitle: other.status)
            let button = Ref(gtk_button_new_from_icon_name("go-next-symbolic"))
            gtk_widget_set_valign(button(), GTK_ALIGN_CENTER)
            gtk_widget_add_css_class(button(), "flat")
            // Translators: Label of a button that opens the conversation with this title.
            button.setAccessibleLabel(localized("Open “{title}”", ["title": other.title]))
            button.on("clicked") { [unowned controller] _ in controller.send(.choose(other.key)) }
            adw_action_row_add_suffix(row(), button())
            adw_action_row_set_activatable_widget(row(), button())
            return row
        }
        for row in userRows { adw_preferences_group_add(group(), row()) }
        group.isVisible = !userRows.isEmpty
    }

    private static func makeRow(title: String, subtitle: String) -> Ref {
        let row = Ref(adw_action_row_new())
        adw_preferences_row_set_use_markup(row(), 0)
        adw_preferences_row_set_title(row(), title)
        adw_action_row_set_subtitle(row(), subtitle)
        return row
    }

    private func showAssignee(from tools: StaffTools) {
        let choices =
            tools.admins.map { (value: AssigneeItem.to($0.assignee), caption: $0.name) }
            + [(value: .another, caption: localized("Someone Else…"))]
        let known = choices.contains { $0.value == .to(tools.assignee.assignee) }
        let chosen = (value: AssigneeItem.to(tools.assignee.assignee), caption: tools.assignee.name)
        assignee.show(known ? choices : [chosen] + choices, selectedValue: .to(tools.assignee.assignee))
        adw_action_row_set_subtitle(
            interface["assignee"](), tools.isAssigneePending ? localized("Queued") : "")
    }

    private func showTags(from tools: StaffTools) {
        let (box, otherConversations) = (interface["tags"], interface["other-tags"])
        for child in box.children { gtk_flow_box_remove(box(), child()) }
        for child in otherConversations.children { gtk_flow_box_remove(otherConversations(), child()) }
        for tag in tools.tags { gtk_flow_box_insert(box(), makeTagChip(for: tag)(), -1) }
        for name in tools.otherTags.prefix(12) {
            gtk_flow_box_insert(otherConversations(), makeAddTagButton(forTag: name)(), -1)
        }
        box.isVisible = !tools.tags.isEmpty
        otherConversations.isVisible = !tools.otherTags.isEmpty
    }

    private func makeTagChip(for tag: StaffTools.TagState) -> Ref {
        let chip = Ref(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
        let label = TagChip.makeTagLabel(for: tag.label)
        if tag.isBeingRemoved { gtk_widget_set_opacity(label(), 0.5) }
        gtk_box_append(chip(), label())
        if tag.isPending {
            let isPending = Ref(gtk_image_new_from_icon_name("document-open-recent-symbolic"))
            gtk_widget_set_tooltip_text(isPending(), localized("Queued"))
            isPending.setAccessibleLabel(localized("Queued"))
            gtk_box_append(chip(), isPending())
        }
        guard !tag.isBeingRemoved else { return chip }
        let remove = Ref(gtk_button_new_from_icon_name("window-close-symbolic"))
        let caption = localized("Remove the tag “{tag}”", ["tag": tag.label.name])
        gtk_widget_set_tooltip_text(remove(), caption)
        remove.setAccessibleLabel(caption)
        for name in ["flat", "circular", "chip-button"] { gtk_widget_add_css_class(remove(), name) }
        remove.on("clicked") { [unowned self] _ in performStaffAction(.untag(tag.label.name)) }
        gtk_box_append(chip(), remove())
        return chip
    }

    private func makeAddTagButton(forTag name: String) -> Ref {
        let button = Ref(gtk_button_new_with_label("+ " + name))
        button.setAccessibleLabel(localized("Add the tag “{tag}”", ["tag": name]))
        for style in ["flat", "caption", "chip-button"] { gtk_widget_add_css_class(button(), style) }
        button.on("clicked") { [unowned self] _ in performStaffAction(.tag(name)) }
        return button
    }
}
