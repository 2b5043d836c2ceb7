/// The pop-ups of this program by the server's id. Bounded, for servers that never report an end.
struct PopupTable {
    private static let limit = 256
    private var handles: [UInt32: PopupHandle] = [:]
    private var order: [UInt32] = []
    /// The ids of notifications that ended, newest last.
    private var ended: [UInt32] = []
    /// The actions of ended notifications. The server may show one again from its history, with the same id.
    private var formerOffers: [UInt32: [String: String]] = [:]
    /// The ids of ended notifications that expired. A server may still have them in a list.
    private var expired: [UInt32] = []
    /// The ids of notifications that an earlier run of the program has shown.
    private var adopted: Set<UInt32> = []

    var isEmpty: Bool { handles.isEmpty }

    subscript(id: UInt32) -> PopupHandle? { handles[id] }

    /// Whether `id` was here and ended: the report of its end is on the way to the caller, so it must not come back.
    func hasEnded(_ id: UInt32?) -> Bool { id.map(ended.contains) ?? false }

    /// Whether this run of the program has shown `id` on the server of now.
    func knows(_ id: UInt32) -> Bool { handles[id] != nil || formerOffers[id] != nil }

    /// Returns the id of the action that the server calls `name`; `nil` if the pop-up is not ours or does not
    /// offer it. What a pop-up of an earlier run offers is not known.
    func action(_ name: String, on id: UInt32) -> String? {
        if let offered = handles[id]?.offered ?? formerOffers[id] { return offered[name] }
        return adopted.contains(id) ? name : nil
    }

    /// Adds pop-ups that an earlier run of the program has shown.
    mutating func adopt(_ ids: Set<UInt32>) { adopted.formUnion(ids) }

    /// Removes one of an earlier run. Returns false if there is none with this id.
    mutating func removeAdopted(_ id: UInt32) -> Bool { adopted.remove(id) != nil }

    mutating func add(_ handle: PopupHandle, as id: UInt32) {
        // A server that was restarted assigns its ids again.
        remove(id)
        adopted.remove(id)
        ended.removeAll { $0 == id }
        formerOffers[id] = nil
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
        formerOffers[id] = handle.offered
        if ended.count > Self.limit { formerOffers[ended.removeFirst()] = nil }
        return handle
    }

    mutating func noteExpired(_ id: UInt32) { expired = expired.suffix(Self.limit - 1) + [id] }

    /// Returns false if it was not known.
    @discardableResult
    mutating func forgetExpired(_ id: UInt32) -> Bool {
        guard let place = expired.firstIndex(of: id) else { return false }
        expired.remove(at: place)
        return true
    }

    /// Forgets what only the server that was there before knew by its id.
    mutating func forgetFormerServer() {
        expired.removeAll()
        formerOffers.removeAll()
        adopted.removeAll()
    }

    mutating func removeAll() { self = PopupTable() }
}
