/// The notifications of the daemon by ID. Their number is limited, because some servers never report an end.
struct NotificationHandleTable {
    private static let limit = 256
    private var handles: [UInt32: NotificationHandle] = [:]
    private var order: [UInt32] = []
    /// The IDs of notifications that ended, newest last.
    private var ended: [UInt32] = []
    /// The actions of ended notifications. The server may show a notification from its history with the same
    /// ID.
    private var previousActions: [UInt32: [String: String]] = [:]
    /// The IDs of ended notifications that expired, which a server may still list.
    private var expired: [UInt32] = []
    /// The IDs of notifications that a previous run showed and that have not ended.
    private var adopted: Set<UInt32> = []
    /// The ended notifications that a previous run showed: their server instances by ID.
    private var adoptedEnded: [UInt32: String] = [:]

    var isEmpty: Bool { handles.isEmpty }

    subscript(id: UInt32) -> NotificationHandle? { handles[id] }

    /// Returns whether the notification `id` ended. The end may not have been reported yet, so the ID must
    /// not be used for a replacement.
    func isEnded(_ id: UInt32?) -> Bool { id.map(ended.contains) ?? false }

    /// Returns whether this run showed `id` on the current server.
    func contains(_ id: UInt32) -> Bool { handles[id] != nil || previousActions[id] != nil }

    /// Returns the ID of the action with the server's `name`; `nil` if the daemon did not show the
    /// notification, or if the notification does not have the action. For notifications of a previous run,
    /// whose actions are unknown, any name is valid.
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

    /// Adds notifications of a previous run, and `ended` ones with their server instance.
    mutating func adopt(_ ids: Set<UInt32>, endedInstances ended: [UInt32: String]) {
        adopted.formUnion(ids)
        adoptedEnded.merge(ended) { $1 }
    }

    /// Records that a notification of a previous run ended on the server `instance`. Returns `false` if no
    /// notification of a previous run has this ID, or if its end was already recorded.
    mutating func removeAdopted(_ id: UInt32, on instance: String?) -> Bool {
        guard adopted.remove(id) != nil else { return false }
        adoptedEnded[id] = instance
        return true
    }

    mutating func add(_ handle: NotificationHandle, as id: UInt32) {
        // A restarted server reuses IDs.
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

    /// Removes the IDs that are valid only on the previous server.
    mutating func discardPreviousServer() {
        expired.removeAll()
        previousActions.removeAll()
        adopted.removeAll()
        adoptedEnded.removeAll()
    }

    mutating func removeAll() { self = NotificationHandleTable() }
}
