import Glibc
import Gtk
import GtkSupport
import Libadwaita
import Testing

/// Tests of the Tab key with real key events on a virtual screen.
@Suite struct TabKeyTests {
    @Test(.timeLimit(.minutes(10)))
    func `A single press of Tab or Shift+Tab leaves a list, regardless of the number of rows`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let fixture = TabDesk(rows: 100)
                fixture.list.enableLeavingListWithTab()
                fixture.press("Tab", inRow: 50)
                loop { fixture.focus == fixture.after }
                fixture.press("shift+Tab", inRow: 50)
                loop { fixture.focus == fixture.before }
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Tab visits the controls in a row before it leaves the list`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let fixture = TabDesk(rows: 3, hasButtons: true)
                fixture.list.enableLeavingListWithTab()
                fixture.press("Tab", inRow: 1)
                loop { fixture.focus == fixture.contents[1] }
                fixture.press("Tab")
                loop { fixture.focus == fixture.after }
            }
        }
    }

    /// Checks the assumption of the other tests: by default, GTK moves the focus to the next row.
    @Test(.timeLimit(.minutes(10)))
    func `In a list without the changed key binding, Tab moves the focus to the next row`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let fixture = TabDesk(rows: 3)
                fixture.press("Tab", inRow: 0)
                loop { fixture.focus == fixture.row(1) }
            }
        }
    }
}

/// A window with a list between two buttons.
@MainActor private struct TabDesk {
    private static let title = "tab-key-test"
    private let window = Ref(gtk_window_new())
    let before = Ref(gtk_button_new_with_label("before"))
    let after = Ref(gtk_button_new_with_label("after"))
    let list = Ref(gtk_list_box_new())
    private(set) var contents: [Ref] = []

    init(rows: Int, hasButtons: Bool = false) {
        let box = Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        for number in 0..<rows {
            let content = hasButtons ? Ref(gtk_button_new_with_label("in")) : Ref(gtk_label_new("\(number)"))
            contents.append(content)
            gtk_list_box_append(list(), content())
        }
        for part in [before, list, after] { gtk_box_append(box(), part()) }
        gtk_window_set_title(window(), Self.title)
        gtk_window_set_child(window(), box())
        gtk_window_present(window())
        let root = window
        loop { gtk_widget_get_height(root()) > 0 }
    }

    var focus: Ref? { Ref(orNil: gtk_window_get_focus(window())) }

    func row(_ number: Int32) -> Ref? { Ref(orNil: gtk_list_box_get_row_at_index(list(), number)) }

    func press(_ keys: String, inRow number: Int32) {
        row(number)?.grabFocus()
        precondition(focus == row(number))
        press(keys)
    }

    /// Focuses the window and presses keys. The focus must be set explicitly, because there is no window
    /// manager.
    func press(_ keys: String) {
        var program = pid_t()
        let words = ["xdotool", "search", "--name", Self.title, "windowfocus", "--sync", "key", keys]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        precondition(posix_spawnp(&program, "xdotool", nil, nil, &arguments, environ) == 0)
        var status: CInt = 0
        waitpid(program, &status, 0)
        precondition(status == 0)
    }
}
