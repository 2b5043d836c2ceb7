/// The pop-ups on the screen, by the server's id. Bounded, for servers that never tell that one has gone.
struct LivePopups {
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

    mutating func removeAll() { self = LivePopups() }
}
