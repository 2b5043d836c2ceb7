import CNotify

/// One libnotify notification. Made, used and freed on the GLib thread.
final class PopupHandle {
    private let popup: OpaquePointer
    /// What it says; nil where it is there only to be closed.
    private var content: PopupContent?

    /// `listener` must outlive the handle.
    init(_ content: PopupContent, replacing id: UInt32?, listener: cnotify_listener) {
        popup = cnotify_popup_new(content.summary, content.body, content.iconName, id ?? 0, listener)
        fill(content)
    }

    /// Has it say something else when it is shown the next time. A new one in its place would be made, with all that
    /// most replies do not change, and taken apart.
    func change(to content: PopupContent) {
        cnotify_popup_change(popup, content.summary, content.body, content.iconName)
        fill(content)
    }

    /// For a pop-up that an earlier run of the program has shown.
    init(known id: UInt32, listener: cnotify_listener) {
        popup = cnotify_popup_new(" ", nil, nil, id, listener)
    }

    deinit { cnotify_popup_free(popup) }

    /// The action that was meant where the server tells of `name`.
    func action(told name: String) -> String {
        name == PopupContent.inlineReply ? content?.replyAction ?? name : name
    }

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
