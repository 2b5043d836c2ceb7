import Gtk
import GtkSupport
import Libadwaita
import Testing

/// Tests of the layout of widgets in a column.
@Suite struct `Columns` {
    @Test func `A widget in a column has its natural width, and wraps if less width is available`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let (column, short, long) = Self.column(ColumnLayout.makeEndAligned())
                let width = try await Self.show(column, width: 400)
                #expect(gtk_widget_get_width(short()) < 100)
                #expect(gtk_widget_get_width(long()) <= 400)
                #expect(gtk_widget_get_height(long()) > 2 * gtk_widget_get_height(short()))
                #expect(Self.x(of: short, in: column) + Double(gtk_widget_get_width(short())) == width)
            }
        }
    }

    @Test func `Widgets of a column begin after the avatar, or end before it in a right-to-left layout`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let column = ColumnLayout.makeStartAligned()
                gtk_box_append(column(), Ref(adw_avatar_new(32, "Ada", 1))())
                let (_, short, _) = Self.column(column)
                let width = try await Self.show(column, width: 400)
                #expect(Self.x(of: short, in: column) == 40)
                gtk_widget_set_direction(column(), GTK_TEXT_DIR_RTL)
                loop { Self.x(of: short, in: column) != 40 }
                #expect(Self.x(of: short, in: column) + Double(gtk_widget_get_width(short())) == width - 40)
            }
        }
    }

    @MainActor private static func column(_ column: Ref) -> (column: Ref, short: Ref, long: Ref) {
        let (short, long) = (Ref(gtk_label_new("Ok")), Ref(gtk_label_new(words)))
        long.wrapText(atColumn: 60)
        for part in [short, long] { gtk_box_append(column(), part()) }
        return (column, short, long)
    }

    private static let words = String(repeating: "some words of a length ", count: 12)

    /// Shows the column in a window of the given width. Returns the width of the column.
    @MainActor private static func show(_ column: Ref, width: Int32) async throws -> Double {
        let window = Ref(gtk_window_new())
        gtk_window_set_default_size(window(), width, 300)
        gtk_window_set_child(window(), column())
        gtk_window_present(window())
        loop { gtk_widget_get_height(column()) > 0 }
        return Double(gtk_widget_get_width(column()))
    }

    @MainActor private static func x(of part: Ref, in column: Ref) -> Double {
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(part(), column(), 0, 0, &x, &y)
        return x
    }
}
