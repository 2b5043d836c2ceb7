import FoundationEssentials
import Gtk
import InboxView
import Libadwaita

/// Where the person answers; below a thread that has ended, what is said instead.
final class ComposerBar {
    let root: Ref
    private let conductor: Conductor
    private let interface: Interface
    private let (text, buffer): (Ref, Ref)
    private var typing: Connection?
    private var shown: Composer?
    private var shownKey: ConversationKey?
    private var revision: Int?
    private var focusing: Timer?

    init(_ conductor: Conductor) {
        self.conductor = conductor
        interface = Interface(PackageResources.composer_ui)
        root = interface["composer"]
        text = interface["text"]
        buffer = Ref(gtk_text_view_get_buffer(text()))
        typing = buffer.on("changed") { [unowned self] _ in
            interface["placeholder"].isVisible = words.isEmpty
            conductor.send(.typed(words))
        }
        interface["reopen"].on("clicked") { [unowned self] _ in
            conductor.send(.reopen)
            // The box is there then.
            focusing = Timer(whenIdle: { [unowned self] in takeFocus() })
        }
    }

    /// Also without a letter that could be typed: the answer is what the person came for.
    func takeFocus() { text.takeFocus() }

    func send() { conductor.send(.send(key: UUID().uuidString.lowercased())) }

    /// nil: there is nothing to answer.
    func render(_ composer: Composer?, of key: ConversationKey?, send: NamedAction) {
        root.isVisible = composer != nil
        send.isEnabled = if case .box(_, _, true, _) = composer { true } else { false }
        guard let composer, composer != shown || key != shownKey else { return }
        switch composer {
        case .box(let words, let revision, _, let problem):
            if revision != self.revision || key != shownKey { fill(words) }
            self.revision = revision
            interface["problem"].isVisible = problem != nil
            if let problem { interface["problem"].text = problem }
            gtk_stack_set_visible_child_name(root(), "box")
        case .ended(let sentence):
            interface["ended"].text = sentence
            gtk_stack_set_visible_child_name(root(), "ended")
        }
        (shown, shownKey) = (composer, key)
    }

    private func fill(_ words: String) {
        guard words != self.words else { return }
        typing?.silenced { gtk_text_buffer_set_text(buffer(), words, Int32(clamping: words.utf8.count)) }
        interface["placeholder"].isVisible = words.isEmpty
    }

    private var words: String {
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer(), &start, &end)
        guard let found = gtk_text_buffer_get_text(buffer(), &start, &end, 0) else { return "" }
        defer { g_free(found) }
        return String(cString: found)
    }
}
