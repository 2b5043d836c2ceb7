import Gtk
import GtkSupport
import Libadwaita
import Testing

/// Tests of user interfaces that are built from `.ui` files.
@Suite struct `Interfaces` {
    @Test func `Closing a window frees it and its widgets`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let interface = WidgetTemplate(Self.window)
                var gone: Set<String> = []
                interface["window"].on("destroy") { _ in gone.insert("window") }
                interface["label"].on("destroy") { _ in gone.insert("label") }
                #expect(String(cString: gtk_label_get_text(interface["label"]())) == "Hello")
                gtk_window_present(interface["window"]())
                gtk_window_close(interface["window"]())
                loop { gone.count == 2 }
            }
        }
    }

    @Test func `A row without a parent can be added to a list, which then owns the row`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let interface = WidgetTemplate(Self.row)
                var isGone = false
                interface["row"].on("destroy") { _ in isGone = true }
                let list = Ref(gtk_list_box_new())
                var keeper: Retained? = Retained(adopting: list)
                gtk_list_box_append(list(), interface["row"]())
                #expect(!isGone && keeper != nil)
                keeper = nil
                #expect(isGone)
            }
        }
    }

    private static let window = Array(
        """
        <interface><object class="GtkWindow" id="window"><property name="child">
        <object class="GtkLabel" id="label"><property name="label">Hello</property></object>
        </property></object></interface>
        """.utf8)

    private static let row = Array(
        """
        <interface><object class="GtkListBoxRow" id="row"><property name="child">
        <object class="GtkLabel"/></property></object></interface>
        """.utf8)
}
