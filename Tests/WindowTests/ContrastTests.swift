import Glibc
import Gtk
import GtkSupport
import Libadwaita
import MessageText
import Testing

@testable import InboxModel
@testable import Window

/// Tests of the contrast between text and background, which must be at least 4.5 according to WCAG 2.1 AA.
/// The tests draw the window with each accent color of libadwaita and measure the colors.
@Suite struct ContrastTests {
    @Test func `All text has sufficient contrast in the light style`() async {
        await #expect(processExitsWith: .success) { try await Drawing.expectContrast(isDark: false) }
    }

    @Test func `All text has sufficient contrast in the dark style`() async {
        await #expect(processExitsWith: .success) { try await Drawing.expectContrast(isDark: true) }
    }

    @Test func `All text has sufficient contrast in the light high-contrast style`() async {
        await #expect(processExitsWith: .success) {
            try await Drawing.expectContrast(isDark: false, isHigh: true)
        }
    }

    @Test func `All text has sufficient contrast in the dark high-contrast style`() async {
        await #expect(processExitsWith: .success) {
            try await Drawing.expectContrast(isDark: true, isHigh: true)
        }
    }

    @Test func `The contrast ratio is computed as WCAG defines it`() {
        let (black, white) = (Colour(red: 0, green: 0, blue: 0), Colour(red: 255, green: 255, blue: 255))
        #expect(black.contrast(to: white) == 21 && white.contrast(to: white) == 1)
        // White text on this accent color, which an earlier version used, had too little contrast.
        let accent = Colour(red: 0x35, green: 0x84, blue: 0xE4)
        #expect((3.7..<3.8).contains(accent.contrast(to: white)))
    }
}

private struct Colour: Hashable {
    var red, green, blue: UInt8

    private var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    func contrast(to other: Colour) -> Double {
        let (one, two) = (luminance + 0.05, other.luminance + 0.05)
        return max(one, two) / min(one, two)
    }
}

/// A label whose contrast is measured. Its text consists of full blocks, so that most text pixels have the
/// text color.
private struct Probe {
    let name: String
    let label: Ref
    let root: Ref
}

@MainActor private enum Drawing {
    /// The accent colors (`accent_bg_color`) of libadwaita 1.6 and later.
    private static let accents = [
        "#3584e4", "#2190a4", "#3a944a", "#c88800", "#ed5b00", "#e62d42", "#d56199", "#9141ac", "#6f8396",
    ]
    /// A text that consists half of blocks and half of spaces, so that the two most frequent colors are the
    /// text color and the background color.
    private static let blocks = "\u{A0}\u{A0}████\u{A0}\u{A0}"

    static func expectContrast(isDark: Bool, isHigh: Bool = false) async throws {
        if isHigh { setenv("ADW_DEBUG_HIGH_CONTRAST", "1", 1) }
        setenv("ADW_DEBUG_COLOR_SCHEME", isDark ? "prefer-dark" : "default", 1)
        try await withScreen {
            adw_style_manager_set_color_scheme(
                adw_style_manager_get_default(),
                isDark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT)
            Style.installStyle(PackageResources.style_css)
            Style.installHighContrastStyle(PackageResources.style_hc_css)
            for accent in accents {
                Style.installStyle(Array("@define-color accent_bg_color \(accent);".utf8))
                measure(
                    "\(isDark ? "dark" : "light")\(isHigh ? " high" : "") \(accent)", least: isHigh ? 7 : 4.5)
            }
        }
    }

    private static func measure(_ setting: String, least: Double) {
        let (window, box) = (Ref(adw_window_new()), Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)))
        let probes = probes()
        gtk_widget_set_margin_start(box(), 12)
        // Disables the focus, because a focused label is selected, which changes its colors.
        gtk_widget_set_can_focus(box(), 0)
        for probe in probes where probe.root.parent == nil { gtk_box_append(box(), probe.root()) }
        adw_window_set_content(window(), box())
        gtk_window_present(window())
        var isPainted = false
        Ref(gtk_widget_get_frame_clock(window())).on("after-paint") { _ in isPainted = true }
        loop { isPainted && probes.allSatisfy { gtk_widget_get_height($0.label()) > 0 } }
        guard let picture = Picture(of: window) else {
            Issue.record("\(setting): nothing was drawn")
            return
        }
        for probe in probes {
            guard let (paper, ink) = picture.colours(in: probe.label, of: window) else {
                Issue.record("\(setting): \(probe.name) has no text")
                continue
            }
            let contrast = paper.contrast(to: ink)
            let least = probe.isSecondary ? 4.5 : least
            #expect(contrast >= least, "\(setting): \(probe.name), \(ink) on \(paper)")
        }
        gtk_window_destroy(window())
    }

    private static func probes() -> [Probe] {
        var probes: [Probe] = []
        for (name, isOwn, isNote) in [("own", true, false), ("other", false, false), ("note", true, true)] {
            for link in [nil, "https://a.example"] {
                let root = line(isOwn: isOwn, isNote: isNote, link: link).root
                let labels = root.labels
                let time = labels.first { $0.hasClass("time") }
                let text = labels.first { gtk_label_get_selectable($0()) != 0 }
                guard let time, let text else { preconditionFailure("a bubble without text or time") }
                probes.append(
                    Probe(name: "\(name) \(link == nil ? "text" : "link")", label: text, root: root))
                if link == nil { probes.append(Probe(name: "\(name) time", label: time, root: root)) }
            }
        }
        for (name, classes) in [
            ("badge", ["unread-count"]), ("dim", ["dim-label"]), ("tag", ["tag"]), ("sender", ["sender"]),
            ("separator", ["separator-line"]), ("unread", ["separator-line", "unread-line"]),
        ] {
            let label = Ref(gtk_label_new(blocks))
            gtk_widget_set_halign(label(), GTK_ALIGN_START)
            for name in classes { gtk_widget_add_css_class(label(), name) }
            probes.append(Probe(name: name, label: label, root: label))
        }
        return probes
    }

    private static func line(isOwn: Bool, isNote: Bool, link: String?) -> LineRow {
        let bubble = ThreadLine.Bubble(
            isOwn: isOwn, isNote: isNote, sender: "Ada", text: blocks, runs: [TextRun(blocks, link: link)],
            time: blocks, isHighlighted: false, continues: true)
        return LineRow(
            ThreadLine(id: "1", content: .bubble(bubble)),
            handlers: .init(
                openLink: { _ in }, copy: { _ in }, retry: { _ in }, cancel: { _ in }, picture: { _ in nil }))
    }
}

extension Probe {
    /// Whether normal contrast is sufficient for this label in the high-contrast style. This style mainly
    /// changes the user's own bubbles.
    fileprivate var isSecondary: Bool { name != "own text" && name != "own time" && name != "own link" }
}

@MainActor extension Ref {
    fileprivate func hasClass(_ name: String) -> Bool { gtk_widget_has_css_class(self(), name) != 0 }

    /// All labels in this widget, at any depth.
    fileprivate var labels: [Ref] {
        (isA(gtk_label_get_type()) ? [self] : []) + children.flatMap(\.labels)
    }
}

/// The pixels of a window.
private struct Picture {
    private let width: Int
    private let pixels: [UInt8]

    @MainActor init?(of window: Ref) {
        let (width, height) = (Int(gtk_widget_get_width(window())), Int(gtk_widget_get_height(window())))
        guard width > 0, height > 0, let paintable = gtk_widget_paintable_new(window()),
            let snapshot = gtk_snapshot_new()
        else { return nil }
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        g_object_unref(UnsafeMutableRawPointer(paintable))
        guard let node = gtk_snapshot_free_to_node(snapshot),
            let renderer = gtk_native_get_renderer(window())
        else { return nil }
        var area = graphene_rect_t()
        graphene_rect_init(&area, 0, 0, Float(width), Float(height))
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return nil }
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        pixels.withUnsafeMutableBufferPointer {
            gdk_texture_download(texture, $0.baseAddress, gsize(width * 4))
        }
        g_object_unref(Ref(texture).raw)
        gsk_render_node_unref(node)
        (self.width, self.pixels) = (width, pixels)
    }

    /// Returns the two most frequent colors in `label`: the text and the background, in either order.
    @MainActor func colours(in label: Ref, of window: Ref) -> (paper: Colour, ink: Colour)? {
        var (x, y) = (0.0, 0.0)
        guard gtk_widget_translate_coordinates(label(), window(), 0, 0, &x, &y) != 0 else { return nil }
        let (left, top) = (Int(x), Int(y))
        let (columns, rows) = (Int(gtk_widget_get_width(label())), Int(gtk_widget_get_height(label())))
        var counts: [Colour: Int] = [:]
        for row in top..<top + rows {
            for column in left..<left + columns { counts[self[column, row], default: 0] += 1 }
        }
        let colours = counts.sorted { $0.value > $1.value }.map(\.key)
        return colours.count > 1 ? (colours[0], colours[1]) : nil
    }

    /// The color of a pixel. Outside the window, the color is black: black on black has no contrast, so the
    /// test fails.
    private subscript(column: Int, row: Int) -> Colour {
        let place = (row * width + column) * 4
        guard pixels.indices.contains(place + 2), column >= 0 else {
            return Colour(red: 0, green: 0, blue: 0)
        }
        return Colour(red: pixels[place + 2], green: pixels[place + 1], blue: pixels[place])
    }
}
