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

    /// Returns whether the notification `id` is closed, so that a new notification must not replace it. The
    /// `closed` event may still be pending.
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
    mutating func adopt(_ ids: Set<UInt32>, endedInstances ended: [UInt32: String]) {
        adopted.formUnion(ids)
        adoptedEnded.merge(ended) { $1 }
    }

    /// Records that the server `instance` closed a notification of a previous run. Returns `false` if the
    /// table contains no open notification of a previous run with this ID.
    mutating func markAdoptedClosed(_ id: UInt32, on instance: String?) -> Bool {
        guard adopted.remove(id) != nil else { return false }
        adoptedEnded[id] = instance
        return true
    }

    mutating func add(_ handle: NotificationHandle, as id: UInt32) {
        // Remove a previous notification with this ID, because a restarted server reuses IDs.
        remove(id)
        adopted.remove(id)
        adoptedEnded[id] = nil
        ended.removeAll { $0 == id }
        previousActions[id] = nil
        removeExpired(id)
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

    mutating func addExpired(_ id: UInt32) { expired = expired.suffix(Self.limit - 1) + [id] }

    /// Removes an expired notification. Returns `false` if the ID is unknown.
    @discardableResult
    mutating func removeExpired(_ id: UInt32) -> Bool {
        guard let place = expired.firstIndex(of: id) else { return false }
        expired.remove(at: place)
        return true
    }

    /// Removes all IDs that only the previous server knows.
    mutating func discardPreviousServer() {
        expired.removeAll()
        previousActions.removeAll()
        adopted.removeAll()
        adoptedEnded.removeAll()
    }

    mutating func removeAll() { self = NotificationHandleTable() }
}
