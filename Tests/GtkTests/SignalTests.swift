import Gtk
import GtkSupport
import Libadwaita
import Testing

/// Tests that user actions call Swift handlers, and that the handlers are freed with their widget.
@Suite struct `Signals` {
    @Test func `A signal handler is called with the arguments of the signal`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let entry = Ref(gtk_entry_new())
                let keeper = Retained(adopting: entry)
                var inserted: [String] = []
                let buffer = Ref(gtk_entry_get_buffer(entry()))
                buffer.on("inserted-text") {
                    inserted.append("\($0.uint(at: 0)) \($0.string(at: 1) ?? "") \($0.uint(at: 2))")
                }
                gtk_editable_set_text(entry(), "Grüße")
                #expect(inserted == ["0 Grüße 5"])
                withExtendedLifetime(keeper) {}
            }
        }
    }

    @Test func `GTK gets the value that a signal handler returns`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let window = Ref(gtk_window_new())
                var (isAllowed, isGone) = (false, false)
                window.onSignalReturningBool("close-request") { _ in !isAllowed }
                window.on("destroy") { _ in isGone = true }
                gtk_window_present(window())
                gtk_window_close(window())
                #expect(!isGone)
                isAllowed = true
                gtk_window_close(window())
                loop { isGone }
            }
        }
    }

    @Test func `A signal handler is freed along with its object`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                var isFreed = false
                var keeper: Retained? = Retained(adopting: Ref(gtk_button_new()))
                do {
                    let witness = DeallocationObserver { isFreed = true }
                    keeper?.ref.on("clicked") { _ in withExtendedLifetime(witness) {} }
                }
                #expect(!isFreed)
                keeper = nil
                #expect(isFreed)
            }
        }
    }

    @Test func `Changing a widget in code does not emit the signals for changes by the user`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let toggle = Retained(adopting: Ref(gtk_toggle_button_new()))
                var count = 0
                let connection = toggle.ref.on("toggled") { _ in count += 1 }
                connection.withoutSignals { gtk_toggle_button_set_active(toggle.ref(), 1) }
                #expect(count == 0)
                gtk_toggle_button_set_active(toggle.ref(), 0)
                #expect(count == 1)
            }
        }
    }

    @Test func `An action is activated with its string parameter`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                let box = Retained(adopting: Ref(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
                let group = ActionGroup("list", of: box.ref)
                var heard: [String] = []
                NamedAction("open", in: group.ref, withText: { heard.append($0) })
                let action = NamedAction("clear", in: group.ref) { heard = [] }
                let text = g_variant_new_string("conv_1")
                #expect(gtk_widget_activate_action_variant(box.ref(), "list.open", text) != 0)
                #expect(heard == ["conv_1"])
                action.isEnabled = false
                #expect(gtk_widget_activate_action_variant(box.ref(), "list.clear", nil) == 1)
                #expect(heard == ["conv_1"])
            }
        }
    }
}

final class DeallocationObserver {
    private let onEnd: () -> Void
    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
}
