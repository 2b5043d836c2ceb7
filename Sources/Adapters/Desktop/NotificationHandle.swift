import CNotify
import NotificationPolicy

/// A libnotify notification. Handles must be created, used and released on the GLib thread.
final class NotificationHandle {
    private let notification: OpaquePointer
    /// The current content; `nil` if the handle only serves to close the notification.
    private(set) var content: NotificationContent?

    init(_ content: NotificationContent, replacing id: UInt32?) {
        notification = cnotify_popup_new(content.summary, content.body, content.iconName, id ?? 0)
        applyContent(content)
    }

    /// Changes the content that the next call of `show` sends. Reusing a handle is cheaper than creating a
    /// handle, because consecutive replies share most of the content.
    func update(with content: NotificationContent) {
        cnotify_popup_set_texts(notification, content.summary, content.body, content.iconName)
        applyContent(content)
    }

    /// Creates a handle that can only close the notification `id`, shown by a previous run of the daemon.
    init(closing id: UInt32) {
        notification = cnotify_popup_new(" ", nil, nil, id)
    }

    deinit { cnotify_popup_free(notification) }

    /// The action IDs, keyed by the action names that the server sends.
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

/// The functions that pass content to libnotify. Only the changed parts of the content are passed.
extension NotificationHandle {
    private func applyContent(_ new: NotificationContent) {
        let former = exchange(&content, with: new)
        if former?.urgency != new.urgency { cnotify_popup_set_urgency(notification, new.urgency.rawValue) }
        if former?.timeout != new.timeout { cnotify_popup_set_timeout(notification, new.timeout) }
        setHints(from: new, replacing: former)
        guard former?.actions != new.actions else { return }
        if former != nil { cnotify_popup_remove_actions(notification) }
        for action in new.actions { cnotify_popup_add_action(notification, action.id, action.label) }
    }

    private func setHints(from content: NotificationContent, replacing previous: NotificationContent?) {
        for (place, hint) in content.hints.enumerated() where previous?.hints[place].value != hint.value {
            switch hint.value {
            case .text(let text): cnotify_popup_set_text_hint(notification, hint.name, text)
            case .flag: cnotify_popup_set_flag_hint(notification, hint.name)
            case nil: if previous != nil { cnotify_popup_remove_hint(notification, hint.name) }
            }
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
            case CNOTIFY_SERVER_EXITED: .serverExited(text)
            case CNOTIFY_NO_LIBRARY: .noLibrary
            case CNOTIFY_TIMED_OUT: .timedOut
            default: .refused(text)
            }
    }
}

/// The notifications of the daemon by ID. The size of the table is limited, because some servers never report
/// that a notification was closed.
struct NotificationHandleTable {
    private static let limit = 256
    private var handles: [UInt32: NotificationHandle] = [:]
    private var order: [UInt32] = []
    /// The IDs of closed notifications of this run, newest last.
    private var ended: [UInt32] = []
    /// The actions of closed notifications by ID. If the server has a history, the user may still choose
    /// these actions.
    private var previousActions: [UInt32: [String: String]] = [:]
    /// The IDs of expired notifications, which may still be in the history of the server.
    private var expired: [UInt32] = []
    /// The IDs of notifications that a previous run of the daemon showed and that are not yet closed.
    private var adopted: Set<UInt32> = []
    /// The closed notifications of a previous run: a map from the ID to the server instance that showed the
    /// notification.
    private var adoptedEnded: [UInt32: String] = [:]

    var isEmpty: Bool { handles.isEmpty }

    subscript(id: UInt32) -> NotificationHandle? { handles[id] }

    /// Returns whether the notification `id` is closed and can no longer be replaced. The `closed` event
    /// may still be pending.
    func isEnded(_ id: UInt32?) -> Bool { id.map(ended.contains) ?? false }

    /// Returns whether this run of the daemon showed the notification `id` on the current server.
    func contains(_ id: UInt32) -> Bool { handles[id] != nil || previousActions[id] != nil }

    /// Returns the ID of the action that the server calls `name`; `nil` if the daemon did not show the
    /// notification, or if the notification has no such action. The actions of a previous run are unknown, so
    /// the name is returned as the ID.
    ///
    /// - Parameter instance: the server instance that reports the action; `nil` if unknown.
    func actionID(named name: String, ofNotification id: UInt32, serverInstance instance: String?) -> String?
    {
        if let offeredActions = handles[id]?.offeredActions ?? previousActions[id] {
            return offeredActions[name]
        }
        let isOurs = adopted.contains(id) || (instance != nil && adoptedEnded[id] == instance)
        return isOurs ? name : nil
    }

    /// Adds open notifications of a previous run, and closed notifications with their server instances.
    mutating func adoptNotifications(
        withOpenIDs ids: Set<UInt32>, serverInstancesByClosedID ended: [UInt32: String]
    ) {
        adopted.formUnion(ids)
        adoptedEnded.merge(ended) { $1 }
    }

    /// Records that the server `instance` closed a notification of a previous run. Returns `false` if the
    /// table contains no open notification of a previous run with this ID.
    mutating func markAdoptedNotificationAsClosed(_ id: UInt32, serverInstance instance: String?) -> Bool {
        guard adopted.remove(id) != nil else { return false }
        adoptedEnded[id] = instance
        return true
    }

    mutating func add(_ handle: NotificationHandle, withID id: UInt32) {
        // Remove a previous notification with this ID, because a restarted server reuses IDs.
        remove(id)
        adopted.remove(id)
        adoptedEnded[id] = nil
        ended.removeAll { $0 == id }
        previousActions[id] = nil
        removeExpiredNotification(id)
        handles[id] = handle
        order.append(id)
        if order.count > Self.limit { handles[order.removeFirst()] = nil }
    }

    @discardableResult
    mutating func remove(_ id: UInt32) -> NotificationHandle? {
        guard let handle = handles.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 == id }
        ended.append(id)
        previousActions[id] = handle.offeredActions
        if ended.count > Self.limit { previousActions[ended.removeFirst()] = nil }
        return handle
    }

    mutating func addExpiredNotification(_ id: UInt32) { expired = expired.suffix(Self.limit - 1) + [id] }

    /// Removes an expired notification. Returns `false` if the ID is unknown.
    @discardableResult
    mutating func removeExpiredNotification(_ id: UInt32) -> Bool {
        guard let place = expired.firstIndex(of: id) else { return false }
        expired.remove(at: place)
        return true
    }

    /// Removes the data that is valid only on the previous server: the IDs of expired and adopted
    /// notifications, and the actions of closed notifications.
    mutating func discardDataOfPreviousServer() {
        expired.removeAll()
        previousActions.removeAll()
        adopted.removeAll()
        adoptedEnded.removeAll()
    }

    mutating func removeAll() { self = NotificationHandleTable() }
}
