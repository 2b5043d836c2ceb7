import Gtk
import Libadwaita

/// Where in a thread the person looks. At its end it stays at the end, whatever grows; elsewhere what they read
/// stays where it is.
final class ThreadScroller {
    private let adjustment: Ref
    private let viewport: Ref
    private let lines: Ref
    private let onEnd: (Bool) -> Void
    private var isAtEnd = true
    /// How far from the end is what is to stay in its place, while lines come above it.
    private var heldFromEnd: Double?
    /// A row that is to be looked at as soon as it has a place.
    private var wanted: Ref?
    private var settling: Timer?
    private var placing: Timer?

    /// Pixels from the end that still count as it.
    private static let slack = 24.0

    /// `onEnd` is told when the person comes to the end, and leaves it.
    init(_ scroll: Ref, _ lines: Ref, onEnd: @escaping (Bool) -> Void) {
        adjustment = Ref(gtk_scrolled_window_get_vadjustment(scroll()))
        viewport = Ref(gtk_scrolled_window_get_child(scroll()))
        (self.lines, self.onEnd) = (lines, onEnd)
        adjustment.on("changed") { [unowned self] _ in follow() }
        adjustment.on("value-changed") { [unowned self] _ in note() }
    }

    private var upper: Double { gtk_adjustment_get_upper(adjustment()) }
    private var value: Double { gtk_adjustment_get_value(adjustment()) }
    private var page: Double { gtk_adjustment_get_page_size(adjustment()) }

    /// Lines come or go in front of what is looked at.
    func holdPlace() {
        guard !isAtEnd else { return }
        heldFromEnd = upper - value
        // Sizes are settled once nothing else is to be done.
        settling = Timer(whenIdle: { [unowned self] in heldFromEnd = nil })
    }

    func goToEnd() {
        (wanted, heldFromEnd) = (nil, nil)
        setAtEnd(true)
        gtk_adjustment_set_value(adjustment(), upper - page)
    }

    func go(to row: Ref) {
        wanted = row
        heldFromEnd = nil
        setAtEnd(false)
        settle()
    }

    /// The row goes away.
    func forget(_ row: Ref) { if wanted == row { wanted = nil } }

    /// The size of the lines or of their place is another one: they are being laid out.
    private func follow() {
        let before = value
        if wanted != nil {
            look(atLast: false)
            settle()
        } else if let heldFromEnd {
            gtk_adjustment_set_value(adjustment(), upper - heldFromEnd)
        } else if isAtEnd {
            gtk_adjustment_set_value(adjustment(), upper - page)
        }
        guard value != before else { return }
        // GTK forgets that it is to lay out anew what it is just laying out.
        placing = Timer(beforeNextFrame: { [unowned self] in gtk_widget_queue_allocate(viewport()) })
    }

    /// The wanted row has its place once nothing else is to be done. Before the first layout that is too soon: then
    /// the layout asks again.
    private func settle() { settling = Timer(whenIdle: { [unowned self] in look(atLast: true) }) }

    /// The wanted row is put into the upper third. `atLast`: its place is final.
    private func look(atLast: Bool) {
        guard let wanted, page > 0 else { return }
        var (x, y) = (0.0, 0.0)
        guard gtk_widget_get_height(wanted()) > 0,
            let content = lines.parent,
            gtk_widget_translate_coordinates(wanted(), content(), 0, 0, &x, &y) != 0
        else { return }
        if atLast { self.wanted = nil }
        gtk_adjustment_set_value(adjustment(), max(0, y - page / 3))
        note()
    }

    private func note() {
        guard wanted == nil, heldFromEnd == nil, page > 0 else { return }
        setAtEnd(value >= upper - page - Self.slack)
    }

    private func setAtEnd(_ isNow: Bool) {
        guard isNow != isAtEnd else { return }
        isAtEnd = isNow
        onEnd(isNow)
    }
}
