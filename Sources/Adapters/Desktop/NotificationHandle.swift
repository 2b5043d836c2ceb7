import CNotify
import NotificationPolicy

/// A libnotify notification. Must be created, used and released on the GLib thread.
final class NotificationHandle {
    private let notification: OpaquePointer
    /// The current content; `nil` if the handle only serves to close the notification.
    private(set) var content: NotificationContent?

    init(_ content: NotificationContent, replacing id: UInt32?) {
        notification = cnotify_popup_new(content.summary, content.body, content.iconName, id ?? 0)
        applyContent(content)
    }

    /// Changes the content that the next call of `show` sends. Reusing a handle is cheaper than creating a
    /// handle, because most of the content is the same in the next reply.
    func update(with content: NotificationContent) {
        cnotify_popup_set_texts(notification, content.summary, content.body, content.iconName)
        applyContent(content)
    }

    /// Creates a handle that can only close the notification `id`, which a previous run of the daemon showed.
    init(closing id: UInt32) {
        notification = cnotify_popup_new(" ", nil, nil, id)
    }

    deinit { cnotify_popup_free(notification) }

    /// A map from the action name that the server sends to the action ID.
    var offeredActions: [String: String] { content?.offeredActions ?? [:] }

    func show() throws(NotifierError) -> UInt32 {
        var failure = cnotify_failure()
        let id = cnotify_popup_show(notification, &failure)
        guard id != 0 else { throw NotifierError(failure) }
        return id
    }

    func close() throws(NotifierError) {
        var failure = cnotify_failure()
        guard !cnotify_popup_close(notification, &failure) else { return }
        let error = NotifierError(failure)
        // Ignore an error from the server: the user may have closed the notification first.
        if case .refused = error { return }
        throw error
    }
}

/// Updates only the changed parts of the content in libnotify.
extension NotificationHandle {
    private func applyContent(_ new: NotificationContent) {
        let former = exchange(&content, with: new)
        if former?.urgency != new.urgency { cnotify_popup_set_urgency(notification, new.urgency.rawValue) }
        if former?.timeout != new.timeout { cnotify_popup_set_timeout(notification, new.timeout) }
        setHints(of: new, replacing: former)
        if former?.actions != new.actions { setActions(of: new, replacing: former) }
    }

    private func setHints(of new: NotificationContent, replacing former: NotificationContent?) {
        for (place, hint) in new.hints.enumerated() where former?.hints[place].value != hint.value {
            switch hint.value {
            case .text(let text): cnotify_popup_set_text_hint(notification, hint.name, text)
            case .flag: cnotify_popup_set_flag_hint(notification, hint.name)
            case nil: if former != nil { cnotify_popup_remove_hint(notification, hint.name) }
            }
        }
    }

    private func setActions(of new: NotificationContent, replacing former: NotificationContent?) {
        if former != nil { cnotify_popup_remove_actions(notification) }
        for action in new.actions { cnotify_popup_add_action(notification, action.id, action.label) }
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
            case CNOTIFY_SERVER_EXITED: .serverExited(text)
            case CNOTIFY_NO_LIBRARY: .noLibrary
            case CNOTIFY_TIMED_OUT: .timedOut
            default: .refused(text)
            }
    }
}
