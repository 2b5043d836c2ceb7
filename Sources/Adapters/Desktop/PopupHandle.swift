import CNotify

/// One libnotify notification. Made, used and freed on the GLib thread.
final class PopupHandle {
    private let popup: OpaquePointer
    /// What it says; nil where it is there only to be closed.
    private var content: PopupContent?

    init(_ content: PopupContent, replacing id: UInt32?) {
        popup = cnotify_popup_new(content.summary, content.body, content.iconName, id ?? 0)
        fill(content)
    }

    /// Has it say something else when it is shown the next time. A new one in its place would be made, with all that
    /// most replies do not change, and taken apart.
    func change(to content: PopupContent) {
        cnotify_popup_change(popup, content.summary, content.body, content.iconName)
        fill(content)
    }

    /// For a pop-up that an earlier run of the program has shown.
    init(known id: UInt32) {
        popup = cnotify_popup_new(" ", nil, nil, id)
    }

    deinit { cnotify_popup_free(popup) }

    /// The ids of its actions by the names that the server uses for them.
    var offered: [String: String] { content?.offered ?? [:] }

    func show() throws(NotifierError) -> UInt32 {
        var failure = cnotify_failure()
        let id = cnotify_popup_show(popup, &failure)
        guard id != 0 else { throw NotifierError(failure) }
        return id
    }

    func close() throws(NotifierError) {
        var failure = cnotify_failure()
        guard !cnotify_popup_close(popup, &failure) else { return }
        let error = NotifierError(failure)
        // Some refuse where the person was faster.
        if case .refused = error { return }
        throw error
    }
}

/// What differs from what it said before is told to libnotify, which keeps the rest.
extension PopupHandle {
    private func fill(_ new: PopupContent) {
        let former = exchange(&content, with: new)
        if former?.urgency != new.urgency { cnotify_popup_set_urgency(popup, new.urgency.rawValue) }
        if former?.timeout != new.timeout { cnotify_popup_set_timeout(popup, new.timeout) }
        setHints(of: new, after: former)
        if former?.actions != new.actions { setActions(of: new, after: former) }
    }

    private func setHints(of new: PopupContent, after former: PopupContent?) {
        for (place, hint) in new.hints.enumerated() where former?.hints[place].value != hint.value {
            switch hint.value {
            case .text(let text): cnotify_popup_set_text_hint(popup, hint.name, text)
            case .flag: cnotify_popup_set_flag_hint(popup, hint.name)
            case nil: if former != nil { cnotify_popup_remove_hint(popup, hint.name) }
            }
        }
    }

    private func setActions(of new: PopupContent, after former: PopupContent?) {
        if former != nil { cnotify_popup_remove_actions(popup) }
        for action in new.actions { cnotify_popup_add_action(popup, action.id, action.label) }
    }
}

extension NotifierError {
    init(_ failure: cnotify_failure) {
        let text = withUnsafeBytes(of: failure.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self =
            switch failure.outcome {
            case CNOTIFY_NO_BUS: .noBus(text)
            case CNOTIFY_NO_SERVER: .noServer(text)
            case CNOTIFY_TIMED_OUT: .timedOut
            default: .refused(text)
            }
    }
}
