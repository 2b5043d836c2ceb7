import Gtk
import GtkSupport
import Libadwaita
import Testing

@testable import Window

@Suite struct `Scroll position of a thread` {
    @Test func `A message linked before layout may be at the end of the thread`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let (scroll, list) = (Ref(gtk_scrolled_window_new()), Ref(gtk_list_box_new()))
                gtk_scrolled_window_set_child(scroll(), list())
                let row = Ref(gtk_label_new("a linked message"))
                gtk_list_box_append(list(), row())
                var ends: [Bool] = []
                let scroller = ThreadScroller(scroll, list) { ends.append($0) }
                scroller.go(to: row)
                while g_main_context_iteration(nil, 0) != 0 {}
                let window = Ref(gtk_window_new())
                gtk_window_set_child(window(), scroll())
                gtk_window_present(window())
                loop { ends.last == true }
                withExtendedLifetime(scroller) {}
            }
        }
    }
}
