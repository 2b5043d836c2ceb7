import Gtk
import Libadwaita

/// Controls the scroll position of a conversation. At the end, the position follows new lines; elsewhere, the
/// visible lines stay in place.
final class ThreadScroller {
    private let adjustment: Ref
    private let viewport: Ref
    private let lines: Ref
    private let onEnd: (Bool) -> Void
    private let onNear: (Edge) -> Void
    private var isAtEnd = true
    /// The distance from the end to restore after lines are inserted above; `nil` if none is to be restored.
    private var distanceFromEnd: Double?
    /// The row to scroll to when its position is known; `nil` if there is none.
    private var targetRow: Ref?
    private var layoutTimer: Timer?
    private var prefetchTimer: Timer?
    private var scrollTimer: Timer?

    /// An edge of the loaded lines.
    enum Edge { case start, end }

    /// The distance from the end, in pixels, within which a scroll position is treated as the end.
    private static let tolerance = 24.0

    /// - Parameters:
    ///   - onEnd: called when the user reaches or leaves the end.
    ///   - onNear: called repeatedly while less than a page is left before an edge.
    init(
        _ scroll: Ref, lines: Ref, onEnd: @escaping (Bool) -> Void,
        onNear: @escaping (Edge) -> Void = { _ in }
    ) {
        adjustment = Ref(gtk_scrolled_window_get_vadjustment(scroll()))
        viewport = Ref(gtk_scrolled_window_get_child(scroll()))
        (self.lines, self.onEnd, self.onNear) = (lines, onEnd, onNear)
        adjustment.on("changed") { [unowned self] _ in adjustScrollPosition() }
        adjustment.on("value-changed") { [unowned self] _ in updateIsAtEnd() }
    }

    private var upper: Double { gtk_adjustment_get_upper(adjustment()) }
    private var value: Double { gtk_adjustment_get_value(adjustment()) }
    private var page: Double { gtk_adjustment_get_page_size(adjustment()) }

    /// Keeps the visible lines in place while other lines change.
    func startPreservingPosition() {
        guard !isAtEnd else { return }
        distanceFromEnd = upper - value
        // Use a timer, because the main loop may be idle before the next layout, which calls `adjustScrollPosition`.
        // If no size changes, there is no layout, and the timer ends the wait.
        layoutTimer = Timer(after: .milliseconds(200)) { [unowned self] in stopPreservingPosition() }
    }

    private func stopPreservingPosition() {
        distanceFromEnd = nil
        loadNearbyLines()
    }

    /// Whether the position will be restored after a pending layout.
    var isRestoringPosition: Bool { distanceFromEnd != nil }

    /// Stops scrolling to new lines automatically, because the appended lines are not the newest ones.
    func stopAutoScrolling() { isAtEnd = false }

    func scrollToEnd() {
        (targetRow, distanceFromEnd) = (nil, nil)
        setIsAtEnd(true)
        gtk_adjustment_set_value(adjustment(), upper - page)
    }

    func scroll(to row: Ref) {
        targetRow = row
        distanceFromEnd = nil
        setIsAtEnd(false)
        scrollToTargetWhenIdle()
    }

    /// Forgets a row that is about to be destroyed.
    func forgetRow(_ row: Ref) { if targetRow == row { targetRow = nil } }

    /// Adjusts the position during a layout, after the size of the lines or of the viewport has changed.
    private func adjustScrollPosition() {
        let before = value
        if targetRow != nil {
            scrollToTarget(isPositionFinal: false)
            scrollToTargetWhenIdle()
        } else if let distanceFromEnd {
            gtk_adjustment_set_value(adjustment(), upper - distanceFromEnd)
            // Stop when the main loop is idle, because all sizes are final then.
            layoutTimer = Timer(whenIdle: { [unowned self] in stopPreservingPosition() })
        } else if isAtEnd {
            gtk_adjustment_set_value(adjustment(), upper - page)
        }
        // Check again whether more lines are needed, because the loaded lines may not fill the window.
        prefetchTimer = Timer(whenIdle: { [unowned self] in loadNearbyLines() })
        guard value != before else { return }
        // Repeat the resize request before the next frame, because GTK ignores a request during a layout.
        scrollTimer = Timer(beforeNextFrame: { [unowned self] in gtk_widget_queue_allocate(viewport()) })
    }

    /// Scrolls to the target row when the main loop is idle, because the position of the row is final then.
    /// Before the first layout, the position is unknown; the layout then calls this function again.
    private func scrollToTargetWhenIdle() {
        layoutTimer = Timer(whenIdle: { [unowned self] in scrollToTarget(isPositionFinal: true) })
    }

    /// Scrolls the target row to the upper third.
    ///
    /// - Parameter isPositionFinal: whether the position of the row is final.
    private func scrollToTarget(isPositionFinal: Bool) {
        guard let targetRow, page > 0 else { return }
        var (x, y) = (0.0, 0.0)
        guard gtk_widget_get_height(targetRow()) > 0,
            let content = lines.parent,
            gtk_widget_translate_coordinates(targetRow(), content(), 0, 0, &x, &y) != 0
        else { return }
        if isPositionFinal { self.targetRow = nil }
        gtk_adjustment_set_value(adjustment(), max(0, y - page / 3))
        updateIsAtEnd()
    }

    private func updateIsAtEnd() {
        guard targetRow == nil, distanceFromEnd == nil, page > 0 else { return }
        setIsAtEnd(value >= upper - page - Self.tolerance)
        loadNearbyLines()
    }

    private func loadNearbyLines() {
        guard targetRow == nil, distanceFromEnd == nil, page > 0 else { return }
        if value < page { onNear(.start) }
        if value > upper - 2 * page { onNear(.end) }
    }

    private func setIsAtEnd(_ newValue: Bool) {
        guard newValue != isAtEnd else { return }
        isAtEnd = newValue
        onEnd(newValue)
    }
}
