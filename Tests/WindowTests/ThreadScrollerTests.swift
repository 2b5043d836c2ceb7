import Gtk
import GtkSupport
import Libadwaita
import Testing

@testable import Window

@Suite struct `Scroll position of a conversation` {
    @Test func `The list can scroll to a linked message before layout, even at the end of the conversation`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let (scroll, list) = (Ref(gtk_scrolled_window_new()), Ref(gtk_list_box_new()))
                gtk_scrolled_window_set_child(scroll(), list())
                let row = Ref(gtk_label_new("a linked message"))
                gtk_list_box_append(list(), row())
                var ends: [Bool] = []
                let scroller = ThreadScroller(scroll, lines: list) { ends.append($0) }
                scroller.scroll(to: row)
                while g_main_context_iteration(nil, 0) != 0 {}
                let window = Ref(gtk_window_new())
                gtk_window_set_child(window(), scroll())
                gtk_window_present(window())
                loop { ends.last == true }
                withExtendedLifetime(scroller) {}
            }
        }
    }

    @Test func `Loading earlier messages does not move the visible messages`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let (scroll, list) = (Ref(gtk_scrolled_window_new()), Ref(gtk_list_box_new()))
                gtk_scrolled_window_set_child(scroll(), list())
                let rows = (0..<100).map { _ in Self.row() }
                for row in rows { gtk_list_box_append(list(), row()) }
                var near: [ThreadScroller.Edge] = []
                let scroller = ThreadScroller(
                    scroll, lines: list, onEnd: { _ in }, onNear: { near.append($0) })
                let window = Ref(gtk_window_new())
                gtk_window_set_default_size(window(), 300, 400)
                gtk_window_set_child(window(), scroll())
                gtk_window_present(window())
                let adjustment = Ref(gtk_scrolled_window_get_vadjustment(scroll()))
                loop { near.contains(.end) && gtk_adjustment_get_value(adjustment()) > 2000 }
                near.removeAll()
                gtk_adjustment_set_value(adjustment(), 2000)
                precondition(near.isEmpty, "nothing is loaded in the middle")
                gtk_adjustment_set_value(adjustment(), 100)
                precondition(near == [.start], "what is above is loaded before its edge is reached")
                // Waits for the next frame, in which the rows move.
                let first = Self.place(of: rows[4], in: scroll)
                loop { Self.place(of: rows[4], in: scroll) != first }
                let before = Self.place(of: rows[4], in: scroll)
                let upper = gtk_adjustment_get_upper(adjustment())
                scroller.startPreservingPosition()
                for _ in 0..<50 { gtk_list_box_insert(list(), Self.row()(), 0) }
                loop { gtk_adjustment_get_upper(adjustment()) > upper && !scroller.isRestoringPosition }
                let shift = gtk_adjustment_get_upper(adjustment()) - upper
                precondition(gtk_adjustment_get_value(adjustment()) == 100 + shift, "the position follows")
                loop { Self.place(of: rows[4], in: scroll) == before }
                withExtendedLifetime(scroller) {}
            }
        }
    }

    @MainActor private static func row() -> Ref {
        let label = Ref(gtk_label_new("a line"))
        gtk_widget_set_size_request(label(), -1, 40)
        return label
    }

    @MainActor private static func place(of row: Ref, in scroll: Ref) -> Double {
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(row(), scroll(), 0, 0, &x, &y)
        return y
    }
}
