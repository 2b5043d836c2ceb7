import FoundationEssentials
import Gtk
import InboxModel
import Libadwaita
import Localization

/// The composer below a conversation. After the conversation has ended, a message is shown instead of the
/// composer. Support staff can switch between replies and notes. A note looks different from a reply.
final class ComposerBar {
    let root: Ref
    private let controller: InboxController
    private let interface: WidgetTemplate
    private let text: TextBox
    private let finder: CannedFinder
    private var modes: [(button: Ref, mode: WritingMode, toggled: SignalConnection?)] = []
    private var shown: Content?
    private var focusTimer: Timer?
    private var enterSends = false

    private struct Content: Hashable {
        var composer: ComposerState
        var key: ConversationKey
        var mode: WritingMode?
        var reader: String
        var enterSends: Bool
    }

    init(_ controller: InboxController, showToast: @escaping (String) -> Void) {
        self.controller = controller
        interface = WidgetTemplate(PackageResources.composer_ui)
        root = interface["composer"]
        text = TextBox(interface["text"])
        finder = CannedFinder(root: interface["finder"], list: interface["finder-list"], text: text)
        text.onChange { [unowned self] typedText in
            interface["placeholder"].isVisible = typedText.isEmpty
            controller.send(.editDraft(typedText))
            finder.showMatches { controller.state.cannedMatches(for: $0) }
        }
        text.onAttachment { showToast(TextBox.attachmentSentence) }
        text.onKey { [unowned self] key in
            if finder.handleKey(key) { return true }
            guard key == .enter, enterSends else { return false }
            sendDraft()
            return true
        }
        interface["finder-list"].setAccessibleLabel(localized("Canned Responses"))
        interface["reopen"].on("clicked") { [unowned self] _ in
            controller.send(.reopen)
            // Move the focus later, because the text field appears only after the next render.
            focusTimer = Timer(whenIdle: { [unowned self] in grabFocus() })
        }
        interface["canned"].setAccessibleLabel(localized("Canned Responses"))
        modes = [("reply-mode", WritingMode.reply), ("note-mode", .note)].map { id, mode in
            let button = interface[id]
            let toggled = button.on("toggled") { [unowned self] _ in
                guard gtk_toggle_button_get_active(button()) != 0 else { return }
                startWriting(in: mode)
            }
            return (button, mode, toggled)
        }
    }

    /// Moves the focus to the text field.
    func grabFocus() { interface["text"].grabFocus() }

    var hasFocus: Bool { gtk_widget_is_focus(interface["text"]()) != 0 }

    func sendDraft() { controller.send(.send(key: UUID().uuidString.lowercased())) }

    /// Switches between replies and notes.
    func toggleWritingMode() {
        guard let mode = shown?.mode else { return }
        startWriting(in: mode == .reply ? .note : .reply)
    }

    private func startWriting(in mode: WritingMode) {
        controller.send(.staff(.write(mode)))
        focusTimer = Timer(whenIdle: { [unowned self] in grabFocus() })
    }

    /// Updates the composer. `details`: `nil` hides the composer.
    func render(_ details: ThreadDetails?, sendAction: NamedAction, enterSends: Bool) {
        self.enterSends = enterSends
        root.isVisible = details != nil
        guard let details else { return sendAction.isEnabled = false }
        sendAction.isEnabled = if case .box(_, _, true, _) = details.composer { true } else { false }
        let now = Content(
            composer: details.composer, key: details.key, mode: details.mode, reader: details.recipient,
            enterSends: enterSends)
        guard now != shown else { return }
        let before = shown
        shown = now
        show(now.composer, previous: before)
        if before?.mode != now.mode || before?.reader != now.reader || before?.enterSends != enterSends {
            show(now.mode)
        }
    }

    private func show(_ composer: ComposerState, previous: Content?) {
        let stack = interface["stack"]
        switch composer {
        case .box(let typedText, let revision, _, let problem):
            var known: Int?
            if case .box(_, let former, _, _) = previous?.composer { known = former }
            if revision != known || shown?.key != previous?.key {
                text.setText(typedText)
                finder.close()
                interface["placeholder"].isVisible = typedText.isEmpty
            }
            interface["problem"].isVisible = problem != nil
            if let problem { interface["problem"].text = problem }
            gtk_stack_set_visible_child_name(stack(), "box")
        case .ended(let sentence):
            interface["ended"].text = sentence
            gtk_stack_set_visible_child_name(stack(), "ended")
        }
    }

    /// Shows who will see the text. `mode`: `nil` if the user is not support staff; the switch between
    /// replies and notes is then hidden.
    private func show(_ mode: WritingMode?) {
        interface["modes"].isVisible = mode != nil
        interface["audience"].isVisible = mode != nil
        let isNote = mode == .note
        for (button, ownMode, toggled) in modes {
            toggled?.withoutSignals {
                gtk_toggle_button_set_active(button(), ownMode == (mode ?? .reply) ? 1 : 0)
            }
        }
        root.setCSSClass("note", isSet: isNote)
        interface["audience"].text = label(for: mode)
        interface["placeholder"].text =
            isNote ? localized("Write a note for your colleagues…") : localized("Write a reply…")
        interface["text"].setAccessibleLabel(isNote ? localized("Internal note") : localized("Your reply"))
        let send = interface["send"]
        gtk_button_set_icon_name(send(), isNote ? "document-edit-symbolic" : "send-message-symbolic")
        gtk_widget_set_tooltip_text(send(), tooltip(isNote: isNote))
        send.setAccessibleLabel(isNote ? localized("Add Note") : localized("Send"))
    }

    private func tooltip(isNote: Bool) -> String {
        switch (isNote, enterSends) {
        case (true, false): localized("Add Note (Ctrl+Enter)")
        case (true, true): localized("Add Note (Enter)")
        case (false, false): localized("Send (Ctrl+Enter)")
        case (false, true): localized("Send (Enter)")
        }
    }

    private func label(for mode: WritingMode?) -> String {
        switch mode {
        case .note: localized("Internal note: visible to support only, never to the user.")
        case .reply:
            shown.map(\.reader).flatMap { $0.isEmpty ? nil : $0 }.map {
                localized("{name} will see this message.", ["name": $0])
            } ?? localized("The user will see this message.")
        case nil: ""
        }
    }
}
