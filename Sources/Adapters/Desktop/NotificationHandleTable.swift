/// The notifications of this program by the server's id. The size is limited, because some servers never report an
/// end.
struct NotificationHandleTable {
    private static let limit = 256
    private var handles: [UInt32: NotificationHandle] = [:]
    private var order: [UInt32] = []
    /// The ids of notifications that ended, newest last.
    private var ended: [UInt32] = []
    /// The actions of ended notifications. The server may show one again from its history, with the same id.
    private var previousActions: [UInt32: [String: String]] = [:]
    /// The ids of ended notifications that expired. A server may still have them in a list.
    private var expired: [UInt32] = []
    /// The ids of notifications that an earlier run of the program has shown.
    private var adopted: Set<UInt32> = []
    /// The ended notifications that an earlier run has shown: the server's instance, by id.
    private var adoptedEnded: [UInt32: String] = [:]

    var isEmpty: Bool { handles.isEmpty }

    subscript(id: UInt32) -> NotificationHandle? { handles[id] }

    /// Returns whether the notification `id` ended. Its end is being reported, so the id must not be reused for a
    /// replacement.
    func hasEnded(_ id: UInt32?) -> Bool { id.map(ended.contains) ?? false }

    /// Returns whether this run of the program has shown `id` on the current server.
    func contains(_ id: UInt32) -> Bool { handles[id] != nil || previousActions[id] != nil }

    /// Returns the id of the action that the server calls `name`; `nil` if the notification is not ours or does not
    /// offer the action. The actions of notifications of a previous run are unknown, so any name is accepted for
    /// those.
    ///
    /// - Parameter instance: the instance of the server that reports the action; `nil` if unknown.
    func action(_ name: String, on id: UInt32, of instance: String?) -> String? {
        if let offeredActions = handles[id]?.offeredActions ?? previousActions[id] {
            return offeredActions[name]
        }
        let isOurs = adopted.contains(id) || (instance != nil && adoptedEnded[id] == instance)
        return isOurs ? name : nil
    }

    /// Adds notifications of a previous run of the program, and the `ended` ones with their server's instance.
    mutating func adopt(_ ids: Set<UInt32>, ended: [UInt32: String]) {
        adopted.formUnion(ids)
        adoptedEnded.merge(ended) { $1 }
    }

    /// Removes a notification of a previous run, which ended on the server `instance`. Returns `false` if there is
    /// none with this id.
    mutating func removeAdopted(_ id: UInt32, on instance: String?) -> Bool {
        guard adopted.remove(id) != nil else { return false }
        adoptedEnded[id] = instance
        return true
    }

    mutating func add(_ handle: NotificationHandle, as id: UInt32) {
        // A server that was restarted assigns its ids again.
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

    /// Returns `false` if the id is unknown.
    @discardableResult
    mutating func removeExpired(_ id: UInt32) -> Bool {
        guard let place = expired.firstIndex(of: id) else { return false }
        expired.remove(at: place)
        return true
    }

    /// Forgets ids that are valid only on the former server.
    mutating func discardPreviousServer() {
        expired.removeAll()
        previousActions.removeAll()
        adopted.removeAll()
        adoptedEnded.removeAll()
    }

    mutating func removeAll() { self = NotificationHandleTable() }
}
