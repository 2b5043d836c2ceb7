import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    static var outbox: PageKind {
        PageKind(id: "outbox", title: localized("Outbox"), menuTitle: localized("_Outbox"), needs: .daemon) {
            OutboxPage($0.controller)
        }
    }
}

/// The page of queued and failed messages.
final class OutboxPage: Page {
    let root: Ref
    private let list: Ref
    private let controller: InboxController
    private var rows: [OutboxRowView] = []

    init(_ controller: InboxController) {
        let interface = WidgetTemplate(PackageResources.outbox_ui)
        (root, list) = (interface["stack"], interface["list"])
        self.controller = controller
    }

    func render(_ state: InboxState) {
        let items = state.outbox
        for (index, item) in items.enumerated() where index >= rows.count || rows[index].item != item {
            // Update an existing row instead of replacing it, because the row may have the focus.
            if index < rows.count, rows[index].item.id == item.id {
                rows[index].show(item)
            } else {
                removeRows(startingAt: index)
                addRow(item)
            }
        }
        removeRows(startingAt: items.count)
        gtk_stack_set_visible_child_name(root(), items.isEmpty ? "none" : "items")
    }

    private func addRow(_ item: OutboxRow) {
        let row = OutboxRowView(item) { [unowned self] in controller.send($0) }
        rows.append(row)
        gtk_list_box_append(list(), row.root())
    }

    private func removeRows(startingAt index: Int) {
        for row in rows.dropFirst(index) { gtk_list_box_remove(list(), row.root()) }
        rows.removeSubrange(min(index, rows.count)...)
    }
}

/// A row for an outbox item.
private final class OutboxRowView {
    let root: Ref
    private let interface: WidgetTemplate
    private(set) var item: OutboxRow

    init(_ item: OutboxRow, send: @escaping (Input) -> Void) {
        interface = WidgetTemplate(PackageResources.outbox_row_ui)
        root = interface["row"]
        self.item = item
        interface["retry"].on("clicked") { _ in send(.retry(outboxId: item.id)) }
        interface["cancel"].on("clicked") { _ in send(.cancel(outboxId: item.id)) }
        show(item)
    }

    func show(_ item: OutboxRow) {
        self.item = item
        interface["title"].text = [item.title, item.account].compactMap(\.self).joined(separator: " · ")
        interface["time"].text = item.time
        let note = item.isNote ? localized("Internal note") + ": " : ""
        interface["message"].text = note + item.text
        interface["delivery-state"].text = deliveryState
        interface["delivery-state"].setCSSClass("error", isSet: isFailed)
        // The button is disabled only during an attempt, which takes milliseconds while offline. "Cancel
        // Sending" stays enabled, because the daemon accepts a cancellation during an attempt.
        interface["retry"].isSensitive = item.deliveryState != .sending
        root.setAccessibleLabel([item.title, item.text, item.time, deliveryState].joined(separator: ", "))
    }

    private var isFailed: Bool { if case .failed = item.deliveryState { true } else { false } }

    private var deliveryState: String {
        switch item.deliveryState {
        case .sending: localized("Sending…")
        case .sent: localized("Sent")
        case .waiting(let reason):
            reason.map {
                localized("Queued: {reason}", ["reason": $0])
            }
                ?? localized("Queued")
        case .failed(let reason): localized("Not sent: {reason}", ["reason": reason])
        }
    }
}
