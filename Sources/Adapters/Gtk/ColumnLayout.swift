import Libadwaita

/// A vertical layout in which each child has its natural width, limited to the available width. The layout is
/// faster than `GtkBox`: fifty boxes with wrapped labels take seconds to measure, because GTK searches for a
/// suitable width of each label.
public enum ColumnLayout {
    /// Creates a column that aligns its children with the start edge. The first child is beside the
    /// column of the other children.
    public static func makeStartAligned() -> Ref { makeColumn(isStartAligned: true) }

    /// Creates a column that aligns its children with the end edge.
    public static func makeEndAligned() -> Ref { makeColumn(isStartAligned: false) }

    private static func makeColumn(isStartAligned besideFirst: Bool) -> Ref {
        let box = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let layout =
            besideFirst
            ? gtk_custom_layout_new(sizeRequestMode, measureStartAligned, allocateStartAligned)
            : gtk_custom_layout_new(sizeRequestMode, measureEndAligned, allocateEndAligned)
        gtk_widget_set_layout_manager(box(), layout)
        return box
    }
}

private typealias Widget = UnsafeMutablePointer<GtkWidget>

nonisolated private func sizeRequestMode(of widget: Widget?) -> GtkSizeRequestMode {
    GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
}

nonisolated private func measureStartAligned(
    _ widget: Widget?, _ orientation: GtkOrientation, _ size: Int32, _ minimum: UnsafeMutablePointer<Int32>?,
    _ natural: UnsafeMutablePointer<Int32>?, _ minimumBaseline: UnsafeMutablePointer<Int32>?,
    _ naturalBaseline: UnsafeMutablePointer<Int32>?
) {
    let wanted = ColumnParts(widget, besideFirst: true).measure(orientation: orientation, forSize: size)
    minimum?.pointee = wanted.least
    natural?.pointee = wanted.natural
}

nonisolated private func measureEndAligned(
    _ widget: Widget?, _ orientation: GtkOrientation, _ size: Int32, _ minimum: UnsafeMutablePointer<Int32>?,
    _ natural: UnsafeMutablePointer<Int32>?, _ minimumBaseline: UnsafeMutablePointer<Int32>?,
    _ naturalBaseline: UnsafeMutablePointer<Int32>?
) {
    let wanted = ColumnParts(widget, besideFirst: false).measure(orientation: orientation, forSize: size)
    minimum?.pointee = wanted.least
    natural?.pointee = wanted.natural
}

nonisolated private func allocateStartAligned(
    _ widget: Widget?, _ width: Int32, _ height: Int32, _ baseline: Int32
) {
    ColumnParts(widget, besideFirst: true).allocateChildren(totalWidth: width)
}

nonisolated private func allocateEndAligned(
    _ widget: Widget?, _ width: Int32, _ height: Int32, _ baseline: Int32
) {
    ColumnParts(widget, besideFirst: false).allocateChildren(totalWidth: width)
}

/// The layout computation for the visible children of a column.
nonisolated private struct ColumnParts {
    private typealias Size = (least: Int32, natural: Int32)

    private static let gap: Int32 = 8
    private static let spacing: Int32 = 2

    private let side: Widget?
    private let parts: [Widget]
    private let isAtEnd: Bool
    private let isMirrored: Bool

    init(_ widget: Widget?, besideFirst: Bool) {
        var children: [Widget] = []
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            if gtk_widget_should_layout(child) != 0 { children.append(child) }
            next = gtk_widget_get_next_sibling(child)
        }
        side = besideFirst ? children.first : nil
        parts = besideFirst ? Array(children.dropFirst()) : children
        isAtEnd = !besideFirst
        isMirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
    }

    private func measuredSize(of widget: Widget, orientation: GtkOrientation, forSize size: Int32 = -1)
        -> Size
    {
        var (least, natural): (Int32, Int32) = (0, 0)
        gtk_widget_measure(widget, orientation, size, &least, &natural, nil, nil)
        return (least, natural)
    }

    private var sideWidth: Int32 {
        side.map { measuredSize(of: $0, orientation: GTK_ORIENTATION_HORIZONTAL).natural + Self.gap } ?? 0
    }

    func measure(orientation: GtkOrientation, forSize size: Int32) -> (least: Int32, natural: Int32) {
        let widths = parts.map { measuredSize(of: $0, orientation: GTK_ORIENTATION_HORIZONTAL) }
        let least = widths.map(\.least).max() ?? 0
        let natural = widths.map(\.natural).max() ?? 0
        if orientation == GTK_ORIENTATION_HORIZONTAL { return (least + sideWidth, natural + sideWidth) }
        let place = size < 0 ? natural : size - sideWidth
        let heights = zip(parts, widths).map { height(of: $0, size: $1, availableWidth: place) }
        let column = heights.reduce(0, +) + Self.spacing * Int32(max(0, heights.count - 1))
        let whole = max(
            column, side.map { measuredSize(of: $0, orientation: GTK_ORIENTATION_VERTICAL).natural } ?? 0)
        return (whole, whole)
    }

    private func width(for size: Size, availableWidth: Int32) -> Int32 {
        max(size.least, min(size.natural, availableWidth))
    }

    private func height(of part: Widget, size: Size, availableWidth: Int32) -> Int32 {
        measuredSize(
            of: part, orientation: GTK_ORIENTATION_VERTICAL,
            forSize: width(for: size, availableWidth: availableWidth)
        ).natural
    }

    func allocateChildren(totalWidth total: Int32) {
        if let side {
            let wide = measuredSize(of: side, orientation: GTK_ORIENTATION_HORIZONTAL).natural
            allocateChild(
                side, startOffset: 0, y: 0, width: wide,
                height: measuredSize(of: side, orientation: GTK_ORIENTATION_VERTICAL).natural,
                totalWidth: total)
        }
        var y: Int32 = 0
        let place = total - sideWidth
        for part in parts {
            let size = measuredSize(of: part, orientation: GTK_ORIENTATION_HORIZONTAL)
            let (wide, high) = (
                width(for: size, availableWidth: place), height(of: part, size: size, availableWidth: place)
            )
            allocateChild(
                part, startOffset: isAtEnd ? total - wide : sideWidth, y: y, width: wide, height: high,
                totalWidth: total)
            y += high + Self.spacing
        }
    }

    private func allocateChild(
        _ widget: Widget, startOffset start: Int32, y: Int32, width: Int32, height: Int32,
        totalWidth total: Int32
    ) {
        var place = GtkAllocation(
            x: isMirrored ? total - start - width : start, y: y, width: width, height: height)
        gtk_widget_size_allocate(widget, &place, -1)
    }
}
