import CNotify

/// One libnotify notification. Made, used and freed on the GLib thread.
final class PopupHandle {
    private let popup: OpaquePointer
    /// Whose place the field for a reply took.
    private let replyAction: String?
    /// The action that servers with such a field know.
    private static let inlineReply = "inline-reply"

    /// `listener` must outlive the handle.
    init(
        _ popup: Popup, replacing id: UInt32?, application: String, capabilities: Set<String>,
        listener: cnotify_listener
    ) {
        let inline = capabilities.contains(Self.inlineReply) ? popup.inlineReply : nil
        replyAction = inline?.action
        let summary = PlainText.line(popup.summary, limit: 200)
        let body = PlainText.lines(popup.body, limit: popup.bodyLimit)
        self.popup = cnotify_popup_new(
            summary.isEmpty ? application : summary,
            capabilities.contains("body-markup") ? PlainText.escaped(body) : body,
            popup.iconName.isEmpty ? nil : popup.iconName, id ?? 0, listener)
        cnotify_popup_set_urgency(self.popup, popup.urgency.rawValue)
        if let limit = popup.expireMilliseconds {
            cnotify_popup_set_timeout(self.popup, Int32(clamping: max(limit, 0)))
        }
        addHints(of: popup)
        if let inline {
            addHint("x-kde-reply-placeholder-text", inline.placeholder)
            addHint("x-kde-reply-submit-button-text", inline.send)
        }
        if capabilities.contains("actions") { addActions(popup.actions) }
    }

    /// For a pop-up that an earlier run of the program has shown.
    init(known id: UInt32, listener: cnotify_listener) {
        replyAction = nil
        popup = cnotify_popup_new(" ", nil, nil, id, listener)
    }

    deinit { cnotify_popup_free(popup) }

    /// The action that was meant where the server tells of `name`.
    func action(told name: String) -> String { name == Self.inlineReply ? replyAction ?? name : name }

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

    private func addHints(of popup: Popup) {
        addHint("desktop-entry", popup.desktopEntry)
        addHint("category", popup.category)
        addHint("x-canonical-private-synchronous", popup.stackTag)
        addHint("x-dunst-stack-tag", popup.stackTag)
        if popup.isTransient { cnotify_popup_set_flag_hint(self.popup, "transient") }
        if let path = popup.imagePath, !path.utf8.contains(0), cnotify_is_local_file(path) {
            cnotify_popup_set_text_hint(self.popup, "image-path", path)
        }
        switch popup.sound {
        case _ where popup.isUpdate, .silent: cnotify_popup_set_flag_hint(self.popup, "suppress-sound")
        case .standard: addHint("sound-name", "message-new-instant")
        case .named(let name): addHint("sound-name", name)
        }
    }

    private func addHint(_ name: String, _ value: String) {
        let value = PlainText.line(value, limit: 200)
        if !value.isEmpty { cnotify_popup_set_text_hint(popup, name, value) }
    }

    private func addActions(_ actions: [Popup.Action]) {
        for action in actions.prefix(8) {
            let id = action.id == replyAction ? Self.inlineReply : PlainText.line(action.id, limit: 100)
            let label = PlainText.line(action.label, limit: 100)
            if !id.isEmpty && !label.isEmpty { cnotify_popup_add_action(popup, id, label) }
        }
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

/// Hears what is typed into pop-ups, on servers that have a field for it. Made, used and freed on the GLib
/// thread.
final class ReplyListener {
    /// Bytes of a reply that are taken; more than any server of conversations takes.
    static let limit = 2 << 20
    private let replies: OpaquePointer

    /// `notifier` must outlive it.
    init(for notifier: Notifier) throws(NotifierError) {
        var failure = cnotify_failure()
        let heard: cnotify_replied = { context, id, text, size in
            guard let context, let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: min(size, ReplyListener.limit))
            let words = String(decoding: bytes, as: UTF8.self)
            Notifier.known(as: context).assumeIsolated { $0.replied(id, words) }
        }
        let context = Unmanaged.passUnretained(notifier).toOpaque()
        guard let replies = cnotify_replies_new(heard, context, &failure) else {
            throw NotifierError(failure)
        }
        self.replies = replies
    }

    deinit { cnotify_replies_free(replies) }
}

/// The pop-ups on the screen, by the server's id. Bounded, for servers that never tell that one has gone.
struct PopupTable {
    private static let limit = 256
    private var handles: [UInt32: PopupHandle] = [:]
    private var order: [UInt32] = []
    private var ended: [UInt32] = []
    /// Of those that ended, the ones that left the screen by themselves: a server may have them in a list.
    private var expired: [UInt32] = []

    var isEmpty: Bool { handles.isEmpty }

    subscript(id: UInt32) -> PopupHandle? { handles[id] }

    /// Whether `id` was here and went: its end is on the way to the caller, so it must not come back.
    func hasEnded(_ id: UInt32?) -> Bool { id.map(ended.contains) ?? false }

    mutating func add(_ handle: PopupHandle, as id: UInt32) {
        // A server that was restarted gives its ids anew.
        remove(id)
        ended.removeAll { $0 == id }
        forgetExpired(id)
        handles[id] = handle
        order.append(id)
        if order.count > Self.limit { handles[order.removeFirst()] = nil }
    }

    @discardableResult
    mutating func remove(_ id: UInt32) -> PopupHandle? {
        guard let handle = handles.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 == id }
        ended.append(id)
        if ended.count > Self.limit { ended.removeFirst() }
        return handle
    }

    mutating func noteExpired(_ id: UInt32) { expired = expired.suffix(Self.limit - 1) + [id] }

    /// False where it was not known.
    @discardableResult
    mutating func forgetExpired(_ id: UInt32) -> Bool {
        guard let place = expired.firstIndex(of: id) else { return false }
        expired.remove(at: place)
        return true
    }

    mutating func forgetExpired() { expired.removeAll() }

    mutating func removeAll() { self = PopupTable() }
}
